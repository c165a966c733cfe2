/* The entry points that cost a call. */
#include <vesta/mem.h>

void *vesta_memcpy_noinline(void *dst, const void *src, size_t size) {
    return vesta_memcpy_inline(dst, src, size);
}

void *vesta_memset_noinline(void *dst, int byte, size_t size) {
    return vesta_memset_inline(dst, byte, size);
}
