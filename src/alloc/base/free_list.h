/* A list of free blocks of at least 16 bytes inside one page, through their own memory.
 *
 * The page is aligned to its size, 2^shift bytes. A list ends in an odd address of the page, so that every link leads
 * into it. Hardened, a free block holds its link XORed with a key whose top bit is set, and behind it a mark, its own
 * address XORed with the key: what a program writes there hardly ever reads as a link, and a block that is freed while
 * it bears the mark is free already. */
#ifndef VESTA_BASE_FREE_LIST_H
#define VESTA_BASE_FREE_LIST_H

#include <stdbool.h>
#include <stdint.h>

typedef struct VestaFreeBlock {
    uint64_t link;
    uint64_t mark;
} VestaFreeBlock;

static inline VestaFreeBlock *vesta_free_block(char *block) {
    return (VestaFreeBlock *)(void *)block;
}

/* The end of a list in a page; as the first of a list: it is empty. */
static inline char *vesta_free_list_end(char *page) {
    return page + 1;
}

static inline bool vesta_free_list_is_end(const char *block) {
    return ((uintptr_t)block & 1) != 0;
}

static inline uint64_t vesta_free_list_link(char *block, uint64_t key) {
    return vesta_free_block(block)->link ^ key;
}

/* Whether a decoded link leads into the page that `block` lies in. */
static inline bool vesta_free_list_is_link(uint64_t link, const char *block, uint32_t shift) {
    return (link ^ (uintptr_t)block) >> shift == 0;
}

static inline void vesta_free_list_push(char **first, char *block, uint64_t key) {
    vesta_free_block(block)->link = (uintptr_t)*first ^ key;
    *first = block;
}

static inline bool vesta_free_list_has_mark(char *block, uint64_t key) {
    return vesta_free_block(block)->mark == ((uintptr_t)block ^ key);
}

static inline void vesta_free_list_set_mark(char *block, uint64_t key) {
    vesta_free_block(block)->mark = (uintptr_t)block ^ key;
}

static inline void vesta_free_list_clear_mark(char *block) {
    vesta_free_block(block)->mark = 0;
}

#endif
