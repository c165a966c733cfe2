#include "offset_state.h"

enum { MAX_BLOCKS = INT32_MAX / VESTA_BLOCK_LINKS - 256 };

#define MAX_CAPACITY (UINT64_C(1) << 63)

/* ---- Life ---- */

static size_t nodes_size(uint32_t max_blocks) {
    return ((size_t)max_blocks + 1) * sizeof(VestaBlock);
}

size_t vesta_offset_footprint(uint32_t max_blocks) {
    return max_blocks > MAX_BLOCKS ? 0 : nodes_size(max_blocks) + sizeof(VestaOffsetAllocator);
}

VestaOffsetAllocator *vesta_offset_create(uint64_t capacity, uint32_t max_blocks, void *memory) {
    if (capacity == 0 || capacity > MAX_CAPACITY || max_blocks == 0 || max_blocks > MAX_BLOCKS ||
        (uintptr_t)memory % sizeof(uint64_t) != 0)
        return NULL;
    VestaMapping mapping = {NULL, 0};
    if (memory == NULL) {
        mapping = vesta_map(vesta_offset_footprint(max_blocks));
        memory = mapping.memory;
        if (memory == NULL)
            return NULL;
    }
    VestaOffsetAllocator *self = (VestaOffsetAllocator *)(void *)((char *)memory + nodes_size(max_blocks));
    self->mapping = mapping;
    self->capacity = capacity;
    self->quantum_shift = 0;
    while (capacity >> self->quantum_shift >= UINT32_MAX)
        self->quantum_shift++;
    self->quantum_mask = (UINT64_C(1) << self->quantum_shift) - 1;
    self->blocks.total = (uint32_t)(capacity >> self->quantum_shift);
    self->blocks.limit = VESTA_BLOCK_FIRST - (int32_t)max_blocks * VESTA_BLOCK_LINKS;
    self->blocks.serial = vesta_blocks_first_serial(self);
    vesta_offset_reset(self);
    return self;
}

void vesta_offset_destroy(VestaOffsetAllocator *self) {
    if (self != NULL)
        vesta_unmap(self->mapping);
}

void vesta_offset_reset(VestaOffsetAllocator *self) {
    vesta_blocks_reset(&self->blocks);
    self->oldest_fence = self->newest_fence.first = 0;
    self->waiting = 0;
}

/* ---- Allocating and freeing ---- */

static VESTA_NOINLINE VestaStatus alloc_whole(VestaOffsetAllocator *self, int32_t link,
                                              VestaOffsetAllocation *allocation) {
    vesta_blocks_use(&self->blocks, link);
    allocation->offset = (uint64_t)vesta_block_at(&self->blocks, link)->offset << self->quantum_shift;
    allocation->node = (uint32_t)link;
    allocation->serial = self->blocks.serial;
    return VESTA_OK;
}

VESTA_INLINE VestaStatus alloc_from(VestaOffsetAllocator *self, int32_t link, uint64_t units,
                                    VestaOffsetAllocation *restrict allocation) {
    VestaBlocks *blocks = &self->blocks;
    const VestaBlock *block = vesta_block_at(blocks, link);
    if (VESTA_UNLIKELY(block->size == units))
        return alloc_whole(self, link, allocation);
    int32_t front;
    if (VESTA_UNLIKELY(!vesta_blocks_take_node(blocks, &front)))
        return VESTA_OUT_OF_NODES;
    allocation->offset = (uint64_t)block->offset << self->quantum_shift;
    allocation->node = (uint32_t)front;
    allocation->serial = vesta_blocks_next_serial(blocks);
    return vesta_blocks_use_front(blocks, link, front, (uint32_t)units);
}

/* Nothing is large enough, unless all of it is asked for: what lies behind the last whole quantum is part of that. */
static VESTA_NOINLINE VestaStatus alloc_everything(VestaOffsetAllocator *self, uint64_t units,
                                                   VestaOffsetAllocation *allocation) {
    if (units <= self->blocks.total || self->blocks.free != self->blocks.total)
        return VESTA_EXHAUSTED;
    return alloc_whole(self, vesta_block_at(&self->blocks, VESTA_BLOCK_BORDER)->right, allocation);
}

/* The front block of the class is too small for the request. */
static VESTA_NOINLINE VestaStatus alloc_probing(VestaOffsetAllocator *self, uint32_t class_index, uint64_t units,
                                                VestaOffsetAllocation *allocation) {
    int32_t link = vesta_blocks_probe(&self->blocks, class_index, (uint32_t)units);
    return link != 0 ? alloc_from(self, link, units, allocation) : alloc_everything(self, units, allocation);
}

VestaStatus vesta_offset_alloc_in(VestaOffsetAllocator *self, int32_t link, uint32_t units,
                                  VestaOffsetAllocation *allocation) {
    return alloc_from(self, link, units, allocation);
}

VestaStatus vesta_offset_alloc(VestaOffsetAllocator *self, uint64_t size, VestaOffsetAllocation *allocation) {
    if (VESTA_UNLIKELY(size - 1 >= self->capacity))
        return size == 0 ? VESTA_INVALID : VESTA_TOO_LARGE;
    VestaBlocks *blocks = &self->blocks;
    uint64_t units = (size + self->quantum_mask) >> self->quantum_shift;
    uint32_t class_index;
    if (VESTA_UNLIKELY(!vesta_lists_find(&blocks->lists, vesta_lists_class((uint32_t)units), &class_index)))
        return alloc_everything(self, units, allocation);
    int32_t link = blocks->lists.heads[class_index].next;
    if (VESTA_UNLIKELY(vesta_block_at(blocks, link)->size < units))
        return alloc_probing(self, class_index, units, allocation);
    return alloc_from(self, link, units, allocation);
}

uint64_t vesta_offset_size(VestaOffsetAllocator *self, VestaOffsetAllocation allocation) {
    if (!vesta_blocks_has(&self->blocks, allocation.node, allocation.serial))
        return 0;
    uint32_t units = vesta_block_at(&self->blocks, (int32_t)allocation.node)->size;
    return units == self->blocks.total ? self->capacity : (uint64_t)units << self->quantum_shift;
}

VestaStatus vesta_offset_free(VestaOffsetAllocator *self, VestaOffsetAllocation allocation) {
    if (VESTA_UNLIKELY(!vesta_blocks_has(&self->blocks, allocation.node, allocation.serial)))
        return VESTA_BAD_HANDLE;
    return vesta_blocks_free(&self->blocks, (int32_t)allocation.node);
}
