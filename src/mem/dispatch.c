/* The entry points that cost a call. The first call selects the path. Until then the pointer is null, not the address
 * of a resolver: that would need a relocation, which a static position-independent program without a C library does not
 * apply. */
#include <stdatomic.h>

#include <vesta/mem.h>

#include "path.h"

#define COLD __attribute__((cold, noinline))

static VestaMemCopy *_Atomic selected_copy;
static VestaMemSet *_Atomic selected_set;

COLD static void *first_copy(void *dst, const void *src, size_t size) {
    VestaMemCopy *copy = vesta_mem_select_copy();
    atomic_store_explicit(&selected_copy, copy, memory_order_relaxed);
    return copy(dst, src, size);
}

COLD static void *first_set(void *dst, int byte, size_t size) {
    VestaMemSet *set = vesta_mem_select_set();
    atomic_store_explicit(&selected_set, set, memory_order_relaxed);
    return set(dst, byte, size);
}

void *vesta_memcpy_noinline(void *dst, const void *src, size_t size) {
    /* No path is better here. Small fills are not done without dispatch: AVX-512 is. */
    if (size <= VESTA_MEM_INLINE_MAX)
        return vesta_memcpy_inline(dst, src, size);
    VestaMemCopy *copy = atomic_load_explicit(&selected_copy, memory_order_relaxed);
    if (__builtin_expect(copy == NULL, 0))
        return first_copy(dst, src, size);
    return copy(dst, src, size);
}

void *vesta_memset_noinline(void *dst, int byte, size_t size) {
    VestaMemSet *set = atomic_load_explicit(&selected_set, memory_order_relaxed);
    if (__builtin_expect(set == NULL, 0))
        return first_set(dst, byte, size);
    return set(dst, byte, size);
}
