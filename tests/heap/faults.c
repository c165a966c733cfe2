/* Requests to the system that are refused: each one in turn, several in a row, all from some point on, and at random.
 * The caller gets its block some other way or NULL with ENOMEM; nothing breaks, nothing is lost, and when the system
 * has memory again everything works. */
#include "model.h"

#include <errno.h>

#include "inside.h"

#include "alloc/heap/remote.h"
#include "alloc/os/os.h"

bool vesta_fault_now(void);

static uint64_t calls, refuse_from = UINT64_MAX, refuse_to = UINT64_MAX;
static unsigned refuse_share; /* of 256 */

bool vesta_fault_now(void) {
    uint64_t call = __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED);
    if (call >= refuse_from && call < refuse_to)
        return true;
    return (call + 1) * 0x9E3779B97F4A7C15ull >> 56 < __atomic_load_n(&refuse_share, __ATOMIC_RELAXED);
}

static void stop_refusing(void) {
    refuse_from = refuse_to = UINT64_MAX;
    __atomic_store_n(&refuse_share, 0, __ATOMIC_RELAXED);
}

/* ---- Work that takes every path to the system ---- */

static unsigned refused;

static void *expect_block_or_enomem(void *block) {
    if (block == NULL) {
        assert_int_equal(errno, ENOMEM);
        refused++;
    }
    errno = 0;
    return block;
}

static void resize_without_room(void) {
    size_t size = 256 * KIB;
    char *block = expect_block_or_enomem(vesta_host_alloc(size));
    if (block == NULL)
        return;
    void *between[3];
    fill_pattern(block, size, size);
    for (int i = 0; i < 3; i++) {
        between[i] = expect_block_or_enomem(vesta_host_alloc(2 * size));
        char *resized = expect_block_or_enomem(vesta_host_realloc(block, 2 * size));
        block = resized != NULL ? resized : block;
        assert_true(has_pattern(block, size, size));
        if (resized != NULL)
            size *= 2;
        fill_pattern(block, size, size);
    }
    vesta_host_free(block);
    for (int i = 0; i < 3; i++)
        vesta_host_free(between[i]);
}

enum { ZEROS = 3 << 19 }; /* too long for a thread's span cache */

static void allocate_zeros(void) {
    for (int i = 0; i < 3; i++) {
        void *dirt = expect_block_or_enomem(vesta_host_alloc(ZEROS));
        if (dirt != NULL)
            memset(dirt, 0xFF, ZEROS);
        vesta_host_free(dirt);
        void *block = expect_block_or_enomem(vesta_host_alloc_zeroed(ZEROS));
        if (block != NULL)
            assert_true(is_zero(block, ZEROS));
        vesta_host_free(block);
    }
}

static void allocate_and_give_back_much(void) {
    char *block = expect_block_or_enomem(vesta_host_alloc(300 * MIB));
    if (block != NULL)
        block[0] = block[300 * MIB - 1] = 1;
    vesta_host_free(block);
    vesta_host_free(expect_block_or_enomem(vesta_host_alloc_aligned(100, 64 * MIB)));
}

enum { GIVEN = 100 };

static void *given[GIVEN];

static void free_given(unsigned index) {
    (void)index;
    for (int i = 0; i < GIVEN; i++)
        vesta_host_free(given[i]);
}

static void let_another_thread_free(void) {
    for (size_t i = 0; i < GIVEN; i++)
        given[i] = expect_block_or_enomem(vesta_host_alloc(i % 10 == 9 ? 30000 : i * 30));
    run_thread(free_given);
}

static bool may_fail;

static void work_under_model(unsigned index) {
    refused += model_work(&(ModelWork){.seed = 5 + index,
                                       .steps = 1000,
                                       .blocks = 60,
                                       .size_bits = 21,
                                       .may_fail = may_fail,
                                       .trims_every = index == 0 ? 200 : 0});
}

static void work(void) {
    resize_without_room();
    let_another_thread_free();
    allocate_zeros();
    allocate_and_give_back_much();
    work_under_model(0);
    run_thread(work_under_model);
    model_finish();
    vesta_host_trim(0);
}

/* What the system cannot renew after it refused to move it stays out of use: two refusals for one block. */
static void expect_nothing_lost(size_t except) {
    stop_refusing();
    may_fail = false;
    refused = 0;
    work();
    assert_int_equal(refused, 0);
    VestaHostStats stats = host_stats();
    assert_int_equal(stats.slabs, 0);
    assert_int_equal(stats.dirty_bytes, 0);
    assert_true(stats.used_bytes <= stats.thread_heaps * 2 * VESTA_PAGE_SIZE + except);
}

static uint64_t calls_of_work(void) {
    refused = 0;
    work();
    assert_int_equal(refused, 0);
    return calls;
}

static uint64_t first, in_a_row;

static void refuse_some(void) {
    refuse_from = first;
    refuse_to = in_a_row == UINT64_MAX ? UINT64_MAX : first + in_a_row;
    may_fail = true;
    work();
    expect_nothing_lost(in_a_row == 1 ? 0 : 64 * MIB);
}

/* How many requests the work makes, told by a process that is refused none. */
static void count_calls(void) {
    uint64_t number = calls_of_work();
    assert_true(number < 100000);
    print_error("%u", (unsigned)number);
}

static void refuse_in_turn(uint64_t how_many) {
    unsigned number = (unsigned)strtoul(outcome_of(count_calls).text, NULL, 10);
    assert_true(number > 50);
    unsigned step = number / scaled(number);
    in_a_row = how_many;
    for (first = 0; first < number; first += step)
        run_isolated(refuse_some);
}

static void each_request_is_refused_once(void **state) {
    (void)state;
    refuse_in_turn(1);
}

static void two_requests_in_a_row_are_refused(void **state) {
    (void)state;
    refuse_in_turn(2);
}

static void all_requests_are_refused_from_one_on(void **state) {
    (void)state;
    refuse_in_turn(UINT64_MAX);
}

/* ---- At random, with threads ---- */

static void work_at_random(unsigned index) {
    model_work(&(ModelWork){.seed = 77 + index,
                            .steps = scaled(60000),
                            .blocks = 500,
                            .size_bits = 22,
                            .may_fail = true,
                            .trims_every = index == 0 ? 2000 : 0});
}

ISOLATED(requests_are_refused_at_random) {
    for (unsigned share = 8; share <= 256; share *= 2) {
        __atomic_store_n(&refuse_share, share, __ATOMIC_RELAXED);
        run_threads(4, work_at_random);
        stop_refusing();
        model_finish();
        vesta_host_trim(0);
        assert_int_equal(host_stats().slabs, 0);
    }
    expect_nothing_lost(SIZE_MAX / 2);
}

ISOLATED(without_memory_for_a_heap_there_are_no_blocks_but_no_harm) {
    refuse_from = 0;
    for (size_t i = 0; i < 100; i++) {
        errno = 0;
        assert_null(vesta_host_alloc(i * 1000));
        assert_int_equal(errno, ENOMEM);
        assert_null(vesta_host_alloc_zeroed(i * 1000));
        assert_null(vesta_host_alloc_aligned(i * 1000, 4096));
        assert_null(vesta_host_realloc(NULL, i * 1000));
        vesta_host_free(NULL);
    }
    assert_int_equal(vesta_host_trim(0), 0);
    assert_int_equal(host_stats().committed_bytes, 0);
    stop_refusing();
    assert_non_null(vesta_host_alloc(1));
}

/* A thread that has no heap, and can have none, frees what others gave it. */
static void free_without_a_heap(unsigned index) {
    VestaHeap *owner = heap_of(given[0]);
    assert_false(vesta_remote_waiting(owner));
    vesta_host_free(given[0]);
    assert_true(vesta_remote_waiting(owner));
    vesta_host_free(given[9]); /* a large one: now there is memory for a heap */
    given[0] = given[9] = NULL;
    free_given(index);
}

ISOLATED(a_thread_without_a_heap_can_free) {
    enum { MOST = 1 << 18 };
    static void *filling[MOST];
    unsigned filled = 0;
    for (size_t i = 0; i < GIVEN; i++)
        given[i] = vesta_host_alloc(i % 10 == 9 ? 30000 : i * 30);
    refuse_from = 0;
    while ((filling[filled] = vesta_host_alloc(64)) != NULL)
        filled++;
    run_thread(free_without_a_heap);
    for (unsigned i = 0; i < filled; i++)
        vesta_host_free(filling[i]);
    stop_refusing();
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
    assert_true(host_stats().used_bytes <= 4 * VESTA_PAGE_SIZE);
}

TESTS(cmocka_unit_test(each_request_is_refused_once), cmocka_unit_test(two_requests_in_a_row_are_refused),
      cmocka_unit_test(all_requests_are_refused_from_one_on), cmocka_unit_test(requests_are_refused_at_random),
      cmocka_unit_test(without_memory_for_a_heap_there_are_no_blocks_but_no_harm),
      cmocka_unit_test(a_thread_without_a_heap_can_free))
