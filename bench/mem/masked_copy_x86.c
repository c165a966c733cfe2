/* Not chosen: a masked move copies any size up to 64 bytes without a branch. */
#include "mem/x86/x86.h"

#if VESTA_MEM_X86

#include <immintrin.h>
#include <stdint.h>

VestaMemCopy copy_masked;

__attribute__((target("avx512f,avx512bw,avx512vl,bmi2"))) void *copy_masked(void *dst, const void *src, size_t size) {
    if (size > 64)
        return vesta_mem_copy_avx512(dst, src, size);
    __mmask64 bytes = _bzhi_u64(~UINT64_C(0), (unsigned)size);
    _mm512_mask_storeu_epi8(dst, bytes, _mm512_maskz_loadu_epi8(bytes, src));
    return dst;
}

#endif
