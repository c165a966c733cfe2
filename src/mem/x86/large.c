#include "x86.h"

#if VESTA_MEM_X86

#include "large.h"

void *vesta_mem_copy_large(void *dst, const void *src, size_t size) {
    if (size >= atomic_load_explicit(&vesta_mem_thresholds.copy_stream, memory_order_relaxed))
        return vesta_mem_copy_stream(dst, src, size);
    return vesta_mem_copy_erms(dst, src, size);
}

void *vesta_mem_set_large(void *dst, int byte, size_t size) {
    if (size >= atomic_load_explicit(&vesta_mem_thresholds.set_stream, memory_order_relaxed))
        return vesta_mem_set_stream(dst, byte, size);
    return vesta_mem_set_erms(dst, byte, size);
}

#endif
