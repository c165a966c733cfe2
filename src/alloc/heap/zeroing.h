/* How a large block of zeros is made when its memory is not known to be zero: by writing, or by giving the memory back
 * so that the system zeroes what is touched. Which is cheaper depends on how much the caller will touch. That is a
 * property of the place that calls, so a small table keeps, per caller, how much of its earlier blocks was touched when
 * they were freed. */
#ifndef VESTA_HEAP_ZEROING_H
#define VESTA_HEAP_ZEROING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct VestaZeroing {
    bool lazily;
    uint32_t site; /* for vesta_zeroing_learn, or 0 */
} VestaZeroing;

VestaZeroing vesta_zeroing_choose(const void *site, size_t size);

/* A block that was made lazily for `site` is about to be freed: looks how much of it is backed. */
void vesta_zeroing_learn(uint32_t site, uintptr_t address, size_t size);

#endif
