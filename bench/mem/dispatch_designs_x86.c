/* Not chosen: other ways to get to the path. */
#include <vesta/mem_config.h>

#if VESTA_MEM_X86

#include <stdatomic.h>

#include "mem/x86/cpu.h"
#include "mem/x86/x86.h"

VestaMemCopy copy_by_resolver, copy_by_branches;
VestaMemSet set_by_resolver, set_by_branches;

/* A pointer that starts at the function that sets it needs no test, but a relocation. */
static VestaMemCopy resolve_copy;
static VestaMemSet resolve_set;
static VestaMemCopy *_Atomic resolved_copy = resolve_copy;
static VestaMemSet *_Atomic resolved_set = resolve_set;

static void *resolve_copy(void *dst, const void *src, size_t size) {
    VestaMemCopy *copy = vesta_mem_select_copy();
    atomic_store_explicit(&resolved_copy, copy, memory_order_relaxed);
    return copy(dst, src, size);
}

static void *resolve_set(void *dst, int byte, size_t size) {
    VestaMemSet *set = vesta_mem_select_set();
    atomic_store_explicit(&resolved_set, set, memory_order_relaxed);
    return set(dst, byte, size);
}

void *copy_by_resolver(void *dst, const void *src, size_t size) {
    return atomic_load_explicit(&resolved_copy, memory_order_relaxed)(dst, src, size);
}

void *set_by_resolver(void *dst, int byte, size_t size) {
    return atomic_load_explicit(&resolved_set, memory_order_relaxed)(dst, byte, size);
}

/* A number and direct branches, which predict better where indirect ones are slowed down. */
enum { UNKNOWN, SSE2, AVX2, AVX512 };
static _Atomic int level;

__attribute__((cold, noinline)) static int find_level(void) {
    VestaMemCpu cpu = vesta_mem_cpu();
    int found = cpu.avx512 ? AVX512 : cpu.avx2 ? AVX2 : SSE2;
    atomic_store_explicit(&level, found, memory_order_relaxed);
    return found;
}

static inline int current_level(void) {
    int now = atomic_load_explicit(&level, memory_order_relaxed);
    return __builtin_expect(now == UNKNOWN, 0) ? find_level() : now;
}

void *copy_by_branches(void *dst, const void *src, size_t size) {
    int now = current_level();
    if (now == AVX512)
        return vesta_mem_copy_avx512(dst, src, size);
    return now == AVX2 ? vesta_mem_copy_avx2(dst, src, size) : vesta_mem_copy_sse2(dst, src, size);
}

void *set_by_branches(void *dst, int byte, size_t size) {
    int now = current_level();
    if (now == AVX512)
        return vesta_mem_set_avx512(dst, byte, size);
    return now == AVX2 ? vesta_mem_set_avx2(dst, byte, size) : vesta_mem_set_sse2(dst, byte, size);
}

#endif
