/* The C runtime's _aligned_ family, the forms with an offset included: `block + offset` is aligned. Blocks are ordinary
 * ones, so free works on them too; only where an offset moves the start is the block's address kept in front of it. */
#ifndef VESTA_INTERPOSE_WINDOWS_ALIGNED_H
#define VESTA_INTERPOSE_WINDOWS_ALIGNED_H

#include "../../heap/caller.h"

#include <stdbool.h>
#include <stddef.h>

/* NULL with errno EINVAL for an alignment that is no power of two, or an offset beyond the size. */
void *vesta_aligned_alloc(size_t size, size_t alignment, size_t offset, const VestaCaller *caller);

/* For a block of the heap's. What is added is zero if `zeroed`. */
void *vesta_aligned_realloc(void *block, size_t size, size_t alignment, size_t offset, bool zeroed,
                            const VestaCaller *caller);
void vesta_aligned_free(void *block);
size_t vesta_aligned_usable_size(void *block);

#endif
