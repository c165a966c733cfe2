#include "arena_state.h"

/* Nodes on the stack are marked by a size of 0, which no block has. */
static void mark_spare(VestaBlocks *blocks) {
    for (int32_t link = blocks->spare; link != 0; link = vesta_block_at(blocks, link)->links.next)
        vesta_block_at(blocks, link)->size = 0;
}

/* A node on the stack that is not among those forgotten, or 0. */
static int32_t next_spare(VestaBlocks *blocks) {
    while (blocks->spare != 0 && blocks->spare <= blocks->fresh)
        blocks->spare = vesta_block_at(blocks, blocks->spare)->links.next;
    return blocks->spare;
}

/* Gives a free block, which no handle names, another node. */
static void move_node(VestaBlocks *blocks, int32_t from, int32_t to) {
    VestaBlock *old = vesta_block_at(blocks, from), *block = vesta_block_at(blocks, to);
    *block = *old;
    vesta_block_at(blocks, block->left)->right = vesta_block_at(blocks, block->right)->left = to;
    vesta_lists_at(&blocks->lists, block->links.previous)->next = to;
    if (block->links.next != 0)
        vesta_lists_at(&blocks->lists, block->links.next)->previous = to;
    old->size = 0;
}

/* Forgets the nodes at the low end as far as no used block has them. */
static void drop_last_nodes(VestaBlocks *blocks) {
    for (;;) {
        int32_t link = blocks->fresh + VESTA_BLOCK_LINKS, spare;
        const VestaBlock *block = vesta_block_at(blocks, link);
        if (block->size != 0) {
            if (!vesta_block_is_free(block) || (spare = next_spare(blocks)) == 0)
                break;
            blocks->spare = vesta_block_at(blocks, spare)->links.next;
            move_node(blocks, link, spare);
        }
        blocks->fresh = link;
    }
    for (int32_t *link = &blocks->spare; *link != 0;) {
        int32_t *next = &vesta_block_at(blocks, *link)->links.next;
        if (*link <= blocks->fresh)
            *link = *next;
        else
            link = next;
    }
}

/* Adds units behind the last block. */
static void add_units(VestaBlocks *blocks, uint32_t units) {
    VestaBlock *border = vesta_block_at(blocks, VESTA_BLOCK_BORDER);
    int32_t last = border->left, link;
    VestaBlock *block = vesta_block_at(blocks, last);
    if (vesta_block_is_free(block)) {
        vesta_blocks_resize(blocks, last, block->size + units);
    } else {
        vesta_blocks_take_node(blocks, &link);
        *vesta_block_at(blocks, link) = (VestaBlock){{0, 0}, blocks->total, units, last, VESTA_BLOCK_BORDER};
        block->right = border->left = link;
        vesta_blocks_insert(blocks, link, vesta_block_at(blocks, link), vesta_lists_class(units));
    }
    blocks->total += units;
    blocks->free += units;
}

size_t vesta_arena_collect(VestaArena *self) {
    VestaBlocks *blocks = &self->blocks;
    mark_spare(blocks);
    drop_last_nodes(blocks);
    int32_t last = vesta_block_at(blocks, VESTA_BLOCK_BORDER)->left;
    bool needs_node = !vesta_block_is_free(vesta_block_at(blocks, last)) && blocks->spare == 0;
    int32_t lowest = blocks->fresh - (needs_node ? VESTA_BLOCK_LINKS : 0);
    int32_t steps = (lowest - blocks->limit) / VESTA_ARENA_STEP_LINKS;
    if (steps <= 0)
        return 0;
    uint32_t units = (uint32_t)steps * VESTA_ARENA_STEP_UNITS;
    blocks->limit += steps * VESTA_ARENA_STEP_LINKS;
    add_units(blocks, units);
    return (size_t)units * VESTA_ARENA_GRANULE;
}

void vesta_arena_report(VestaArena *self, VestaArenaReport *report) {
    VestaBlocks *blocks = &self->blocks;
    *report = (VestaArenaReport){
        .capacity = (size_t)blocks->total * VESTA_ARENA_GRANULE,
        .free = (size_t)blocks->free * VESTA_ARENA_GRANULE,
        .largest = (size_t)vesta_blocks_largest(blocks) * VESTA_ARENA_GRANULE,
        .metadata = sizeof *self + (size_t)-blocks->limit * sizeof(VestaLinks) - sizeof(VestaBlock),
    };
}
