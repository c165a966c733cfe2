/* What a recorder hears of while it is on; see vesta_record_start. The heap knows no more of it than this. */
#ifndef VESTA_HEAP_HOOKS_H
#define VESTA_HEAP_HOOKS_H

#include "caller.h"
#include "heap.h"

/* What the recorder knows of a block, in its own way. */
typedef uint64_t VestaRecord;

typedef struct VestaHooks {
    /* `heap`, the calling thread's, gave out a block of `size` bytes, as asked for. */
    void (*allocated)(VestaHeap *heap, void *block, size_t size, const VestaCaller *caller);
    /* What was recorded of a block in use. */
    VestaRecord (*recorded)(const void *block);
    /* The block was taken back by `heap`, whoever allocated it. It may be somebody else's already. */
    void (*freed)(VestaHeap *heap, VestaRecord record);
} VestaHooks;

/* Empty, or filled in whole before the first block. */
extern VESTA_HIDDEN VestaHooks vesta_hooks;

/* Defined by the recorder where there is one: called once, before the first block; fills in the hooks and returns true
 * if the environment asks for recording. */
bool vesta_record_start(VestaHooks *hooks) VESTA_WEAK;

#endif
