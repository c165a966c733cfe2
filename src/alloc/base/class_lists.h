/* Doubly linked lists of free blocks, one list per size class, and the bitmap of those that are not empty.
 *
 * A link is a signed distance from the table of heads in units of 8 bytes. Links of 0 and above are the heads
 * themselves, so that the first element of a list has a predecessor like any other and is removed without a branch, and
 * knows its class. Elements lie below the table; as a `next`, 0 is the end. A head counts only while its bit is set:
 * emptying all lists is clearing the bitmap. */
#ifndef VESTA_BASE_CLASS_LISTS_H
#define VESTA_BASE_CLASS_LISTS_H

#include "bitmap.h"
#include "compiler.h"
#include "size_class.h"

#include <stddef.h>

/* A sixteenth per class, for any size of 32 bits. */
#define VESTA_LISTS_BITS 4
#define VESTA_LISTS_CLASSES (VESTA_CLASS_DOWN(UINT32_MAX, VESTA_LISTS_BITS) + 1)

/* What an element begins with. */
typedef struct VestaLinks {
    int32_t next;
    int32_t previous; /* of a head: not used */
} VestaLinks;

typedef struct VestaClassLists {
    VestaLinks heads[VESTA_LISTS_CLASSES]; /* first: links count from here */
    uint64_t top;
    uint64_t words[VESTA_BITMAP_WORDS(VESTA_LISTS_CLASSES + 1)];
} VestaClassLists;

_Static_assert(sizeof(VestaLinks) == 8 && offsetof(VestaClassLists, heads) == 0, "a link counts in units of 8 bytes");

static inline void vesta_lists_clear(VestaClassLists *lists) {
    lists->top = 0;
    for (uint32_t i = 0; i < VESTA_BITMAP_WORDS(VESTA_LISTS_CLASSES + 1); i++)
        lists->words[i] = 0;
}

VESTA_INLINE VestaLinks *vesta_lists_at(VestaClassLists *lists, int32_t link) {
    return (VestaLinks *)lists + link;
}

/* How many bits of a size lie below its mantissa. */
VESTA_INLINE uint32_t vesta_lists_shift(uint32_t size) {
    return (31u ^ (uint32_t)__builtin_clz(size | 1u << VESTA_LISTS_BITS)) - VESTA_LISTS_BITS;
}

VESTA_INLINE uint32_t vesta_lists_class(uint32_t size) {
    uint32_t shift = vesta_lists_shift(size);
    return (shift << VESTA_LISTS_BITS) + (size >> shift);
}

VESTA_INLINE bool vesta_lists_same_class(uint32_t size, uint32_t other) {
    return (size ^ other) >> vesta_lists_shift(size) == 0;
}

VESTA_INLINE bool vesta_lists_is_empty(const VestaClassLists *lists, uint32_t class_index) {
    return (lists->words[class_index / 64] >> class_index % 64 & 1) == 0;
}

/* Finds the first class at or after `class_index` (at most VESTA_LISTS_CLASSES) that has an element. */
VESTA_INLINE bool vesta_lists_find(const VestaClassLists *lists, uint32_t class_index, uint32_t *found) {
    uint32_t word = class_index / 64;
    uint64_t bits = lists->words[word] >> class_index % 64;
    if (bits != 0) {
        *found = class_index + (uint32_t)__builtin_ctzll(bits);
        return true;
    }
    uint64_t later = lists->top & ~1ull << word;
    if (VESTA_UNLIKELY(later == 0))
        return false;
    word = (uint32_t)__builtin_ctzll(later);
    *found = word * 64 + (uint32_t)__builtin_ctzll(lists->words[word]);
    return true;
}

/* Inserts the first element of a list and returns true, or returns false if the list is not empty. */
VESTA_INLINE bool vesta_lists_start(VestaClassLists *lists, uint32_t class_index, int32_t link) {
    uint64_t *word = lists->words + class_index / 64, old = *word, bits = old | 1ull << class_index % 64;
    if (VESTA_UNLIKELY(old == bits))
        return false;
    uint64_t top = lists->top;
    top |= 1ull << class_index / 64;
    *word = bits;
    lists->top = top;
    lists->heads[class_index].next = link;
    *vesta_lists_at(lists, link) = (VestaLinks){0, (int32_t)class_index};
    return true;
}

/* Inserts behind an element or the head of a list that is not empty. */
VESTA_INLINE void vesta_lists_insert_behind(VestaClassLists *lists, int32_t before, int32_t link) {
    int32_t next = vesta_lists_at(lists, before)->next;
    *vesta_lists_at(lists, link) = (VestaLinks){next, before};
    vesta_lists_at(lists, before)->next = link;
    if (next != 0)
        vesta_lists_at(lists, next)->previous = link;
}

VESTA_INLINE void vesta_lists_remove(VestaClassLists *lists, int32_t link) {
    VestaLinks links = *vesta_lists_at(lists, link);
    vesta_lists_at(lists, links.previous)->next = links.next;
    if (links.next != 0)
        vesta_lists_at(lists, links.next)->previous = links.previous;
    else if (links.previous >= 0)
        vesta_bitmap_clear(&lists->top, lists->words, (uint32_t)links.previous);
}

#endif
