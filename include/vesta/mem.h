/* Memory primitives of our own: nothing is asked of the C library. Each operation has three forms; the difference is
 * whether a call happens:
 *
 *   vesta_memcpy            small sizes in place, larger ones by a call that picks the best path of this CPU
 *   vesta_memcpy_inline     never calls anybody; stays on the base instruction set
 *   vesta_memcpy_noinline   one call and nothing else; for places where code size counts
 *
 * They behave as memcpy and memset: the blocks of a copy do not overlap (being the same is fine), the result is `dst`,
 * and with a size of 0 the pointers are not touched. Safe; usable before main and before any relocation. */
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
    return size <= VESTA_MEM_INLINE_MAX ? vesta_memcpy_inline(dst, src, size) : vesta_memcpy_noinline(dst, src, size);
}

VESTA_MEM_INLINE void *vesta_memset(void *dst, int byte, size_t size) {
    return size <= VESTA_MEM_INLINE_MAX ? vesta_memset_inline(dst, byte, size) : vesta_memset_noinline(dst, byte, size);
}

VESTA_END_DECLS

#endif
