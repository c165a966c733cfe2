/* A two-level bitmap over up to 4,096 classes: one word says which words are not empty, so "the first set bit at or
 * after i" takes two bit scans. */
#ifndef VESTA_BASE_BITMAP_H
#define VESTA_BASE_BITMAP_H

#include <stdbool.h>
#include <stdint.h>

#define VESTA_BITMAP_WORDS(bits) (((bits) + 63) / 64)
#define VESTA_BITMAP_NONE UINT32_MAX

static inline void vesta_bitmap_set(uint64_t *top, uint64_t *words, uint32_t index) {
    words[index / 64] |= 1ull << (index % 64);
    *top |= 1ull << (index / 64);
}

static inline void vesta_bitmap_clear(uint64_t *top, uint64_t *words, uint32_t index) {
    words[index / 64] &= ~(1ull << (index % 64));
    if (words[index / 64] == 0)
        *top &= ~(1ull << (index / 64));
}

/* The first set index that is equal to `index` or after it, or VESTA_BITMAP_NONE. `index` lies within the words. */
static inline uint32_t vesta_bitmap_find(uint64_t top, const uint64_t *words, uint32_t index) {
    uint32_t word = index / 64;
    uint64_t bits = words[word] & ~0ull << (index % 64);
    if (bits == 0) {
        /* Shifting twice keeps the count below 64 when `word` is the last. */
        uint64_t later = top & (~0ull << word) << 1;
        if (later == 0)
            return VESTA_BITMAP_NONE;
        word = (uint32_t)__builtin_ctzll(later);
        bits = words[word];
    }
    return word * 64 + (uint32_t)__builtin_ctzll(bits);
}

#endif
