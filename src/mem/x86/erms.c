/* rep movsb and rep stosb, for CPUs whose microcode moves whole cache lines (ERMS) and starts fast (FSRM). They start
 * best at a destination aligned to a cache line. */
#include "x86.h"

#if VESTA_MEM_X86

#include <vesta/mem_inline.h>

enum { CACHE_LINE = 64 };

static inline size_t to_cache_line(const void *address) {
    return -(uintptr_t)address % CACHE_LINE;
}

void *vesta_mem_copy_erms(void *dst, const void *src, size_t size) {
    if (size <= VESTA_MEM_INLINE_MAX)
        return vesta_memcpy_inline(dst, src, size);
    size_t head = to_cache_line(dst);
    vesta_memcpy_inline(dst, src, head);
    unsigned char *d = (unsigned char *)dst + head;
    const unsigned char *s = (const unsigned char *)src + head;
    size -= head;
    __asm__ volatile("rep movsb" : "+D"(d), "+S"(s), "+c"(size) : : "memory");
    return dst;
}

void *vesta_mem_set_erms(void *dst, int byte, size_t size) {
    if (size <= VESTA_MEM_INLINE_MAX)
        return vesta_memset_inline(dst, byte, size);
    size_t head = to_cache_line(dst);
    vesta_memset_inline(dst, byte, head);
    unsigned char *d = (unsigned char *)dst + head;
    size -= head;
    __asm__ volatile("rep stosb" : "+D"(d), "+c"(size) : "a"(byte) : "memory");
    return dst;
}

#endif
