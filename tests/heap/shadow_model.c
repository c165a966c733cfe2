/* Millions of random operations under the shadow model, by one thread and by many. */
#include "model.h"

#include "inside.h"

enum { THREADS = 4 };

/* Nothing is left but the heaps themselves. */
static void expect_nothing_left(unsigned heaps) {
    model_finish();
    vesta_host_trim(0);
    VestaHostStats stats = host_stats();
    assert_true(stats.thread_heaps <= heaps);
    assert_int_equal(stats.slabs, 0);
    assert_int_equal(stats.dirty_bytes, 0);
    assert_true(stats.used_bytes <= heaps * 2 * VESTA_PAGE_SIZE);
}

ISOLATED(one_thread) {
    model_work(
        &(ModelWork){.seed = 1, .steps = scaled(2000000), .blocks = 5000, .size_bits = 25, .trims_every = 100000});
    expect_nothing_left(1);
}

ISOLATED(one_thread_with_few_blocks) {
    model_work(&(ModelWork){.seed = 2, .steps = scaled(1000000), .blocks = 20, .size_bits = 22, .trims_every = 1000});
    expect_nothing_left(1);
}

ISOLATED(one_thread_with_small_blocks) {
    model_work(&(ModelWork){.seed = 3, .steps = scaled(3000000), .blocks = 20000, .size_bits = 9});
    expect_nothing_left(1);
}

static unsigned generation;

static void work(unsigned index) {
    model_work(&(ModelWork){.seed = generation * 100 + index,
                            .steps = scaled(600000),
                            .blocks = 2000,
                            .size_bits = 24,
                            .trims_every = index == 0 ? 20000 : 0});
}

ISOLATED(many_threads) {
    run_threads(THREADS, work);
    expect_nothing_left(THREADS + 1);
}

static void work_shortly(unsigned index) {
    model_work(&(ModelWork){.seed = generation * 100 + index, .steps = 4000, .blocks = 300, .size_bits = 20});
}

ISOLATED(many_threads_that_end_and_begin) {
    for (generation = 0; generation < scaled(200); generation++)
        run_threads(2 * THREADS, work_shortly);
    expect_nothing_left(2 * THREADS + 1);
}

/* Blocks of a thread are freed by the others nearly always. */
static void hand_over_only(unsigned index) {
    for (unsigned i = 0; i < scaled(300); i++)
        model_work(&(ModelWork){.seed = i * 100 + index, .steps = 3000, .blocks = 8, .size_bits = 12});
}

ISOLATED(many_threads_with_few_blocks) {
    run_threads(THREADS, hand_over_only);
    expect_nothing_left(THREADS + 1);
}

ISOLATED(the_same_while_counting) {
    put_in_environment("VESTA_HOST_ALLOC_STATS=1");
    run_threads(2, work);
    model_finish();
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.live_bytes, 0);
    assert_int_equal(stats.large_blocks, 0);
    assert_int_equal(stats.allocations, stats.frees);
}

TESTS(cmocka_unit_test(one_thread), cmocka_unit_test(one_thread_with_few_blocks),
      cmocka_unit_test(one_thread_with_small_blocks), cmocka_unit_test(many_threads),
      cmocka_unit_test(many_threads_that_end_and_begin), cmocka_unit_test(many_threads_with_few_blocks),
      cmocka_unit_test(the_same_while_counting))
