/* A list of free blocks of at least 16 bytes, through their own memory.
 *
 * A sealed block holds its link XORed with a key, and behind it what the link and its own address make together: a
 * write to either is noticed, and a block that is freed while it is sealed is free already. Without a key and a seal it
 * is an ordinary list. */
#ifndef VESTA_BASE_FREE_LIST_H
#define VESTA_BASE_FREE_LIST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct VestaFreeBlock {
    uint64_t link;
    uint64_t seal;
} VestaFreeBlock;

/* The block behind a block, if nobody wrote to it. */
static inline VestaFreeBlock *vesta_free_list_next(const VestaFreeBlock *block, uint64_t key) {
    return (VestaFreeBlock *)(uintptr_t)(block->link ^ key);
}

static inline void vesta_free_list_push(VestaFreeBlock **first, VestaFreeBlock *block, uint64_t key) {
    block->link = (uintptr_t)*first ^ key;
    *first = block;
}

static inline bool vesta_free_list_is_sealed(const VestaFreeBlock *block, uint64_t key) {
    return block->seal == (block->link ^ key ^ (uintptr_t)block);
}

/* Seals a block that is pushed next. */
static inline void vesta_free_list_seal(VestaFreeBlock *block, const VestaFreeBlock *next) {
    block->seal = (uintptr_t)next ^ (uintptr_t)block;
}

/* Even if the program writes nothing to the block: no two addresses differ by this. */
static inline void vesta_free_list_unseal(VestaFreeBlock *block) {
    block->seal = UINT64_MAX;
}

#endif
