/* Small sizes: no call and, up to VESTA_MEM_INLINE_MAX, no loop. Each step of the ladder moves a fixed number of words
 * from both ends, which overlap in the middle; all loads come before the first store. Only the base instruction set is
 * used: a function compiled for a wider one cannot be inlined into its caller.
 *
 * The ladder has few steps because a mispredicted one costs more than the moves it saves, but 8 bytes are never split:
 * programs read back whole words, which a store buffer cannot put together from halves. */
#ifndef VESTA_MEM_INLINE_H
#define VESTA_MEM_INLINE_H

#include <stddef.h>
#include <stdint.h>

#include "mem_config.h"

#define VESTA_MEM_INLINE static inline __attribute__((always_inline, unused))

typedef uint32_t VestaMem4 __attribute__((may_alias, aligned(1)));
typedef uint64_t VestaMem8 __attribute__((may_alias, aligned(1)));
typedef uint64_t VestaMem16 __attribute__((vector_size(16), may_alias, aligned(1)));

/* Hides where the pointer comes from, or the compiler recognises the loop and calls memcpy or memset for it. */
#define VESTA_MEM_OPAQUE(pointer) __asm__("" : "+r"(pointer))

/* Moves 16 bytes at offset 0 and at each of the three offsets. */
VESTA_MEM_INLINE void vesta_mem_move4(unsigned char *d, const unsigned char *s, size_t second, size_t third,
                                      size_t fourth) {
    VestaMem16 a = *(const VestaMem16 *)s, b = *(const VestaMem16 *)(s + second);
    VestaMem16 c = *(const VestaMem16 *)(s + third), e = *(const VestaMem16 *)(s + fourth);
    *(VestaMem16 *)d = a;
    *(VestaMem16 *)(d + second) = b;
    *(VestaMem16 *)(d + third) = c;
    *(VestaMem16 *)(d + fourth) = e;
}

VESTA_MEM_INLINE void vesta_mem_fill4(unsigned char *d, VestaMem16 fill, size_t second, size_t third, size_t fourth) {
    *(VestaMem16 *)d = fill;
    *(VestaMem16 *)(d + second) = fill;
    *(VestaMem16 *)(d + third) = fill;
    *(VestaMem16 *)(d + fourth) = fill;
}

VESTA_MEM_INLINE void *vesta_memcpy_inline(void *dst, const void *src, size_t size) {
    unsigned char *d = (unsigned char *)dst;
    const unsigned char *s = (const unsigned char *)src;
    if (size > 16) {
        if (__builtin_expect(size > 64, 0)) {
            unsigned char *last = d + size - 64;
            const unsigned char *last_src = s + size - 64;
            do {
                vesta_mem_move4(d, s, 16, 32, 48);
                d += 64;
                s += 64;
                VESTA_MEM_OPAQUE(d);
            } while (d < last);
            d = last;
            s = last_src;
            size = 64;
        }
        size_t inner = size / 32 * 16;
        vesta_mem_move4(d, s, inner, size - 16 - inner, size - 16);
    } else if (size >= 8) {
        VestaMem8 head = *(const VestaMem8 *)s, tail = *(const VestaMem8 *)(s + size - 8);
        *(VestaMem8 *)d = head;
        *(VestaMem8 *)(d + size - 8) = tail;
    } else if (size >= 4) {
        VestaMem4 head = *(const VestaMem4 *)s, tail = *(const VestaMem4 *)(s + size - 4);
        *(VestaMem4 *)d = head;
        *(VestaMem4 *)(d + size - 4) = tail;
    } else if (size != 0) {
        unsigned char head = s[0], middle = s[size / 2], tail = s[size - 1];
        d[0] = head;
        d[size / 2] = middle;
        d[size - 1] = tail;
    }
    return dst;
}

VESTA_MEM_INLINE void *vesta_memset_inline(void *dst, int byte, size_t size) {
    unsigned char *d = (unsigned char *)dst;
    uint64_t word = (unsigned char)byte * UINT64_C(0x0101010101010101);
    if (size > 16) {
        VestaMem16 fill = {word, word};
        if (__builtin_expect(size > 64, 0)) {
            unsigned char *last = d + size - 64;
            do {
                vesta_mem_fill4(d, fill, 16, 32, 48);
                d += 64;
                VESTA_MEM_OPAQUE(d);
            } while (d < last);
            d = last;
            size = 64;
        }
        size_t inner = size / 32 * 16;
        vesta_mem_fill4(d, fill, inner, size - 16 - inner, size - 16);
    } else if (size >= 8) {
        *(VestaMem8 *)d = word;
        *(VestaMem8 *)(d + size - 8) = word;
    } else if (size >= 4) {
        *(VestaMem4 *)d = (uint32_t)word;
        *(VestaMem4 *)(d + size - 4) = (uint32_t)word;
    } else if (size != 0) {
        d[0] = (unsigned char)byte;
        d[size / 2] = (unsigned char)byte;
        d[size - 1] = (unsigned char)byte;
    }
    return dst;
}

#endif
