/* AVX-512 where it wins: one masked move does any size up to 64 with no branch on the size, so random small sizes
 * mispredict nothing. Above, 64-byte vectors gain nothing over 32-byte ones (docs/mem.md). */
#include "x86.h"

#if VESTA_MEM_X86

#include <vesta/mem_inline.h>

#include <immintrin.h>
#include <stdint.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi2")))

/* Whether the 64 bytes from there reach into another page. If that one is not mapped, a masked move is right but takes
 * some hundred cycles. */
static inline uintptr_t crosses_page(const void *address) {
    return ((uintptr_t)address ^ ((uintptr_t)address + 63)) & VESTA_MEM_STORE_PAGE;
}

AVX512 void *vesta_mem_copy_avx512(void *dst, const void *src, size_t size) {
    if (size > 64)
        return vesta_mem_copy_avx2(dst, src, size);
    if (__builtin_expect((crosses_page(dst) | crosses_page(src)) != 0, 0))
        return vesta_memcpy_inline(dst, src, size);
    __mmask64 bytes = _bzhi_u64(~UINT64_C(0), (unsigned)size);
    _mm512_mask_storeu_epi8(dst, bytes, _mm512_maskz_loadu_epi8(bytes, src));
    return dst;
}

AVX512 void *vesta_mem_set_avx512(void *dst, int byte, size_t size) {
    if (size > 64)
        return vesta_mem_set_avx2(dst, byte, size);
    if (__builtin_expect(crosses_page(dst) != 0, 0))
        return vesta_memset_inline(dst, byte, size);
    _mm512_mask_storeu_epi8(dst, _bzhi_u64(~UINT64_C(0), (unsigned)size), _mm512_set1_epi8((char)byte));
    return dst;
}

#endif
