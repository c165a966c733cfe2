#include "offset_state.h"

static uint32_t nodes_left(VestaBlocks *blocks) {
    uint32_t count = (uint32_t)(blocks->fresh - blocks->limit) / VESTA_BLOCK_LINKS;
    for (int32_t link = blocks->spare; link != 0; link = vesta_block_at(blocks, link)->links.next)
        count++;
    return count;
}

void vesta_offset_report(VestaOffsetAllocator *self, VestaOffsetReport *report) {
    *report = (VestaOffsetReport){
        .capacity = self->capacity,
        .quantum = self->quantum_mask + 1,
        .free = (uint64_t)self->blocks.free << self->quantum_shift,
        .largest = (uint64_t)vesta_blocks_largest(&self->blocks) << self->quantum_shift,
        .blocks = nodes_left(&self->blocks),
        .waiting = self->waiting,
    };
}

uint32_t vesta_offset_classes(VestaOffsetAllocator *self, VestaOffsetClass *classes, uint32_t capacity) {
    VestaBlocks *blocks = &self->blocks;
    uint32_t count = 0, found;
    for (uint32_t i = 0; vesta_lists_find(&blocks->lists, i, &found); i = found + 1, count++) {
        if (count >= capacity)
            continue;
        VestaOffsetClass *c = &classes[count];
        *c = (VestaOffsetClass){vesta_class_size(found, VESTA_LISTS_BITS) << self->quantum_shift, 0, 0};
        for (int32_t link = blocks->lists.heads[found].next; link != 0;) {
            const VestaBlock *block = vesta_block_at(blocks, link);
            c->bytes += (uint64_t)block->size << self->quantum_shift;
            c->blocks++;
            link = block->links.next;
        }
    }
    return count;
}

int vesta_offset_walk(VestaOffsetAllocator *self, VestaOffsetBlock *position) {
    VestaBlocks *blocks = &self->blocks;
    int32_t from = position->position == 0 ? VESTA_BLOCK_BORDER : (int32_t)position->position;
    int32_t link = vesta_block_at(blocks, from)->right;
    if (link == VESTA_BLOCK_BORDER)
        return 0;
    const VestaBlock *block = vesta_block_at(blocks, link);
    *position = (VestaOffsetBlock){
        .offset = (uint64_t)block->offset << self->quantum_shift,
        .size = (uint64_t)block->size << self->quantum_shift,
        .used = !vesta_block_is_free(block),
        .position = (uint32_t)link,
    };
    return 1;
}
