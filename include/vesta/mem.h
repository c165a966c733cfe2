/* Memory primitives of our own: nothing is asked of the C library. Each operation has three forms; the difference is
 * whether a call happens:
 *
 *   vesta_memcpy            in place if the compiler knows the size and it is small, else one call
 *   vesta_memcpy_inline     never calls anybody; stays on the base instruction set
 *   vesta_memcpy_noinline   one call and nothing else
 *
 * A call takes the best path of this CPU. They behave as memcpy and memset: the blocks of a copy do not overlap (being
 * the same is fine), the result is `dst`, and with a size of 0 the pointers are not followed. Safe; usable from the
 * first instruction of a process on, before relocations are done and main is reached. */
#ifndef VESTA_MEM_H
#define VESTA_MEM_H

#include <stddef.h>

#include "api.h"
#include "mem_config.h"
#include "mem_inline.h"

VESTA_BEGIN_DECLS

VESTA_API void *vesta_memcpy_noinline(void *dst, const void *src, size_t size);
VESTA_API void *vesta_memset_noinline(void *dst, int byte, size_t size);

VESTA_MEM_INLINE void *vesta_memcpy(void *dst, const void *src, size_t size) {
    if (__builtin_constant_p(size) && size <= VESTA_MEM_INLINE_MAX)
        return vesta_memcpy_inline(dst, src, size);
    return vesta_memcpy_noinline(dst, src, size);
}

VESTA_MEM_INLINE void *vesta_memset(void *dst, int byte, size_t size) {
    if (__builtin_constant_p(size) && size <= VESTA_MEM_INLINE_MAX)
        return vesta_memset_inline(dst, byte, size);
    return vesta_memset_noinline(dst, byte, size);
}

VESTA_END_DECLS

#endif
