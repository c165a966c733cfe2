/* AVX-512 where it wins. Vectors of 64 bytes need fewer steps up to 512; in the loop they would only cross more cache
 * lines. One masked store fills any size up to 64 with no branch on the size. A masked copy would be as quick, but its
 * bytes cannot be read back from the store buffer, and it touches lines that it need not. */
#include "x86.h"

#if VESTA_MEM_X86

#include "large.h"

#include <vesta/mem_inline.h>

#include <immintrin.h>
#include <stdint.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,bmi2")))

/* Whether the 64 bytes from there reach into another page. If that one is not mapped, a masked store is right but takes
 * some hundred cycles. */
static inline uintptr_t crosses_page(const void *address) {
    return ((uintptr_t)address ^ ((uintptr_t)address + 63)) & VESTA_MEM_STORE_PAGE;
}

AVX512 static inline void *masked_set(void *dst, int byte, size_t size) {
    if (__builtin_expect(crosses_page(dst) != 0, 0))
        return vesta_memset_inline(dst, byte, size);
    _mm512_mask_storeu_epi8(dst, _bzhi_u64(~UINT64_C(0), (unsigned)size), _mm512_set1_epi8((char)byte));
    return dst;
}

#define VESTA_MEM_TARGET AVX512
#define VESTA_MEM_WIDTH 64
#define VESTA_MEM_LOOP_WIDTH 32
#define VESTA_MEM_COPY vesta_mem_copy_avx512
#define VESTA_MEM_SET vesta_mem_set_avx512
#define VESTA_MEM_SMALL_COPY vesta_memcpy_inline
#define VESTA_MEM_SMALL_SET masked_set
#include "../vector_path.h"

#endif
