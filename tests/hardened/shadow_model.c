/* Random operations under the shadow model, by one thread and by many, on the hardened heap. */
#include "model.h"

enum { THREADS = 4 };

static void expect_nothing_left(void) {
    model_finish();
    vesta_host_trim(0);
    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    assert_int_equal(stats.slabs, 0);
}

ISOLATED(one_thread) {
    model_work(&(ModelWork){.seed = 1, .steps = 400000, .blocks = 5000, .size_bits = 25, .trims_every = 50000});
    expect_nothing_left();
}

ISOLATED(one_thread_with_small_blocks) {
    model_work(&(ModelWork){.seed = 3, .steps = 600000, .blocks = 20000, .size_bits = 9});
    expect_nothing_left();
}

static unsigned generation;

static void work(unsigned index) {
    model_work(&(ModelWork){.seed = generation * 100 + index,
                            .steps = 150000,
                            .blocks = 2000,
                            .size_bits = 24,
                            .trims_every = index == 0 ? 20000 : 0});
}

ISOLATED(many_threads) {
    run_threads(THREADS, work);
    expect_nothing_left();
}

static void work_shortly(unsigned index) {
    model_work(&(ModelWork){.seed = generation * 100 + index, .steps = 4000, .blocks = 300, .size_bits = 20});
}

ISOLATED(many_threads_that_end_and_begin) {
    for (generation = 0; generation < 40; generation++)
        run_threads(2 * THREADS, work_shortly);
    expect_nothing_left();
}

TESTS(cmocka_unit_test(one_thread), cmocka_unit_test(one_thread_with_small_blocks), cmocka_unit_test(many_threads),
      cmocka_unit_test(many_threads_that_end_and_begin))
