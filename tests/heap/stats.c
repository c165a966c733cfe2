/* Counting: exact, and only when it is asked for. */
#include "support.h"

#include "inside.h"

/* What should have been counted. */
static struct { uint64_t allocations, frees, bytes, live, large; } expected;

enum { STEPS = VESTA_SMALL_CLASSES + 1 };
static uint64_t expected_sizes[STEPS], expected_size_bytes[STEPS];

static uint32_t step_of(size_t size) {
    return size <= VESTA_SMALL_MAX ? vesta_small_class(size) : VESTA_SMALL_CLASSES;
}

static void *allocated(void *block, size_t size) {
    size_t usable = vesta_host_usable_size(block);
    assert_true(usable >= size);
    expected.allocations++;
    expected.bytes += size;
    expected.live += usable;
    expected.large += usable > VESTA_SMALL_MAX;
    expected_sizes[step_of(size)]++;
    expected_size_bytes[step_of(size)] += size;
    return block;
}

static void will_be_freed(const void *block) {
    size_t usable = vesta_host_usable_size(block);
    expected.frees++;
    expected.live -= usable;
    expected.large -= usable > VESTA_SMALL_MAX;
}

static void expect_counted(void) {
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.counting, 1);
    assert_int_equal(stats.allocations, expected.allocations);
    assert_int_equal(stats.frees, expected.frees);
    assert_int_equal(stats.allocated_bytes, expected.bytes);
    assert_int_equal(stats.live_bytes, expected.live);
    assert_int_equal(stats.large_blocks, expected.large);
    assert_true(stats.peak_live_bytes >= stats.live_bytes);
}

static void count(void) {
    put_in_environment("VESTA_HOST_ALLOC_STATS=1");
}

ISOLATED(every_way_to_allocate_is_counted) {
    count();
    void *blocks[8];
    blocks[0] = allocated(vesta_host_alloc(0), 0);
    blocks[1] = allocated(vesta_host_alloc(100), 100);
    blocks[2] = allocated(vesta_host_alloc_zeroed(1000), 1000);
    blocks[3] = allocated(vesta_host_calloc(3, 5000), 15000);
    blocks[4] = allocated(vesta_host_alloc_aligned(100, 64), 100);
    blocks[5] = allocated(vesta_host_alloc_aligned_freeable(100, MIB), 100);
    blocks[6] = allocated(vesta_host_realloc(NULL, 77), 77);
    blocks[7] = allocated(vesta_host_alloc(10 * MIB), 10 * MIB);
    expect_counted();
    for (int i = 0; i < 8; i++) {
        will_be_freed(blocks[i]);
        if (i % 2 == 0)
            vesta_host_free(blocks[i]);
        else
            vesta_host_free_sized(blocks[i], 1);
        expect_counted();
    }
    assert_int_equal(host_stats().live_bytes, 0);
    vesta_host_free(NULL);
    expect_counted();
}

ISOLATED(failures_are_not_counted) {
    count();
    allocated(vesta_host_alloc(1), 1);
    assert_null(vesta_host_alloc(SIZE_MAX));
    assert_null(vesta_host_calloc(SIZE_MAX, SIZE_MAX));
    assert_null(vesta_host_alloc_aligned(1, 3));
    void *block = allocated(vesta_host_alloc(100000), 100000);
    assert_null(vesta_host_realloc(block, SIZE_MAX));
    expect_counted();
}

/* A block that is resized is a freed and a new one, whether it moves or not. */
static void *resize(void *block, size_t size) {
    will_be_freed(block);
    return allocated(vesta_host_realloc(block, size), size);
}

ISOLATED(resizing_keeps_the_books) {
    count();
    const size_t sizes[] = {20,    16,  100,     5000,    3000,    20000, 30000, 100000,
                            40000, MIB, 3 * MIB, 8 * MIB, 2 * MIB, 70000, 10};
    void *block = allocated(vesta_host_alloc(8), 8);
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        block = resize(block, sizes[i]);
        expect_counted();
    }
    will_be_freed(block);
    vesta_host_free(block);
    expect_counted();
    assert_int_equal(host_stats().live_bytes, 0);
}

ISOLATED(moving_a_block_by_its_page_tables_keeps_the_books) {
    count();
    void *block = allocated(vesta_host_alloc(4 * MIB), 4 * MIB);
    allocated(vesta_host_alloc(MIB), MIB);
    void *moved = resize(block, 8 * MIB);
    assert_ptr_not_equal(moved, block);
    expect_counted();
    will_be_freed(moved);
    vesta_host_free(moved);
    expect_counted();
}

ISOLATED(a_large_block_may_have_been_small) {
    count();
    /* A page of its own for its alignment, but no more than that. */
    void *block = allocated(vesta_host_alloc_aligned_freeable(100, MIB), 100);
    assert_int_equal(host_stats().large_blocks, 0);
    assert_ptr_equal(resize(block, 100000), block);
    expect_counted();
    will_be_freed(block);
    vesta_host_free(block);
    expect_counted();
}

ISOLATED(the_books_are_right_after_random_use) {
    count();
    enum { BLOCKS = 300 };
    void *blocks[BLOCKS] = {NULL};
    Random random = {23};
    unsigned steps = scaled(20000);
    for (unsigned step = 0; step < steps; step++) {
        void **block = &blocks[random_below(&random, BLOCKS)];
        size_t size = random_below(&random, (uint64_t)1 << random_below(&random, 21));
        if (*block == NULL) {
            *block = allocated(vesta_host_alloc(size), size);
        } else if (random_below(&random, 3) == 0) {
            *block = resize(*block, size);
        } else {
            will_be_freed(*block);
            vesta_host_free(*block);
            *block = NULL;
        }
        if (step % 100 == 0)
            expect_counted();
    }
    expect_counted();
}

ISOLATED(the_size_split_adds_up) {
    count();
    for (size_t size = 0; size < 40000; size += 13)
        for (size_t i = 0; i < size % 4; i++)
            allocated(vesta_host_alloc(size), size);
    VestaHostSize sizes[STEPS];
    unsigned found = vesta_host_alloc_sizes(sizes, STEPS), next = 0;
    for (uint32_t step = 0; step < STEPS; step++) {
        if (expected_sizes[step] == 0)
            continue;
        assert_true(next < found);
        assert_int_equal(sizes[next].allocations, expected_sizes[step]);
        assert_int_equal(sizes[next].bytes, expected_size_bytes[step]);
        assert_int_equal(sizes[next].size_max, step < VESTA_SMALL_CLASSES ? vesta_small_size(step) : PTRDIFF_MAX);
        assert_int_equal(sizes[next].size_min, step == 0 ? 0 : vesta_small_size(step - 1) + 1);
        next++;
    }
    assert_int_equal(next, found);
    /* With less room it writes less and still tells how many there are. */
    VestaHostSize few[3] = {{.size_min = 7}, {.size_min = 7}, {.size_min = 7}};
    assert_int_equal(vesta_host_alloc_sizes(few, 2), found);
    assert_int_equal(few[1].allocations, sizes[1].allocations);
    assert_int_equal(few[2].size_min, 7);
    assert_int_equal(vesta_host_alloc_sizes(NULL, 0), found);
}

ISOLATED(the_peak_is_the_highest_within_64_kib) {
    count();
    enum { SIZE = 1 << 20, BLOCKS = 20 };
    void *blocks[BLOCKS];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < BLOCKS - 5 * round; i++)
            blocks[i] = vesta_host_alloc(SIZE);
        for (int i = 0; i < BLOCKS - 5 * round; i++)
            vesta_host_free(blocks[i]);
    }
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.live_bytes, 0);
    assert_true(stats.peak_live_bytes >= BLOCKS * SIZE - 64 * KIB);
    assert_true(stats.peak_live_bytes <= BLOCKS * SIZE + 64 * KIB);
}

static void *shared[1000];

static void allocate_shared(unsigned index) {
    (void)index;
    for (size_t i = 0; i < LENGTH(shared); i++)
        shared[i] = vesta_host_alloc(i * 37);
}

static void free_shared(unsigned index) {
    (void)index;
    for (size_t i = 0; i < LENGTH(shared); i++)
        vesta_host_free(shared[i]);
}

ISOLATED(what_ended_threads_did_counts_too) {
    count();
    run_thread(allocate_shared);
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.allocations, LENGTH(shared));
    assert_int_equal(stats.frees, 0);
    run_threads(1, free_shared);
    vesta_host_free(vesta_host_alloc(1));
    stats = host_stats();
    assert_int_equal(stats.allocations, LENGTH(shared) + 1);
    assert_int_equal(stats.frees, LENGTH(shared) + 1);
    assert_int_equal(stats.live_bytes, 0);
    assert_int_equal(stats.large_blocks, 0);
}

/* Reads while others count, and while heaps are added. */
static unsigned working;

static void work_or_read(unsigned index) {
    if (index != 0) {
        for (size_t i = 0; i < 2000; i++)
            vesta_host_free(vesta_host_alloc(i * 11));
        __atomic_add_fetch(&working, 1, __ATOMIC_RELEASE);
        return;
    }
    uint64_t before = 0;
    VestaHostSize sizes[STEPS];
    do {
        VestaHostStats stats = host_stats();
        assert_true(stats.allocations >= before);
        assert_true(stats.thread_heaps <= 4);
        before = stats.allocations;
        assert_true(vesta_host_alloc_sizes(sizes, STEPS) <= STEPS);
    } while (__atomic_load_n(&working, __ATOMIC_ACQUIRE) < 3);
    assert_int_equal(host_stats().allocations, 6000);
}

ISOLATED(anybody_may_read_at_any_time) {
    count();
    run_threads(4, work_or_read);
}

ISOLATED(blocks_freed_by_others_are_counted_as_such) {
    allocate_shared(0);
    run_thread(free_shared);
    vesta_host_trim(0);
    size_t small = VESTA_SMALL_MAX / 37 + 1;
    assert_int_equal(host_stats().remote_frees, small);
}

ISOLATED(nothing_is_counted_when_it_is_off) {
    for (int i = 0; i < 1000; i++)
        vesta_host_free(vesta_host_realloc(vesta_host_alloc((size_t)i * 50), (size_t)i * 100));
    vesta_host_alloc(MIB);
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.counting, 0);
    assert_int_equal(stats.allocations, 0);
    assert_int_equal(stats.frees, 0);
    assert_int_equal(stats.allocated_bytes, 0);
    assert_int_equal(stats.live_bytes, 0);
    assert_int_equal(stats.peak_live_bytes, 0);
    assert_int_equal(stats.large_blocks, 0);
    assert_int_equal(vesta_host_alloc_sizes(NULL, 0), 0);
}

ISOLATED(memory_is_accounted_for_always) {
    void *block = vesta_host_alloc(1);
    VestaHostStats before = host_stats();
    assert_int_equal(before.regions, 1);
    assert_int_equal(before.thread_heaps, 1);
    assert_int_equal(before.slabs, 1);
    void *large = vesta_host_alloc(5 * MIB);
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.used_bytes - before.used_bytes, vesta_host_usable_size(large));
    assert_true(stats.committed_bytes >= stats.used_bytes + stats.dirty_bytes);
    assert_true(stats.reserved_bytes >= stats.committed_bytes);
    assert_int_equal(stats.peak_committed_bytes, stats.committed_bytes);
    vesta_host_free(large);
    stats = host_stats();
    assert_int_equal(stats.used_bytes, before.used_bytes);
    assert_int_equal(stats.dirty_bytes, 5 * MIB);
    vesta_host_free(block);
    vesta_host_trim(0);
    stats = host_stats();
    assert_int_equal(stats.slabs, 0);
    assert_int_equal(stats.dirty_bytes, 0);
    assert_int_equal(stats.purged_bytes, 5 * MIB + VESTA_PAGE_SIZE);
}

TESTS(cmocka_unit_test(every_way_to_allocate_is_counted), cmocka_unit_test(failures_are_not_counted),
      cmocka_unit_test(resizing_keeps_the_books), cmocka_unit_test(moving_a_block_by_its_page_tables_keeps_the_books),
      cmocka_unit_test(a_large_block_may_have_been_small), cmocka_unit_test(the_books_are_right_after_random_use),
      cmocka_unit_test(the_size_split_adds_up), cmocka_unit_test(the_peak_is_the_highest_within_64_kib),
      cmocka_unit_test(what_ended_threads_did_counts_too), cmocka_unit_test(anybody_may_read_at_any_time),
      cmocka_unit_test(blocks_freed_by_others_are_counted_as_such), cmocka_unit_test(nothing_is_counted_when_it_is_off),
      cmocka_unit_test(memory_is_accounted_for_always))
