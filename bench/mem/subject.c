#define _GNU_SOURCE
#include "subject.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <vesta/mem.h>

#if VESTA_MEM_X86
#include "mem/x86/cpu.h"
#include "mem/x86/x86.h"
#elif VESTA_MEM_ARM
#include "mem/arm/neon.h"
#endif

static void *(*libc_copy)(void *, const void *, size_t);
static void *(*libc_set)(void *, int, size_t);

int find_libc(void) {
    *(void **)&libc_copy = dlsym(RTLD_DEFAULT, "memcpy");
    *(void **)&libc_set = dlsym(RTLD_DEFAULT, "memset");
    if (libc_copy != NULL && libc_set != NULL)
        return 0;
    fputs("memcpy and memset of the C library were not found\n", stderr);
    return -1;
}

BENCH_SUBJECT(libc, "libc", libc_copy, libc_set)
BENCH_SUBJECT(libc_again, "libc again", libc_copy, libc_set)
BENCH_SUBJECT(call, "call", vesta_memcpy, vesta_memset)
BENCH_SUBJECT(in_place, "inline", vesta_memcpy_inline, vesta_memset_inline)

#if VESTA_MEM_X86

BENCH_SUBJECT(sse2, "sse2", vesta_mem_copy_sse2, vesta_mem_set_sse2)
BENCH_SUBJECT(avx2, "avx2", vesta_mem_copy_avx2, vesta_mem_set_avx2)
BENCH_SUBJECT(avx512, "avx512", vesta_mem_copy_avx512, vesta_mem_set_avx512)
BENCH_SUBJECT(erms, "erms", vesta_mem_copy_erms, vesta_mem_set_erms)

size_t path_subjects(const Subject *subjects[MAX_PATHS]) {
    VestaMemCpu cpu = vesta_mem_cpu();
    size_t count = 0;
    subjects[count++] = &sse2;
    if (cpu.avx2)
        subjects[count++] = &avx2;
    if (cpu.avx512)
        subjects[count++] = &avx512;
    subjects[count++] = &erms;
    return count;
}

#elif VESTA_MEM_ARM

BENCH_SUBJECT(neon, "neon", vesta_mem_copy_neon, vesta_mem_set_neon)

size_t path_subjects(const Subject *subjects[MAX_PATHS]) {
    subjects[0] = &neon;
    return 1;
}

#else

size_t path_subjects(const Subject *subjects[MAX_PATHS]) {
    (void)subjects;
    return 0;
}

#endif
