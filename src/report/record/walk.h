/* Walking the call stack.
 *
 * Most stacks differ from the thread's last one in a few inner frames only. A walk is a function of the registers it
 * begins with and the words of the stack that it reads; so the last stack is kept with all its registers and the words
 * that led from frame to frame, and as soon as a walk comes to a frame that is in the last stack, with the same
 * registers, it is enough to see that those words are what they were. What follows from them needs not be found again,
 * and no stack is ever wrong for it. */
#ifndef VESTA_RECORD_WALK_H
#define VESTA_RECORD_WALK_H

#include "stack_limits.h"
#include "../../alloc/heap/caller.h"

#include <stddef.h>

enum {
    VESTA_DEPTH_DEFAULT = 64,
    VESTA_DEPTH_MAX = 256,
    VESTA_WALK_FRAMES = 1024, /* kept: room to grow towards the inner end before all moves */
};

/* A frame: what the registers are when `address` is returned to. */
typedef struct VestaFrame {
    uintptr_t address, stack_pointer, frame_pointer;
    uint64_t hash;         /* of the stack from the outermost frame to this one */
    uint32_t node;         /* that stack's, VESTA_NODE_NONE as long as nobody asked */
    uint16_t words;        /* where its words begin */
    uint8_t needs_pointer; /* the way outwards depends on frame_pointer */
} VestaFrame;

typedef struct VestaStackWord {
    const uintptr_t *place;
    uintptr_t value;
} VestaStackWord;

typedef struct VestaWalker {
    uint32_t thread, generation; /* whose the last stack is, and what its rules are worth */
    uint32_t first, end;         /* the last stack: frames[first] is the innermost */
    uint32_t ending;             /* 0 or VESTA_END_*: how it ends */
    uint32_t words_first, words_end;
    VestaFrame frames[VESTA_WALK_FRAMES];
    VestaStackWord words[2 * VESTA_WALK_FRAMES];
    VestaFrame fresh[VESTA_DEPTH_MAX];
} VestaWalker;

/* Walks from `caller` on, `limit` frames at most; the stack is then frames[first] to frames[end - 1] and `ending`.
 * Returns its hash. */
uint64_t vesta_walk(VestaWalker *walker, const VestaCaller *caller, const VestaStackLimits *limits, uint32_t thread,
                    uint32_t limit);

/* The node of the stack that was walked last; VESTA_NODE_NONE if there is no memory (or no stack). */
uint32_t vesta_walk_node(VestaWalker *walker);

/* Code of the library itself, which is left out of stacks at their inner end. */
void vesta_walk_leave_out(uintptr_t start, uintptr_t end);

#endif
