#define _GNU_SOURCE
#include "thresholds.h"

#include <vesta/mem.h>

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#if VESTA_MEM_X86

#include "measure.h"
#include "mem/x86/cpu.h"
#include "mem/x86/thresholds.h"
#include "mem/x86/x86.h"
#include "workload.h"

#define FILL_MAX ((size_t)256 << 20)
#define COPY_MAX ((size_t)64 << 20)

BENCH_SUBJECT(loop, "loop", vesta_mem_copy_avx2, vesta_mem_set_avx2)
BENCH_SUBJECT(base_loop, "loop", vesta_mem_copy_sse2, vesta_mem_set_sse2)
BENCH_SUBJECT(rep, "rep", vesta_mem_copy_erms, vesta_mem_set_erms)
BENCH_SUBJECT(stream, "stream", vesta_mem_copy_stream, vesta_mem_set_stream)

enum { LOOP, REP, STREAM, WAYS };

/* The smallest size from which on the way is never slower than the loop, as far as was measured. */
typedef struct Crossing {
    size_t from;
} Crossing;

static void follow(Crossing *crossing, size_t size, double ratio) {
    if (ratio > 1)
        crossing->from = SIZE_MAX;
    else if (crossing->from == SIZE_MAX)
        crossing->from = size;
}

static void print_crossing(const char *way, Crossing crossing) {
    if (crossing.from == SIZE_MAX)
        printf("%s never wins for good\n", way);
    else
        printf("%s wins from %zu bytes on\n", way, crossing.from);
}

static void compare(const Subject *const *ways, Operation operation, Block block, size_t max) {
    Crossing crossings[WAYS] = {{SIZE_MAX}, {SIZE_MAX}, {SIZE_MAX}};
    printf("%12s %14s %8s %8s\n", "bytes", "loop ns", "rep", "stream");
    for (size_t size = 256; size <= max; size += size / 2 < (size & -size) ? size / 2 : size / 3) {
        double ns[WAYS] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        block.size = size;
        measure_block(ways, WAYS, operation, block, size < (1 << 20) ? 25 : 11, ns);
        printf("%12zu %14.1f %8.3f %8.3f\n", size, ns[LOOP], ns[REP] / ns[LOOP], ns[STREAM] / ns[LOOP]);
        fflush(stdout);
        for (size_t way = REP; way < WAYS; way++)
            follow(&crossings[way], size, ns[way] / ns[LOOP]);
    }
    print_crossing("rep", crossings[REP]);
    print_crossing("stream", crossings[STREAM]);
}

static void print_chosen(const char *way, size_t threshold) {
    if (threshold == SIZE_MAX)
        printf("chosen: %s never\n", way);
    else
        printf("chosen: %s from %zu bytes\n", way, threshold);
}

int measure_thresholds(void) {
    VestaMemCpu cpu = vesta_mem_cpu();
    VestaMemThresholds chosen = vesta_mem_thresholds_for(&cpu), never = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
    const Subject *ways[WAYS] = {cpu.avx2 ? &loop : &base_loop, &rep, &stream};
    unsigned char *large = mmap(NULL, FILL_MAX, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (large == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    memset(large, 1, FILL_MAX);

    vesta_mem_use_thresholds(&never);
    for (Placement placement = 0; placement < PLACEMENTS; placement++) {
        printf("\ncopy, %s\n", placement_names[placement]);
        compare(ways, COPY, fixed_block(0, placement), COPY_MAX);
    }
    puts("\nfill, aligned");
    compare(ways, FILL, (Block){large, NULL, 0}, FILL_MAX);
    vesta_mem_use_thresholds(&chosen);
    munmap(large, FILL_MAX);

    printf("\nlast-level cache %zu bytes, %s, ERMS %s, FSRM %s\n", cpu.last_level_cache,
           cpu.intel ? "Intel" : "not Intel", cpu.erms ? "yes" : "no", cpu.fsrm ? "yes" : "no");
    print_chosen("copy by rep", chosen.copy_rep);
    print_chosen("copy by stream", chosen.copy_stream);
    print_chosen("fill by rep", chosen.set_rep);
    print_chosen("fill by stream", chosen.set_stream);
    return 0;
}

#else

int measure_thresholds(void) {
    puts("this architecture has no thresholds");
    return 0;
}

#endif
