/* A range cut into blocks: the core of the offset allocator and of the fixed arena.
 *
 * Offsets and sizes count in units of the owner's choice. Each block, free or used, has a node that knows its two
 * neighbours; free ones hang in class lists. Nodes lie below this structure, the first ones next to it, and count from
 * there: the owner says how many may be used. A request looks at up to four blocks of its own class, then takes the
 * first of the next class that has one, so that a block of exactly the right size is always found.
 *
 * A list's front lies lower than what is inserted behind it: preferring low addresses keeps the high ones whole, which
 * is worth more than a better fit. */
#ifndef VESTA_FIXED_BLOCKS_H
#define VESTA_FIXED_BLOCKS_H

#include "../base/class_lists.h"
#include "../os/os.h"
#include <vesta/status.h>

#include <stddef.h>

typedef struct VestaBlock {
    VestaLinks links; /* free: in its class; used: `next` is the serial number; not in use: `next` is the stack's */
    uint32_t offset;
    uint32_t size;
    int32_t left;
    int32_t right;
} VestaBlock;

typedef struct VestaBlocks {
    VestaClassLists lists; /* first: links count from here */
    int32_t spare;         /* stack of nodes that were used before, or 0 */
    int32_t fresh;         /* the first node that was never used */
    int32_t limit;         /* the first node that does not exist */
    uint32_t serial;       /* of the last allocation: odd, 31 bits */
    uint32_t free;         /* units */
    uint32_t total;        /* units */
} VestaBlocks;

enum {
    VESTA_BLOCK_LINKS = sizeof(VestaBlock) / sizeof(VestaLinks), /* per node */
    /* The first node: no block, but the neighbour of both ends. */
    VESTA_BLOCK_BORDER = -VESTA_BLOCK_LINKS,
    VESTA_BLOCK_FIRST = VESTA_BLOCK_BORDER - VESTA_BLOCK_LINKS,
    VESTA_BLOCK_TRIES = 4,
};

_Static_assert(sizeof(VestaBlock) == 24 && offsetof(VestaBlocks, lists.heads) == 0, "nodes lie right below the heads");

VESTA_INLINE VestaBlock *vesta_block_at(VestaBlocks *blocks, int32_t link) {
    return (VestaBlock *)vesta_lists_at(&blocks->lists, link);
}

VESTA_INLINE bool vesta_block_is_free(const VestaBlock *block) {
    return block->links.next <= 0;
}

/* The units of the largest free block. */
static inline uint32_t vesta_blocks_largest(VestaBlocks *blocks) {
    const VestaClassLists *lists = &blocks->lists;
    if (lists->top == 0)
        return 0;
    uint32_t word = 63 - (uint32_t)__builtin_clzll(lists->top), largest = 0;
    int32_t link = lists->heads[word * 64 + 63 - (uint32_t)__builtin_clzll(lists->words[word])].next;
    for (const VestaBlock *block; link != 0; link = block->links.next) {
        block = vesta_block_at(blocks, link);
        largest = block->size > largest ? block->size : largest;
    }
    return largest;
}

/* ---- Nodes ---- */

/* Takes a node that is not in use; false if there is none. */
VESTA_INLINE bool vesta_blocks_take_node(VestaBlocks *blocks, int32_t *link) {
    *link = blocks->spare;
    if (VESTA_LIKELY(*link != 0)) {
        blocks->spare = vesta_block_at(blocks, *link)->links.next;
        return true;
    }
    *link = blocks->fresh;
    if (VESTA_UNLIKELY(*link == blocks->limit))
        return false;
    blocks->fresh = *link - VESTA_BLOCK_LINKS;
    return true;
}

VESTA_INLINE void vesta_blocks_give_node(VestaBlocks *blocks, int32_t link) {
    vesta_block_at(blocks, link)->links.next = blocks->spare;
    blocks->spare = link;
}

/* Whether a used block has this node and serial number, which both may have any value. */
VESTA_INLINE bool vesta_blocks_has(VestaBlocks *blocks, uint32_t link, uint32_t serial) {
    /* Multiplying by the inverse of 3 modulo 2^32 divides multiples of 3 and makes all else huge. */
    _Static_assert(VESTA_BLOCK_LINKS == 3, "the inverse below is that of 3");
    uint32_t index = ((uint32_t)VESTA_BLOCK_FIRST - link) * 0xAAAAAAABu;
    return VESTA_LIKELY((int32_t)link > blocks->fresh && index < INT32_MAX / VESTA_BLOCK_LINKS && (int32_t)serial > 0 &&
                        (uint32_t)vesta_block_at(blocks, (int32_t)link)->links.next == serial);
}

/* ---- Lists ---- */

VESTA_INLINE void vesta_blocks_insert(VestaBlocks *blocks, int32_t link, VestaBlock *block, uint32_t class_index) {
    VestaClassLists *lists = &blocks->lists;
    if (VESTA_LIKELY(vesta_lists_start(lists, class_index, link)))
        return;
    int32_t first = lists->heads[class_index].next;
    bool lower = block->offset < vesta_block_at(blocks, first)->offset;
    vesta_lists_insert_behind(lists, lower ? (int32_t)class_index : first, link);
}

/* Moves a free block from its list to that of its size. */
static VESTA_NOINLINE VestaStatus vesta_blocks_relist(VestaBlocks *blocks, int32_t link) {
    VestaBlock *block = vesta_block_at(blocks, link);
    vesta_lists_remove(&blocks->lists, link);
    vesta_blocks_insert(blocks, link, block, vesta_lists_class(block->size));
    return VESTA_OK;
}

VESTA_INLINE VestaStatus vesta_blocks_resize(VestaBlocks *blocks, int32_t link, uint32_t size) {
    VestaBlock *block = vesta_block_at(blocks, link);
    bool same = vesta_lists_same_class(block->size, size);
    block->size = size;
    return same ? VESTA_OK : vesta_blocks_relist(blocks, link);
}

/* Where an owner's serial numbers start: it differs, so that handles of another one do not fit. */
static inline uint32_t vesta_blocks_first_serial(const void *owner) {
    return (uint32_t)((vesta_os_cycles() ^ (uintptr_t)owner) * 0x9E3779B97F4A7C15u >> 33) | 1;
}

/* Makes `total` units one free block; that, `limit` and `serial` are the owner's to set before. */
VESTA_INLINE void vesta_blocks_reset(VestaBlocks *blocks) {
    blocks->spare = 0;
    blocks->fresh = VESTA_BLOCK_FIRST - VESTA_BLOCK_LINKS;
    blocks->free = blocks->total;
    *vesta_block_at(blocks, VESTA_BLOCK_BORDER) = (VestaBlock){{1, 0}, 0, 0, VESTA_BLOCK_FIRST, VESTA_BLOCK_FIRST};
    *vesta_block_at(blocks, VESTA_BLOCK_FIRST) =
        (VestaBlock){{0, 0}, 0, blocks->total, VESTA_BLOCK_BORDER, VESTA_BLOCK_BORDER};
    vesta_lists_clear(&blocks->lists);
    vesta_lists_start(&blocks->lists, vesta_lists_class(blocks->total), VESTA_BLOCK_FIRST);
}

/* ---- Allocating ---- */

/* The first of up to four blocks of a class that has `size` units, else any of the next class that has one; or 0. */
VESTA_INLINE int32_t vesta_blocks_probe(VestaBlocks *blocks, uint32_t class_index, uint32_t size) {
    int32_t link = blocks->lists.heads[class_index].next;
    for (int i = 0; i < VESTA_BLOCK_TRIES && link != 0; i++) {
        const VestaBlock *block = vesta_block_at(blocks, link);
        if (block->size >= size)
            return link;
        link = block->links.next;
    }
    uint32_t above;
    return vesta_lists_find(&blocks->lists, class_index + 1, &above) ? blocks->lists.heads[above].next : 0;
}

/* A number that no handle has yet. */
VESTA_INLINE uint32_t vesta_blocks_next_serial(const VestaBlocks *blocks) {
    return (blocks->serial + 2) & INT32_MAX;
}

VESTA_INLINE void vesta_blocks_mark_used(VestaBlocks *blocks, VestaBlock *block) {
    blocks->serial = vesta_blocks_next_serial(blocks);
    block->links.next = (int32_t)blocks->serial;
}

/* Makes a free block a used one as it is. */
VESTA_INLINE void vesta_blocks_use(VestaBlocks *blocks, int32_t link) {
    VestaBlock *block = vesta_block_at(blocks, link);
    vesta_lists_remove(&blocks->lists, link);
    vesta_blocks_mark_used(blocks, block);
    blocks->free -= block->size;
}

/* Cuts the front off a free block, into the node `front`, which is yet to be made used or free. The rest stays where it
 * is, mostly even in its list. */
VESTA_INLINE VestaStatus vesta_blocks_cut(VestaBlocks *blocks, int32_t link, int32_t front, uint32_t size) {
    VestaBlock *block = vesta_block_at(blocks, front), *rest = vesta_block_at(blocks, link);
    block->offset = rest->offset;
    block->size = size;
    block->left = rest->left;
    block->right = link;
    vesta_block_at(blocks, rest->left)->right = front;
    rest->left = front;
    rest->offset += size;
    return vesta_blocks_resize(blocks, link, rest->size - size);
}

/* Makes the front of a free block a used one. */
VESTA_INLINE VestaStatus vesta_blocks_use_front(VestaBlocks *blocks, int32_t link, int32_t front, uint32_t size) {
    vesta_blocks_mark_used(blocks, vesta_block_at(blocks, front));
    blocks->free -= size;
    return vesta_blocks_cut(blocks, link, front, size);
}

/* ---- Freeing ---- */

static VESTA_NOINLINE VestaStatus vesta_blocks_free_between(VestaBlocks *blocks, int32_t link) {
    VestaBlock *block = vesta_block_at(blocks, link);
    int32_t left = block->left, right = block->right;
    VestaBlock *before = vesta_block_at(blocks, left), *behind = vesta_block_at(blocks, right);
    vesta_lists_remove(&blocks->lists, right);
    before->right = behind->right;
    vesta_block_at(blocks, behind->right)->left = left;
    vesta_blocks_give_node(blocks, right);
    vesta_blocks_give_node(blocks, link);
    return vesta_blocks_resize(blocks, left, before->size + block->size + behind->size);
}

/* Frees a used block: merged at once with its free neighbours, in the node of one. */
VESTA_INLINE VestaStatus vesta_blocks_free(VestaBlocks *blocks, int32_t link) {
    VestaBlock *block = vesta_block_at(blocks, link);
    int32_t left = block->left, right = block->right;
    VestaBlock *before = vesta_block_at(blocks, left), *behind = vesta_block_at(blocks, right);
    bool behind_is_free = vesta_block_is_free(behind);
    uint32_t size = block->size;
    blocks->free += size;
    if (vesta_block_is_free(before)) {
        if (behind_is_free)
            return vesta_blocks_free_between(blocks, link);
        before->right = right;
        behind->left = left;
        vesta_blocks_give_node(blocks, link);
        return vesta_blocks_resize(blocks, left, before->size + size);
    }
    if (behind_is_free) {
        behind->offset = block->offset;
        behind->left = left;
        before->right = right;
        vesta_blocks_give_node(blocks, link);
        return vesta_blocks_resize(blocks, right, behind->size + size);
    }
    vesta_blocks_insert(blocks, link, block, vesta_lists_class(size));
    return VESTA_OK;
}

#endif
