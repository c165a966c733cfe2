/* Non-temporal stores of whole cache lines: they go to memory without reading the line first, and past the cache. The
 * width of the vectors does not matter here, so that of SSE2 serves all. */
#include "x86.h"

#if VESTA_MEM_X86

#include <vesta/mem_inline.h>

#include <emmintrin.h>

enum { CACHE_LINE = 64 };

void *vesta_mem_copy_stream(void *dst, const void *src, size_t size) {
    size_t head = -(uintptr_t)dst % CACHE_LINE;
    vesta_memcpy_inline(dst, src, head);
    unsigned char *d = (unsigned char *)dst + head;
    const unsigned char *s = (const unsigned char *)src + head;
    for (size -= head; size >= CACHE_LINE; size -= CACHE_LINE) {
        __m128i v0 = _mm_loadu_si128((const __m128i *)s), v1 = _mm_loadu_si128((const __m128i *)(s + 16));
        __m128i v2 = _mm_loadu_si128((const __m128i *)(s + 32)), v3 = _mm_loadu_si128((const __m128i *)(s + 48));
        _mm_stream_si128((__m128i *)d, v0);
        _mm_stream_si128((__m128i *)(d + 16), v1);
        _mm_stream_si128((__m128i *)(d + 32), v2);
        _mm_stream_si128((__m128i *)(d + 48), v3);
        d += CACHE_LINE;
        s += CACHE_LINE;
    }
    /* They are weakly ordered; a copy that is published to another thread must not be. */
    _mm_sfence();
    vesta_memcpy_inline(d, s, size);
    return dst;
}

void *vesta_mem_set_stream(void *dst, int byte, size_t size) {
    size_t head = -(uintptr_t)dst % CACHE_LINE;
    vesta_memset_inline(dst, byte, head);
    unsigned char *d = (unsigned char *)dst + head;
    __m128i fill = _mm_set1_epi8((char)byte);
    for (size -= head; size >= CACHE_LINE; size -= CACHE_LINE) {
        _mm_stream_si128((__m128i *)d, fill);
        _mm_stream_si128((__m128i *)(d + 16), fill);
        _mm_stream_si128((__m128i *)(d + 32), fill);
        _mm_stream_si128((__m128i *)(d + 48), fill);
        d += CACHE_LINE;
    }
    _mm_sfence();
    vesta_memset_inline(d, byte, size);
    return dst;
}

#endif
