/* The last eight bytes of a block's place, and the bytes between what was asked for and them.
 *
 * A canary is a function of the block's address and a secret. Its upper 16 bits also carry how many bytes lie between
 * what was asked for and the canary, which all hold its lowest byte: one byte too far is noticed. That byte is never
 * zero, for the terminator of a string is what is written one too far most often. */
#ifndef VESTA_HARDENED_CANARY_H
#define VESTA_HARDENED_CANARY_H

#include "random.h"
#include "switches.h"
#include "vesta/mem_inline.h"

#include <stdbool.h>
#include <stddef.h>

enum { VESTA_CANARY_BYTES = VESTA_ALLOC_HARDEN_CANARY ? 8 : 0 };

static const size_t vesta_canary_broken = SIZE_MAX;

static inline uint64_t vesta_canary(const void *block, uint64_t secret) {
    return vesta_mix((uintptr_t)block ^ secret, UINT64_C(0x8ebc6af09c88c6e3)) | 1;
}

static inline uint64_t vesta_canary_gap_word(uint64_t canary) {
    return (uint8_t)canary * UINT64_C(0x0101010101010101);
}

static inline void vesta_canary_write(void *block, size_t block_size, size_t size, uint64_t secret) {
    if (!VESTA_ALLOC_HARDEN_CANARY)
        return;
    size_t room = block_size - VESTA_CANARY_BYTES;
    uint64_t canary = vesta_canary(block, secret);
    size_t gap = room - size;
    char *end = (char *)block + room;
    *(VestaMem8 *)end = canary ^ (uint64_t)gap << 48;
    /* A block's place is a multiple of eight bytes: the last word before the gap's may be read and written whole. */
    uint64_t word = vesta_canary_gap_word(canary);
    for (; gap >= 8; gap -= 8)
        *(VestaMem8 *)(end -= 8) = word;
    if (gap != 0) {
        uint64_t mask = ~0ull << (64 - 8 * gap);
        *(VestaMem8 *)(end - 8) = (*(VestaMem8 *)(end - 8) & ~mask) | (word & mask);
    }
}

/* What was asked for, or vesta_canary_broken. Looks at the canary alone. Without canaries: what may be used. */
static inline size_t vesta_canary_size(const void *block, size_t block_size, uint64_t secret) {
    if (!VESTA_ALLOC_HARDEN_CANARY)
        return block_size;
    size_t room = block_size - VESTA_CANARY_BYTES;
    uint64_t difference = *(const VestaMem8 *)((const char *)block + room) ^ vesta_canary(block, secret);
    return difference << 16 == 0 && difference >> 48 <= room ? room - (size_t)(difference >> 48) : vesta_canary_broken;
}

/* The same, after a look at the bytes before it. */
static inline size_t vesta_canary_check(const void *block, size_t block_size, uint64_t secret) {
    size_t size = vesta_canary_size(block, block_size, secret);
    if (size == vesta_canary_broken || !VESTA_ALLOC_HARDEN_CANARY)
        return size;
    const char *end = (const char *)block + block_size - VESTA_CANARY_BYTES;
    uint64_t word = vesta_canary_gap_word(vesta_canary(block, secret)), difference = 0;
    size_t gap = block_size - VESTA_CANARY_BYTES - size;
    for (; gap >= 8; gap -= 8)
        difference |= *(const VestaMem8 *)(end -= 8) ^ word;
    if (gap != 0)
        difference |= (*(const VestaMem8 *)(end - 8) ^ word) >> (64 - 8 * gap);
    return difference == 0 ? size : vesta_canary_broken;
}

#endif
