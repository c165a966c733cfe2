/* Small sizes: no call and, up to VESTA_MEM_INLINE_MAX, no loop. Each step of the ladder moves a fixed number of words
 * from both ends, which overlap in the middle; all loads come before the first store. Only the base instruction set is
 * used: a function compiled for a wider one cannot be inlined into the caller. */
#ifndef VESTA_MEM_INLINE_H
#define VESTA_MEM_INLINE_H

#include <stddef.h>
#include <stdint.h>

#include "mem_config.h"

#define VESTA_MEM_INLINE static inline __attribute__((always_inline))

typedef uint16_t VestaMem2 __attribute__((may_alias, aligned(1)));
typedef uint32_t VestaMem4 __attribute__((may_alias, aligned(1)));
typedef uint64_t VestaMem8 __attribute__((may_alias, aligned(1)));
#if VESTA_MEM_HAS_VECTOR16
typedef uint64_t VestaMem16 __attribute__((vector_size(16), may_alias, aligned(1)));
#else
typedef struct VestaMem16 {
    VestaMem8 low, high;
} VestaMem16;
#endif

/* Hides where the pointer comes from, so that the compiler does not recognise the loop and call memcpy for it. */
#define VESTA_MEM_OPAQUE(pointer) __asm__("" : "+r"(pointer))

VESTA_MEM_INLINE void *vesta_memcpy_inline(void *dst, const void *src, size_t size) {
    unsigned char *d = (unsigned char *)dst;
    const unsigned char *s = (const unsigned char *)src;
    if (size <= 16) {
        if (size >= 8) {
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
    while (size > 64) {
        VestaMem16 a = *(const VestaMem16 *)s, b = *(const VestaMem16 *)(s + 16);
        VestaMem16 c = *(const VestaMem16 *)(s + 32), e = *(const VestaMem16 *)(s + 48);
        *(VestaMem16 *)d = a;
        *(VestaMem16 *)(d + 16) = b;
        *(VestaMem16 *)(d + 32) = c;
        *(VestaMem16 *)(d + 48) = e;
        d += 64;
        s += 64;
        size -= 64;
        VESTA_MEM_OPAQUE(d);
    }
    if (size > 32) {
        VestaMem16 a = *(const VestaMem16 *)s, b = *(const VestaMem16 *)(s + 16);
        VestaMem16 c = *(const VestaMem16 *)(s + size - 32), e = *(const VestaMem16 *)(s + size - 16);
        *(VestaMem16 *)d = a;
        *(VestaMem16 *)(d + 16) = b;
        *(VestaMem16 *)(d + size - 32) = c;
        *(VestaMem16 *)(d + size - 16) = e;
    } else if (size >= 16) {
        VestaMem16 head = *(const VestaMem16 *)s, tail = *(const VestaMem16 *)(s + size - 16);
        *(VestaMem16 *)d = head;
        *(VestaMem16 *)(d + size - 16) = tail;
    } else {
        /* The loop left 1 to 15 bytes of more than 64: step back into what is already copied. */
        *(VestaMem16 *)(d + size - 16) = *(const VestaMem16 *)(s + size - 16);
    }
    return dst;
}

VESTA_MEM_INLINE void *vesta_memset_inline(void *dst, int byte, size_t size) {
    unsigned char *d = (unsigned char *)dst;
    uint64_t word = (unsigned char)byte * UINT64_C(0x0101010101010101);
    if (size <= 16) {
        if (size >= 8) {
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
    VestaMem16 fill = {word, word};
    while (size > 64) {
        *(VestaMem16 *)d = fill;
        *(VestaMem16 *)(d + 16) = fill;
        *(VestaMem16 *)(d + 32) = fill;
        *(VestaMem16 *)(d + 48) = fill;
        d += 64;
        size -= 64;
        VESTA_MEM_OPAQUE(d);
    }
    if (size > 32) {
        *(VestaMem16 *)d = fill;
        *(VestaMem16 *)(d + 16) = fill;
        *(VestaMem16 *)(d + size - 32) = fill;
    } else if (size > 16) {
        *(VestaMem16 *)d = fill;
    }
    /* The loop may have left less than 16 bytes of more than 64: this steps back into what is already filled. */
    *(VestaMem16 *)(d + size - 16) = fill;
    return dst;
}

#endif
