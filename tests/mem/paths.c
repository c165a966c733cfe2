#include "paths.h"

#include <stdint.h>
#include <stdlib.h>

#include <vesta/mem.h>

#include "mem/generic/generic.h"

#if VESTA_MEM_X86
#include "mem/x86/cpu.h"
#include "mem/x86/thresholds.h"
#include "mem/x86/x86.h"
#elif VESTA_MEM_ARM
#include "mem/arm/neon.h"
#endif

static void *copy_in_place(void *dst, const void *src, size_t size) {
    return vesta_memcpy_inline(dst, src, size);
}

static void *set_in_place(void *dst, int byte, size_t size) {
    return vesta_memset_inline(dst, byte, size);
}

typedef struct List {
    ForcedPath *paths;
    size_t count, capacity;
} List;

static void add(List *list, const char *name, VestaMemCopy *copy, VestaMemSet *set, Large large) {
    if (list->count == list->capacity)
        abort();
    list->paths[list->count++] = (ForcedPath){{name, copy, set}, large};
}

size_t forced_paths(ForcedPath *paths, size_t capacity) {
    List list = {paths, 0, capacity};
    add(&list, "inline", copy_in_place, set_in_place, AS_SELECTED);
    add(&list, "call", vesta_memcpy_noinline, vesta_memset_noinline, AS_SELECTED);
    add(&list, "generic", vesta_mem_copy_generic, vesta_mem_set_generic, AS_SELECTED);
#if VESTA_MEM_X86
    VestaMemCpu cpu = vesta_mem_cpu();
    add(&list, "erms", vesta_mem_copy_erms, vesta_mem_set_erms, AS_SELECTED);
    add(&list, "sse2", vesta_mem_copy_sse2, vesta_mem_set_sse2, NEVER);
    add(&list, "sse2, rep", vesta_mem_copy_sse2, vesta_mem_set_sse2, BY_REP);
    add(&list, "sse2, stream", vesta_mem_copy_sse2, vesta_mem_set_sse2, BY_STREAM);
    if (cpu.avx2) {
        add(&list, "avx2", vesta_mem_copy_avx2, vesta_mem_set_avx2, NEVER);
        add(&list, "avx2, rep", vesta_mem_copy_avx2, vesta_mem_set_avx2, BY_REP);
        add(&list, "avx2, stream", vesta_mem_copy_avx2, vesta_mem_set_avx2, BY_STREAM);
    }
    if (cpu.avx512)
        add(&list, "avx512", vesta_mem_copy_avx512, vesta_mem_set_avx512, NEVER);
#elif VESTA_MEM_ARM
    add(&list, "neon", vesta_mem_copy_neon, vesta_mem_set_neon, AS_SELECTED);
#endif
    return list.count;
}

#if VESTA_MEM_X86

static VestaMemThresholds selected(void) {
    VestaMemCpu cpu = vesta_mem_cpu();
    return vesta_mem_thresholds_for(&cpu);
}

void forced_path_begin(const ForcedPath *path) {
    const size_t from_start = 0, never = SIZE_MAX;
    VestaMemThresholds thresholds = selected();
    switch (path->large) {
    case AS_SELECTED:
        break;
    case NEVER:
        thresholds = (VestaMemThresholds){never, never, never, never};
        break;
    case BY_REP:
        thresholds = (VestaMemThresholds){from_start, never, from_start, never};
        break;
    case BY_STREAM:
        thresholds = (VestaMemThresholds){from_start, from_start, from_start, from_start};
        break;
    }
    vesta_mem_use_thresholds(&thresholds);
}

void forced_path_end(const ForcedPath *path) {
    (void)path;
    VestaMemThresholds thresholds = selected();
    vesta_mem_use_thresholds(&thresholds);
}

size_t forced_path_thresholds(size_t *sizes, size_t capacity) {
    VestaMemThresholds thresholds = selected();
    const size_t all[] = {thresholds.copy_rep, thresholds.copy_stream, thresholds.set_rep, thresholds.set_stream};
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all && count < capacity; i++) {
        if (all[i] <= (size_t)64 << 20)
            sizes[count++] = all[i];
    }
    return count;
}

#else

void forced_path_begin(const ForcedPath *path) {
    (void)path;
}

void forced_path_end(const ForcedPath *path) {
    (void)path;
}

size_t forced_path_thresholds(size_t *sizes, size_t capacity) {
    (void)sizes;
    (void)capacity;
    return 0;
}

#endif
