#include "offset_state.h"

/* An older fence lies in a node of its own: its value in `offset` and `size`, the queue in `left` and `right`, the next
 * later fence in `links.previous`. */

static uint64_t fence_value(const VestaBlock *node) {
    return node->offset | (uint64_t)node->size << 32;
}

static void fence_fill(VestaBlock *node, const VestaFence *fence, int32_t later) {
    *node = (VestaBlock){{0, later}, (uint32_t)fence->value, (uint32_t)(fence->value >> 32), fence->first, fence->last};
}

static void append(VestaBlocks *blocks, int32_t *last, int32_t link) {
    vesta_block_at(blocks, *last)->links.previous = link;
    *last = link;
}

/* Waits for the newest fence so far or a later one. */
static void wait_last(VestaOffsetAllocator *self, int32_t link, uint64_t value) {
    VestaBlocks *blocks = &self->blocks;
    VestaFence *newest = &self->newest_fence;
    int32_t node;
    if (newest->first == 0) {
        *newest = (VestaFence){value, link, link};
    } else if (value == newest->value || !vesta_blocks_take_node(blocks, &node)) {
        newest->value = value;
        append(blocks, &newest->last, link);
    } else {
        fence_fill(vesta_block_at(blocks, node), newest, 0);
        if (self->oldest_fence == 0)
            self->oldest_fence = node;
        else
            vesta_block_at(blocks, self->last_older_fence)->links.previous = node;
        self->last_older_fence = node;
        *newest = (VestaFence){value, link, link};
    }
}

/* Waits for an earlier fence than the newest: its own, else a new one's, else a later one's. */
static void wait_earlier(VestaOffsetAllocator *self, int32_t link, uint64_t value) {
    VestaBlocks *blocks = &self->blocks;
    int32_t before = 0, behind = self->oldest_fence, node;
    while (behind != 0 && fence_value(vesta_block_at(blocks, behind)) < value) {
        before = behind;
        behind = vesta_block_at(blocks, behind)->links.previous;
    }
    bool is_own = behind != 0 && fence_value(vesta_block_at(blocks, behind)) == value;
    if (is_own || !vesta_blocks_take_node(blocks, &node)) {
        append(blocks, behind != 0 ? &vesta_block_at(blocks, behind)->right : &self->newest_fence.last, link);
        return;
    }
    fence_fill(vesta_block_at(blocks, node), &(VestaFence){value, link, link}, behind);
    if (before == 0)
        self->oldest_fence = node;
    else
        vesta_block_at(blocks, before)->links.previous = node;
    if (behind == 0)
        self->last_older_fence = node;
}

VestaStatus vesta_offset_free_after(VestaOffsetAllocator *self, VestaOffsetAllocation allocation, uint64_t fence) {
    VestaBlocks *blocks = &self->blocks;
    if (!vesta_blocks_has(blocks, allocation.node, allocation.serial))
        return VESTA_BAD_HANDLE;
    int32_t link = (int32_t)allocation.node;
    VestaBlock *block = vesta_block_at(blocks, link);
    vesta_blocks_mark_used(blocks, block); /* again: with a number that no handle has */
    block->links.previous = 0;
    self->waiting++;
    if (self->newest_fence.first == 0 || fence >= self->newest_fence.value)
        wait_last(self, link, fence);
    else
        wait_earlier(self, link, fence);
    return VESTA_OK;
}

static uint32_t free_queue(VestaBlocks *blocks, int32_t first) {
    uint32_t count = 0;
    for (int32_t next; first != 0; first = next, count++) {
        next = vesta_block_at(blocks, first)->links.previous;
        vesta_blocks_free(blocks, first);
    }
    return count;
}

uint32_t vesta_offset_retire(VestaOffsetAllocator *self, uint64_t completed) {
    VestaBlocks *blocks = &self->blocks;
    uint32_t count = 0;
    while (self->oldest_fence != 0) {
        int32_t node = self->oldest_fence;
        VestaBlock *fence = vesta_block_at(blocks, node);
        if (fence_value(fence) > completed)
            break;
        self->oldest_fence = fence->links.previous;
        count += free_queue(blocks, fence->left);
        vesta_blocks_give_node(blocks, node);
    }
    if (self->oldest_fence == 0 && self->newest_fence.first != 0 && self->newest_fence.value <= completed) {
        count += free_queue(blocks, self->newest_fence.first);
        self->newest_fence.first = 0;
    }
    self->waiting -= count;
    return count;
}
