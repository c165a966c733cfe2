/* What is read from CPUID and what follows from it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "mem/x86/cpu.h"
#include "mem/x86/thresholds.h"
#include "mem/x86/x86.h"

#define MIB ((size_t)1 << 20)

/* The compiler's run-time library reads the same registers by itself. */
static void features_are_those_the_compiler_finds(void **state) {
    (void)state;
    __builtin_cpu_init();
    VestaMemCpu cpu = vesta_mem_cpu();
    assert_int_equal(cpu.avx2, __builtin_cpu_supports("avx2") != 0);
    assert_int_equal(cpu.avx512, __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                                     __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"));
    assert_int_equal(cpu.intel, __builtin_cpu_is("intel") != 0);
}

static void cache_is_the_one_the_kernel_reports(void **state) {
    (void)state;
    unsigned long kib = 0;
    for (int index = 0; index < 8; index++) {
        char name[80];
        snprintf(name, sizeof name, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        FILE *file = fopen(name, "r");
        unsigned long size = 0;
        if (file != NULL) {
            if (fscanf(file, "%luK", &size) == 1 && size > kib)
                kib = size;
            fclose(file);
        }
    }
    if (kib == 0)
        skip();
    assert_int_equal(vesta_mem_cpu().last_level_cache, kib * 1024);
}

static void the_widest_usable_path_is_selected(void **state) {
    (void)state;
    VestaMemCpu cpu = vesta_mem_cpu();
    assert_ptr_equal(vesta_mem_select_copy(), cpu.avx512 ? vesta_mem_copy_avx512
                                              : cpu.avx2 ? vesta_mem_copy_avx2
                                                         : vesta_mem_copy_sse2);
    assert_ptr_equal(vesta_mem_select_set(), cpu.avx512 ? vesta_mem_set_avx512
                                             : cpu.avx2 ? vesta_mem_set_avx2
                                                        : vesta_mem_set_sse2);
}

static void selecting_puts_the_thresholds_in_use(void **state) {
    (void)state;
    VestaMemThresholds other = {1, 2, 3, 4};
    vesta_mem_use_thresholds(&other);
    vesta_mem_select_copy();
    VestaMemCpu cpu = vesta_mem_cpu();
    VestaMemThresholds thresholds = vesta_mem_thresholds_for(&cpu);
    assert_int_equal(vesta_mem_thresholds.copy_rep, thresholds.copy_rep);
    assert_int_equal(vesta_mem_thresholds.copy_stream, thresholds.copy_stream);
    assert_int_equal(vesta_mem_thresholds.set_rep, thresholds.set_rep);
    assert_int_equal(vesta_mem_thresholds.set_stream, thresholds.set_stream);
}

/* A copy streams once its two blocks no longer fit into three quarters of the cache. */
static void streaming_follows_the_cache(void **state) {
    (void)state;
    VestaMemCpu small = {.avx2 = true, .last_level_cache = 8 * MIB}, large = small;
    large.last_level_cache = 32 * MIB;
    assert_int_equal(vesta_mem_thresholds_for(&small).copy_stream, 3 * MIB);
    assert_int_equal(vesta_mem_thresholds_for(&large).copy_stream, 12 * MIB);
    assert_int_equal(vesta_mem_thresholds_for(&small).set_stream, 4 * MIB);
    assert_int_equal(vesta_mem_thresholds_for(&large).set_stream, 16 * MIB);
}

static void an_unknown_cache_does_not_stream_early(void **state) {
    (void)state;
    VestaMemCpu cpu = {.avx2 = true};
    assert_true(vesta_mem_thresholds_for(&cpu).copy_stream >= 4 * MIB);
    assert_true(vesta_mem_thresholds_for(&cpu).set_stream >= 4 * MIB);
}

static void microcode_copies_only_where_it_pays(void **state) {
    (void)state;
    VestaMemCpu amd = {.avx2 = true, .erms = true, .fsrm = true, .last_level_cache = 32 * MIB}, intel = amd;
    intel.intel = true;
    VestaMemThresholds loop = vesta_mem_thresholds_for(&amd), rep = vesta_mem_thresholds_for(&intel);
    assert_int_equal(loop.copy_rep, loop.copy_stream);
    assert_true(rep.copy_rep < rep.copy_stream);
    intel.erms = false;
    assert_int_equal(vesta_mem_thresholds_for(&intel).copy_rep, vesta_mem_thresholds_for(&intel).copy_stream);
}

static void microcode_fills_past_the_cache(void **state) {
    (void)state;
    VestaMemCpu amd = {.avx2 = true, .erms = true, .last_level_cache = 32 * MIB}, intel = amd;
    intel.intel = true;
    assert_int_equal(vesta_mem_thresholds_for(&amd).set_rep, 16 * MIB);
    assert_true(vesta_mem_thresholds_for(&intel).set_rep < MIB);
    assert_true(vesta_mem_thresholds_for(&amd).set_stream == SIZE_MAX);
    amd.erms = false;
    assert_int_equal(vesta_mem_thresholds_for(&amd).set_rep, vesta_mem_thresholds_for(&amd).set_stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(features_are_those_the_compiler_finds),
        cmocka_unit_test(cache_is_the_one_the_kernel_reports),
        cmocka_unit_test(the_widest_usable_path_is_selected),
        cmocka_unit_test(selecting_puts_the_thresholds_in_use),
        cmocka_unit_test(streaming_follows_the_cache),
        cmocka_unit_test(an_unknown_cache_does_not_stream_early),
        cmocka_unit_test(microcode_copies_only_where_it_pays),
        cmocka_unit_test(microcode_fills_past_the_cache),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
