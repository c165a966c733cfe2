#include "tlsf.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    SECOND_BITS = 5,
    SECONDS = 1 << SECOND_BITS,
    SHIFT = SECOND_BITS + 3,
    FIRSTS = 32 - SHIFT + 1,
    SMALL = 1 << SHIFT
};

enum { FREE = 1, PREVIOUS_FREE = 2, FLAGS = 3 };

/* `before` lies in the end of the block before, and counts only while that is free; the links lie in the payload. */
typedef struct Block {
    struct Block *before;
    size_t size; /* with flags in the low bits */
    struct Block *next, *previous;
} Block;

enum { OVERHEAD = sizeof(size_t), PAYLOAD = offsetof(Block, next), SIZE_MIN = sizeof(Block) - sizeof(Block *) };

struct Tlsf {
    Block none;
    uint32_t first_bits, second_bits[FIRSTS];
    Block *heads[FIRSTS][SECONDS];
};

static size_t size_of(const Block *block) {
    return block->size & ~(size_t)FLAGS;
}

static Block *behind(const Block *block) {
    return (Block *)(uintptr_t)((const char *)block + PAYLOAD + size_of(block) - OVERHEAD);
}

static void map(size_t size, uint32_t *first, uint32_t *second) {
    if (size < SMALL) {
        *first = 0;
        *second = (uint32_t)size / (SMALL / SECONDS);
    } else {
        uint32_t high = 63 - (uint32_t)__builtin_clzll(size);
        *second = (uint32_t)(size >> (high - SECOND_BITS)) ^ SECONDS;
        *first = high - (SHIFT - 1);
    }
}

static void remove_block(Tlsf *tlsf, Block *block) {
    uint32_t first, second;
    map(size_of(block), &first, &second);
    block->next->previous = block->previous;
    block->previous->next = block->next;
    if (tlsf->heads[first][second] != block)
        return;
    tlsf->heads[first][second] = block->next;
    if (block->next != &tlsf->none)
        return;
    tlsf->second_bits[first] &= ~(1u << second);
    if (tlsf->second_bits[first] == 0)
        tlsf->first_bits &= ~(1u << first);
}

static void insert_block(Tlsf *tlsf, Block *block) {
    uint32_t first, second;
    map(size_of(block), &first, &second);
    block->next = tlsf->heads[first][second];
    block->previous = &tlsf->none;
    block->next->previous = block;
    tlsf->heads[first][second] = block;
    tlsf->first_bits |= 1u << first;
    tlsf->second_bits[first] |= 1u << second;
}

static void mark_free(Block *block) {
    Block *next = behind(block);
    next->before = block;
    next->size |= PREVIOUS_FREE;
    block->size |= FREE;
}

Tlsf *tlsf_create(void *memory, size_t size) {
    Tlsf *tlsf = memory;
    tlsf->none.next = tlsf->none.previous = &tlsf->none;
    tlsf->first_bits = 0;
    for (int i = 0; i < FIRSTS; i++) {
        tlsf->second_bits[i] = 0;
        for (int j = 0; j < SECONDS; j++)
            tlsf->heads[i][j] = &tlsf->none;
    }
    Block *block = (Block *)(void *)((char *)memory + sizeof *tlsf - OVERHEAD);
    block->size = (size - sizeof *tlsf - 4 * OVERHEAD) & ~(size_t)7;
    Block *end = behind(block);
    end->size = 0;
    mark_free(block);
    insert_block(tlsf, block);
    return tlsf;
}

static Block *find(Tlsf *tlsf, size_t size) {
    uint32_t first, second;
    if (size >= SMALL)
        size += ((size_t)1 << (63 - (uint32_t)__builtin_clzll(size) - SECOND_BITS)) - 1;
    map(size, &first, &second);
    uint32_t bits = tlsf->second_bits[first] & ~0u << second;
    if (bits == 0) {
        uint32_t later = tlsf->first_bits & (uint32_t)(~0ull << (first + 1));
        if (later == 0)
            return NULL;
        first = (uint32_t)__builtin_ctz(later);
        bits = tlsf->second_bits[first];
    }
    return tlsf->heads[first][__builtin_ctz(bits)];
}

void *tlsf_alloc(Tlsf *tlsf, size_t size) {
    size = (size + 7) & ~(size_t)7;
    size = size < SIZE_MIN ? SIZE_MIN : size;
    Block *block = find(tlsf, size);
    if (block == NULL)
        return NULL;
    remove_block(tlsf, block);
    if (size_of(block) >= size + sizeof(Block)) {
        size_t rest = size_of(block) - size - OVERHEAD;
        block->size = size | (block->size & FLAGS);
        Block *remainder = behind(block);
        remainder->size = rest;
        mark_free(remainder);
        insert_block(tlsf, remainder);
    } else {
        behind(block)->size &= ~(size_t)PREVIOUS_FREE;
    }
    block->size &= ~(size_t)FREE;
    return (char *)block + PAYLOAD;
}

void tlsf_free(Tlsf *tlsf, void *address) {
    Block *block = (Block *)(void *)((char *)address - PAYLOAD);
    mark_free(block);
    if ((block->size & PREVIOUS_FREE) != 0) {
        Block *before = block->before;
        remove_block(tlsf, before);
        before->size += size_of(block) + OVERHEAD;
        behind(before)->before = before;
        block = before;
    }
    Block *next = behind(block);
    if ((next->size & FREE) != 0) {
        remove_block(tlsf, next);
        block->size += size_of(next) + OVERHEAD;
        behind(block)->before = block;
    }
    insert_block(tlsf, block);
}
