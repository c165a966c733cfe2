#include "designs.h"

#include <vesta/mem.h>

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#if VESTA_MEM_X86

#include "measure.h"
#include "mem/x86/cpu.h"
#include "mem/x86/x86.h"
#include "workload.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

VestaMemCopy copy_by_resolver, copy_by_branches, copy_wide, copy_across_pages, copy_masked;
VestaMemSet set_by_resolver, set_by_branches, set_wide, set_across_pages;

BENCH_SUBJECT(checked_pointer, "pointer, 0 at first", vesta_memcpy_noinline, vesta_memset_noinline)
BENCH_SUBJECT(resolver, "pointer to resolver", copy_by_resolver, set_by_resolver)
BENCH_SUBJECT(branches, "direct branches", copy_by_branches, set_by_branches)
BENCH_SUBJECT(direct, "no dispatch", vesta_mem_copy_avx512, vesta_mem_set_avx512)

BENCH_SUBJECT(vectors_32, "32-byte vectors", vesta_mem_copy_avx2, vesta_mem_set_avx2)
BENCH_SUBJECT(vectors_64, "64-byte vectors", copy_wide, set_wide)
BENCH_SUBJECT(across_pages, "across pages", copy_across_pages, set_across_pages)
BENCH_SUBJECT(masked, "masked", copy_masked, vesta_mem_set_avx512)
BENCH_SUBJECT(ladder, "ladder", vesta_mem_copy_avx2, vesta_mem_set_avx2)

static void head(const char *title, const Subject *const *subjects, size_t count) {
    printf("\n%s\n%-36s", title, "");
    for (size_t i = 0; i < count; i++)
        printf(" %20s", subjects[i]->name);
    putchar('\n');
}

static void print_row(Operation operation, Placement placement, const char *label, const double *ns, size_t count) {
    printf("%-5s %-10s %15s, ns ", operation == COPY ? "copy" : "fill", placement_names[placement], label);
    for (size_t i = 0; i < count; i++)
        printf(" %20.2f", ns[i]);
    putchar('\n');
    fflush(stdout);
}

static void compare_sizes(const char *title, const Subject *const *subjects, size_t count, const size_t *sizes,
                          size_t size_count) {
    head(title, subjects, count);
    for (Operation operation = 0; operation < OPERATIONS; operation++) {
        for (Placement placement = 0; placement < PLACEMENTS; placement += UNALIGNED) {
            for (size_t i = 0; i < size_count; i++) {
                double ns[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
                char label[32];
                snprintf(label, sizeof label, "%zu", sizes[i]);
                measure_block(subjects, count, operation, fixed_block(sizes[i], placement), 25, ns);
                print_row(operation, placement, label, ns, count);
            }
        }
    }
}

static void compare_random(const char *title, const Subject *const *subjects, size_t count) {
    static Block blocks[32768];
    head(title, subjects, count);
    for (Operation operation = 0; operation < OPERATIONS; operation++) {
        for (Distribution distribution = AS_PROGRAMS_DO; distribution <= LOG_UNIFORM_4_KIB; distribution++) {
            double ns[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
            size_t n = random_blocks(blocks, LENGTH(blocks), operation, distribution, UNALIGNED, 16384);
            measure_blocks(subjects, count, operation, blocks, n, false, 25, ns);
            print_row(operation, UNALIGNED, distribution_names[distribution], ns, count);
        }
    }
}

static void compare_cold(const char *title, const Subject *const *subjects, size_t count) {
    static const size_t sizes[] = {8, 24, 64};
    static Block blocks[2000];
    head(title, subjects, count);
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        for (Placement placement = 0; placement < PLACEMENTS; placement += UNALIGNED) {
            double ns[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
            char label[32];
            snprintf(label, sizeof label, "%zu", sizes[i]);
            size_t n = spread_blocks(blocks, LENGTH(blocks), sizes[i], placement);
            measure_blocks(subjects, count, COPY, blocks, n, true, 40, ns);
            print_row(COPY, placement, label, ns, count);
        }
    }
}

/* A copy whose first 8 bytes are read back at once, and the next copy waits for them. A store buffer does not hand out
 * bytes of a masked store. */
#define BENCH_READ_BACK(name, label, copy)                                                                             \
    static void name##_repeat(Block block, size_t times) {                                                             \
        for (size_t i = 0; i < times; i++) {                                                                           \
            BENCH_UNKNOWN(block.size);                                                                                 \
            copy(block.dst, block.src, block.size);                                                                    \
            uint64_t word = *(const volatile VestaMem8 *)block.dst & 0;                                                \
            BENCH_UNKNOWN(word);                                                                                       \
            block.dst += word;                                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    static const Subject name = {label, {{name##_repeat, NULL}, {NULL, NULL}}};

BENCH_READ_BACK(masked_read_back, "masked", copy_masked)
BENCH_READ_BACK(ladder_read_back, "ladder", vesta_mem_copy_avx2)
BENCH_READ_BACK(inline_read_back, "inline", vesta_memcpy_inline)

static void compare_read_back(void) {
    static const size_t sizes[] = {8, 16, 24, 32, 48, 64};
    const Subject *subjects[] = {&masked_read_back, &ladder_read_back, &inline_read_back};
    head("Copies that are read back at once", subjects, LENGTH(subjects));
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        double ns[] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
        char label[32];
        snprintf(label, sizeof label, "%zu", sizes[i]);
        measure_block(subjects, LENGTH(subjects), COPY, fixed_block(sizes[i], ALIGNED), 25, ns);
        print_row(COPY, ALIGNED, label, ns, LENGTH(subjects));
    }
}

int measure_designs(void) {
    VestaMemCpu cpu = vesta_mem_cpu();
    if (!cpu.avx512) {
        puts("the designs differ only with AVX-512");
        return 0;
    }
    static const size_t small[] = {0, 8, 24, 64, 100, 200, 500, 1000};
    static const size_t above_small[] = {65, 100, 128, 200, 256, 300, 512, 700, 1000, 2000, 4000, 16384, 262144};
    static const size_t past_page[] = {512, 1000, 4000, 4096, 8192, 12288, 16384};
    const Subject *dispatches[] = {&checked_pointer, &resolver, &branches, &direct};
    const Subject *widths[] = {&vectors_32, &vectors_64};
    const Subject *borders[] = {&vectors_32, &across_pages};
    const Subject *smalls[] = {&masked, &ladder};
    compare_sizes("Dispatch", dispatches, LENGTH(dispatches), small, LENGTH(small));
    compare_sizes("Vector width", widths, LENGTH(widths), above_small, LENGTH(above_small));
    compare_sizes("Blocks that end behind a page border", borders, LENGTH(borders), past_page, LENGTH(past_page));
    compare_random("Small sizes at random", smalls, LENGTH(smalls));
    compare_cold("Copies outside the cache", smalls, LENGTH(smalls));
    compare_read_back();
    return 0;
}

#else

int measure_designs(void) {
    puts("this architecture has one design");
    return 0;
}

#endif
