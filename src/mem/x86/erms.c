/* rep movsb and rep stosb, for CPUs whose microcode moves whole cache lines (ERMS) and starts fast (FSRM). */
#include "x86.h"

#if VESTA_MEM_X86

#include <vesta/mem_inline.h>

enum { CACHE_LINE = 64 };

/* Starts best at a destination that is aligned to a cache line. */
void *vesta_mem_copy_erms(void *dst, const void *src, size_t size) {
    if (size <= VESTA_MEM_INLINE_MAX)
        return vesta_memcpy_inline(dst, src, size);
    size_t head = -(uintptr_t)dst % CACHE_LINE;
    vesta_memcpy_inline(dst, src, head);
    unsigned char *d = (unsigned char *)dst + head;
    const unsigned char *s = (const unsigned char *)src + head;
    size -= head;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(size) : : "memory");
    return dst;
}

/* Not aligned: the microcode looks at the count to choose how it stores, and a power of two must not be made less. */
void *vesta_mem_set_erms(void *dst, int byte, size_t size) {
    if (size <= VESTA_MEM_INLINE_MAX)
        return vesta_memset_inline(dst, byte, size);
    void *d = dst;
    __asm__ volatile("rep stosb" : "+D"(d), "+c"(size) : "a"(byte) : "memory");
    return dst;
}

#endif
