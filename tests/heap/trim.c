/* Giving memory back: when asked, and in time without being asked. */
#include "support.h"

#include "inside.h"

#include "alloc/heap/options.h"
#include "alloc/os/os.h"

/* A thread that goes on keeps a slab of each class that it used, and its span cache. */
enum { BLOCKS = 120000, THREADS = 4, SLACK = 2 << 20, KEPT_BY_THREAD = 8 << 20 };

static void **blocks;

static void allocate_share(unsigned index, unsigned of) {
    Random random = {index + 1};
    for (unsigned i = index; i < BLOCKS; i += of) {
        size_t size = random_below(&random, 200) == 0 ? random_below(&random, 300000) : random_below(&random, 1200);
        blocks[i] = vesta_host_alloc(size);
        memset(blocks[i], 1, size);
    }
}

static void free_share(unsigned index, unsigned of) {
    for (unsigned i = index; i < BLOCKS; i += of)
        vesta_host_free(blocks[i]);
}

/* Its own bookkeeping must not count, nor the system's for the address space that the heap reserves. */
static void need_blocks(void) {
    vesta_host_free(vesta_host_alloc(1));
    blocks = calloc(BLOCKS, sizeof *blocks);
    memset(blocks, 1, BLOCKS * sizeof *blocks);
}

static void expect_back_to(size_t before) {
    vesta_host_trim(0);
    assert_int_equal(host_stats().dirty_bytes, 0);
    if (resident_bytes_mean_something())
        assert_true(resident_bytes() <= before + before / 10 + SLACK);
}

ISOLATED(after_freeing_everything_a_trim_gives_all_back) {
    need_blocks();
    size_t before = resident_bytes();
    allocate_share(0, 1);
    if (resident_bytes_mean_something())
        assert_true(resident_bytes() > before + 100 * MIB);
    free_share(0, 1);
    expect_back_to(before);
    assert_int_equal(host_stats().slabs, 0);
}

static void allocate_in_thread(unsigned index) {
    allocate_share(index, THREADS);
}

static void free_other_s(unsigned index) {
    free_share((index + 1) % THREADS, THREADS);
}

ISOLATED(also_what_ended_threads_left) {
    need_blocks();
    size_t before = resident_bytes();
    run_threads(THREADS, allocate_in_thread);
    run_threads(THREADS, free_other_s);
    expect_back_to(before);
    assert_int_equal(host_stats().slabs, 0);
}

/* Threads that did all that and now wait for something else. */
static unsigned allocated, freed, trimmed;

static void wait_for_count(unsigned *count) {
    __atomic_add_fetch(count, 1, __ATOMIC_ACQ_REL);
    wait_for_turn(count, THREADS);
}

static void work_and_idle(unsigned index) {
    static size_t before;
    if (index == THREADS) {
        before = resident_bytes();
        wait_for_turn(&freed, THREADS);
        vesta_host_trim(0);
        if (resident_bytes_mean_something())
            assert_true(resident_bytes() <= before + before / 10 + SLACK + THREADS * KEPT_BY_THREAD);
        give_turn(&trimmed, 1);
        return;
    }
    allocate_share(index, THREADS);
    wait_for_count(&allocated);
    free_share(index, THREADS);
    wait_for_count(&freed);
    wait_for_turn(&trimmed, 1);
}

ISOLATED(also_beside_idle_threads) {
    need_blocks();
    run_threads(THREADS + 1, work_and_idle);
}

ISOLATED(a_second_of_further_use_gives_it_back_too) {
    need_blocks();
    size_t before = resident_bytes();
    allocate_share(0, 1);
    free_share(0, 1);
    uint64_t start = milliseconds(), now = start;
    size_t resident = SIZE_MAX;
    /* The bound is generous for a busy machine; what counts is that it happens by itself. */
    while (now - start < 20000 && resident > before + before / 10 + SLACK + KEPT_BY_THREAD) {
        void *used[50];
        for (unsigned i = 0; i < 50; i++)
            used[i] = vesta_host_alloc(i * 100);
        for (unsigned i = 0; i < 50; i++)
            vesta_host_free(used[i]);
        vesta_host_free(vesta_host_alloc(100000 + now % 7 * 100000));
        resident = resident_bytes_mean_something() ? resident_bytes() : host_stats().dirty_bytes;
        now = milliseconds();
    }
    assert_true(now - start < 20000);
}

ISOLATED(it_says_whether_there_was_something_to_give_back) {
    assert_int_equal(vesta_host_trim(0), 0);
    void *block = vesta_host_alloc(4 * MIB);
    memset(block, 1, 4 * MIB);
    assert_int_equal(vesta_host_trim(0), 0);
    vesta_host_free(block);
    assert_int_equal(vesta_host_trim(0), 1);
    assert_int_equal(vesta_host_trim(0), 0);
    assert_int_equal(host_stats().purged_bytes, 4 * MIB);
}

ISOLATED(it_keeps_what_it_is_told_to_keep) {
    void *kept[40];
    for (int i = 0; i < 40; i++) {
        kept[i] = vesta_host_alloc(2 * MIB);
        memset(kept[i], 1, 2 * MIB);
        vesta_host_alloc(20000);
    }
    for (int i = 0; i < 30; i++)
        vesta_host_free(kept[i]);
    uint64_t dirty = host_stats().dirty_bytes;
    assert_int_equal(dirty, 60 * MIB);
    vesta_host_trim(60 * MIB);
    assert_int_equal(host_stats().dirty_bytes, dirty);
    vesta_host_trim(21 * MIB);
    assert_int_equal(host_stats().dirty_bytes, 20 * MIB);
    vesta_host_trim(SIZE_MAX);
    assert_int_equal(host_stats().dirty_bytes, 20 * MIB);
}

ISOLATED(what_is_in_use_is_not_touched) {
    need_blocks();
    for (unsigned i = 0; i < 20000; i++) {
        size_t size = i % 100 == 0 ? 50000 : i % 900;
        blocks[i] = vesta_host_alloc(size);
        fill_pattern(blocks[i], size, i);
    }
    for (unsigned i = 0; i < 20000; i++)
        if (i % 3 != 0)
            vesta_host_free(blocks[i]);
    for (int round = 0; round < 3; round++) {
        vesta_host_trim(0);
        for (unsigned i = 0; i < 20000; i += 3)
            assert_true(has_pattern(blocks[i], i % 100 == 0 ? 50000 : i % 900, i));
        void *more[100];
        for (int i = 0; i < 100; i++)
            memset(more[i] = vesta_host_alloc(300), 0xEE, 300);
        for (int i = 0; i < 100; i++)
            vesta_host_free(more[i]);
    }
}

TESTS(cmocka_unit_test(after_freeing_everything_a_trim_gives_all_back), cmocka_unit_test(also_what_ended_threads_left),
      cmocka_unit_test(also_beside_idle_threads), cmocka_unit_test(a_second_of_further_use_gives_it_back_too),
      cmocka_unit_test(it_says_whether_there_was_something_to_give_back),
      cmocka_unit_test(it_keeps_what_it_is_told_to_keep), cmocka_unit_test(what_is_in_use_is_not_touched))
