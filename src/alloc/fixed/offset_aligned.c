#include "offset_state.h"

/* What must be skipped in a block to reach an aligned offset. */
VESTA_INLINE uint64_t padding(const VestaBlock *block, uint64_t mask) {
    return (0 - (uint64_t)block->offset) & mask;
}

/* One of the first four blocks of a class that has an aligned range of the size, or 0. */
static VESTA_NOINLINE int32_t find_in_class(VestaBlocks *blocks, uint32_t class_index, uint32_t units, uint64_t mask) {
    int32_t link = blocks->lists.heads[class_index].next;
    for (int i = 0; i < VESTA_BLOCK_TRIES && link != 0; i++) {
        const VestaBlock *block = vesta_block_at(blocks, link);
        if (padding(block, mask) + units <= block->size)
            return link;
        link = block->links.next;
    }
    return 0;
}

/* Allocates all of a free block but its first `skipped` units, which stay free. */
static VESTA_NOINLINE VestaStatus alloc_rest(VestaOffsetAllocator *self, int32_t link, uint32_t skipped,
                                             VestaOffsetAllocation *allocation) {
    VestaBlocks *blocks = &self->blocks;
    VestaBlock *block = vesta_block_at(blocks, link);
    int32_t front;
    if (!vesta_blocks_take_node(blocks, &front))
        return VESTA_OUT_OF_NODES;
    vesta_blocks_cut(blocks, link, front, skipped);
    vesta_blocks_insert(blocks, front, vesta_block_at(blocks, front), vesta_lists_class(skipped));
    return vesta_offset_alloc_in(self, link, block->size, allocation);
}

/* Allocates from the middle of a free block: its first `skipped` units and its end stay free, the end in its node. */
static VESTA_NOINLINE VestaStatus alloc_middle(VestaOffsetAllocator *self, int32_t link, uint32_t skipped,
                                               uint32_t units, VestaOffsetAllocation *restrict allocation) {
    VestaBlocks *blocks = &self->blocks;
    int32_t front, middle;
    if (!vesta_blocks_take_node(blocks, &front))
        return VESTA_OUT_OF_NODES;
    if (!vesta_blocks_take_node(blocks, &middle)) {
        vesta_blocks_give_node(blocks, front);
        return VESTA_OUT_OF_NODES;
    }
    VestaBlock *skip = vesta_block_at(blocks, front), *used = vesta_block_at(blocks, middle);
    VestaBlock *block = vesta_block_at(blocks, link);
    uint32_t offset = block->offset;
    skip->offset = offset;
    skip->size = skipped;
    skip->left = block->left;
    skip->right = middle;
    vesta_block_at(blocks, block->left)->right = front;
    offset += skipped;
    used->offset = offset;
    used->size = units;
    used->left = front;
    used->right = link;
    block->left = middle;
    block->offset = offset + units;
    vesta_blocks_mark_used(blocks, used);
    blocks->free -= units;
    allocation->offset = (uint64_t)offset << self->quantum_shift;
    allocation->node = (uint32_t)middle;
    allocation->serial = blocks->serial;
    vesta_blocks_insert(blocks, front, skip, vesta_lists_class(skipped));
    return vesta_blocks_resize(blocks, link, block->size - skipped - units);
}

VESTA_INLINE VestaStatus alloc_found(VestaOffsetAllocator *self, int32_t link, uint32_t units, uint64_t mask,
                                     VestaOffsetAllocation *allocation) {
    const VestaBlock *block = vesta_block_at(&self->blocks, link);
    uint32_t skipped = (uint32_t)padding(block, mask);
    if (skipped == 0)
        return vesta_offset_alloc_in(self, link, units, allocation);
    if (skipped + units == block->size)
        return alloc_rest(self, link, skipped, allocation);
    return alloc_middle(self, link, skipped, units, allocation);
}

/* Looks through all classes above the request's own. */
static VESTA_COLD VestaStatus alloc_above(VestaOffsetAllocator *self, uint32_t units, uint64_t mask,
                                          VestaOffsetAllocation *allocation) {
    uint32_t found = vesta_lists_class(units);
    while (vesta_lists_find(&self->blocks.lists, found + 1, &found)) {
        int32_t link = find_in_class(&self->blocks, found, units, mask);
        if (link != 0)
            return alloc_found(self, link, units, mask, allocation);
    }
    return VESTA_EXHAUSTED;
}

/* Takes any block that has room for the worst padding too. */
VESTA_INLINE VestaStatus alloc_wide(VestaOffsetAllocator *self, uint32_t units, uint64_t mask,
                                    VestaOffsetAllocation *allocation) {
    VestaBlocks *blocks = &self->blocks;
    uint64_t wide = units + mask;
    uint32_t found;
    if (VESTA_UNLIKELY(wide > blocks->total) ||
        VESTA_UNLIKELY(!vesta_lists_find(&blocks->lists, vesta_lists_class((uint32_t)wide - 1) + 1, &found)))
        return alloc_above(self, units, mask, allocation);
    return alloc_found(self, blocks->lists.heads[found].next, units, mask, allocation);
}

/* The request's own class has blocks. */
static VESTA_NOINLINE VestaStatus alloc_own(VestaOffsetAllocator *self, uint32_t units, uint64_t mask,
                                            VestaOffsetAllocation *allocation) {
    int32_t link = find_in_class(&self->blocks, vesta_lists_class(units), units, mask);
    return link != 0 ? alloc_found(self, link, units, mask, allocation) : alloc_wide(self, units, mask, allocation);
}

VestaStatus vesta_offset_alloc_aligned(VestaOffsetAllocator *self, uint64_t size, uint64_t alignment,
                                       VestaOffsetAllocation *allocation) {
    uint64_t mask = alignment - 1, last = (size - 1) >> self->quantum_shift;
    VestaBlocks *blocks = &self->blocks;
    if (VESTA_UNLIKELY((alignment & mask) != 0 || alignment == 0))
        return VESTA_INVALID;
    /* Also 0, too much, and everything with what lies behind the last whole quantum. */
    if (mask <= self->quantum_mask || last >= blocks->total)
        return vesta_offset_alloc(self, size, allocation);
    uint32_t units = (uint32_t)last + 1;
    mask >>= self->quantum_shift;
    if (vesta_lists_is_empty(&blocks->lists, vesta_lists_class(units)))
        return alloc_wide(self, units, mask, allocation);
    return alloc_own(self, units, mask, allocation);
}
