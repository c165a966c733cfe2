/* What an offset allocator consists of: its nodes, and right above them this. */
#ifndef VESTA_FIXED_OFFSET_STATE_H
#define VESTA_FIXED_OFFSET_STATE_H

#include "blocks.h"
#include "mapping.h"
#include <vesta/offset.h>

/* Allocations that wait for the same fence: a queue through `links.previous` of their nodes. */
typedef struct VestaFence {
    uint64_t value;
    int32_t first;
    int32_t last;
} VestaFence;

struct VestaOffsetAllocator {
    VestaBlocks blocks; /* first: the nodes lie below it */
    uint64_t capacity;  /* bytes */
    uint64_t quantum_mask;
    uint32_t quantum_shift;
    /* The newest fence is kept here, older ones in nodes, from the oldest on. */
    int32_t oldest_fence;
    int32_t last_older_fence;
    uint32_t waiting;
    VestaFence newest_fence; /* no queue: `first` is 0 */
    VestaMapping mapping;
};

/* Allocates the front of a free block that is large enough. */
VESTA_HIDDEN VestaStatus vesta_offset_alloc_in(VestaOffsetAllocator *self, int32_t link, uint32_t units,
                                               VestaOffsetAllocation *allocation);

#endif
