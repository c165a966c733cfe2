/* Who called the library: the frame record of the entry that the program called. It is at once the caller's frame
 * pointer, its return address and, being where it is, its stack pointer: all that a stack walk begins with. An entry
 * that hands its request on by a tail call leaves the record to the function it jumps to. */
#ifndef VESTA_HEAP_CALLER_H
#define VESTA_HEAP_CALLER_H

#include "../base/compiler.h"

typedef struct VestaCaller {
    const void *frame_pointer;
    const void *return_address;
} VestaCaller;

#define VESTA_CALLER ((const VestaCaller *)__builtin_frame_address(0))

/* Around a call that was given VESTA_CALLER: it must not become a tail call, which would take the frame away. */
VESTA_INLINE void *vesta_keep_frame(void *result) {
    __asm__ volatile("" : "+r"(result));
    return result;
}

#endif
