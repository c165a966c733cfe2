/* Heaps of threads that ended: adopted, robbed of slabs, and never leaking. */
#include "support.h"

#include <sched.h>

#include "inside.h"

#include "alloc/heap/registry.h"

enum { MOST = 4096 };

static void *blocks[MOST];
static VestaHeap *seen_heap;

static void see_heap(unsigned index) {
    (void)index;
    seen_heap = heap_of(vesta_host_alloc(100));
}

ISOLATED(a_new_thread_adopts_the_heap_that_was_left_last) {
    vesta_host_alloc(1);
    run_thread(see_heap);
    VestaHeap *first = seen_heap;
    for (int i = 0; i < 10; i++) {
        run_thread(see_heap);
        assert_ptr_equal(seen_heap, first);
    }
    assert_int_equal(host_stats().thread_heaps, 2);
}

static unsigned ready, may_end;

static void see_heap_and_wait(unsigned index) {
    blocks[index] = vesta_host_alloc(100);
    __atomic_add_fetch(&ready, 1, __ATOMIC_RELEASE);
    if (index == 7) {
        wait_for_turn(&ready, 8);
        for (unsigned i = 0; i < 8; i++)
            for (unsigned j = 0; j < i; j++)
                assert_ptr_not_equal(heap_of(blocks[i]), heap_of(blocks[j]));
        give_turn(&may_end, 1);
    }
    wait_for_turn(&may_end, 1);
}

ISOLATED(threads_that_live_at_once_have_heaps_of_their_own) {
    run_threads(8, see_heap_and_wait);
    assert_int_equal(host_stats().thread_heaps, 8);
}

static void come_together(unsigned index) {
    (void)index;
    __atomic_add_fetch(&ready, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&ready, __ATOMIC_RELAXED) < 8)
        sched_yield();
    void *block = vesta_host_alloc(100);
    assert_non_null(block);
    vesta_host_free(block);
}

ISOLATED(the_first_threads_may_come_together) {
    run_threads(8, come_together);
    assert_true(host_stats().thread_heaps <= 8);
    assert_int_equal(host_stats().regions, 1);
}

/* ---- Many threads, one after the other ---- */

static bool leave_blocks;

static void allocate_and_end(unsigned index) {
    void *own[40];
    for (unsigned i = 0; i < 40; i++) {
        own[i] = vesta_host_alloc(i * i * 20);
        memset(own[i], 1, i * i * 20);
    }
    for (unsigned i = 0; i < 40; i++)
        if (leave_blocks && i % 2 == 0)
            blocks[index * 40 + i] = own[i];
        else
            vesta_host_free(own[i]);
}

static void start_threads(unsigned count) {
    for (unsigned i = 0; i < count; i += 4) {
        run_threads(4, allocate_and_end);
        for (unsigned j = 0; leave_blocks && j < 4 * 40; j++)
            if (j % 2 == 0)
                vesta_host_free(blocks[j]);
    }
}

/* Four at a time, and the one that starts them. */
static void expect_no_growth(void) {
    start_threads(scaled(10000));
    assert_true(host_stats().thread_heaps <= 5);
    assert_true(host_stats().committed_bytes <= 32 * MIB);
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
    assert_true(host_stats().used_bytes <= 5 * 2 * VESTA_PAGE_SIZE); /* the heaps themselves */
}

ISOLATED(ten_thousand_threads_leave_nothing) {
    expect_no_growth();
}

ISOLATED(ten_thousand_threads_whose_blocks_others_free_leave_nothing) {
    leave_blocks = true;
    expect_no_growth();
}

/* ---- What an ended thread left ---- */

enum { LEFT = 2000, LEFT_SIZE = 100 };

static void leave_every_tenth(unsigned index) {
    (void)index;
    for (unsigned i = 0; i < LEFT; i++)
        blocks[i] = vesta_host_alloc(LEFT_SIZE);
    for (unsigned i = 0; i < LEFT; i++)
        if (i % 10 != 0)
            vesta_host_free(blocks[i]);
}

static int by_address(const void *a, const void *b) {
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

/* Counts how many of the next blocks are such as the ended thread had freed. */
static unsigned reused_of(unsigned count) {
    static void *sorted[LEFT];
    memcpy(sorted, blocks, sizeof sorted);
    qsort(sorted, LEFT, sizeof *sorted, by_address);
    unsigned reused = 0;
    for (unsigned i = 0; i < count; i++) {
        void *block = vesta_host_alloc(LEFT_SIZE);
        reused += bsearch(&block, sorted, LEFT, sizeof block, by_address) != NULL;
        for (unsigned j = 0; j < LEFT; j += 10)
            assert_ptr_not_equal(block, blocks[j]);
    }
    return reused;
}

ISOLATED(slabs_of_an_ended_thread_are_taken_before_new_ones_are_made) {
    vesta_host_alloc(1);
    run_thread(leave_every_tenth);
    uint64_t slabs = host_stats().slabs;
    assert_true(reused_of(LEFT / 2) >= LEFT / 2 - 10);
    assert_true(host_stats().slabs <= slabs + 1);
    assert_int_equal(host_stats().thread_heaps, 2);
}

static unsigned reused;

static void reuse(unsigned index) {
    (void)index;
    reused = reused_of(LEFT / 2);
}

ISOLATED(who_adopts_a_heap_uses_what_is_in_it) {
    vesta_host_alloc(1);
    run_thread(leave_every_tenth);
    run_thread(reuse);
    assert_int_equal(reused, LEFT / 2);
    assert_int_equal(host_stats().thread_heaps, 2);
}

static void free_what_is_left(unsigned index) {
    (void)index;
    for (unsigned i = 0; i < LEFT; i += 10)
        vesta_host_free(blocks[i]);
}

ISOLATED(blocks_of_an_ended_thread_can_be_freed_by_any_other) {
    run_thread(leave_every_tenth);
    run_threads(1, free_what_is_left);
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

/* ---- Frees that race with the end of the owner ---- */

enum { RACING = 300 };

static unsigned turn;

static void race(unsigned index) {
    if (index == 0) {
        for (unsigned i = 0; i < RACING; i++)
            blocks[i] = vesta_host_alloc(i % 50 * 40);
        give_turn(&turn, 1);
        return; /* and end */
    }
    wait_for_turn(&turn, 1);
    for (unsigned i = index - 1; i < RACING; i += 2)
        vesta_host_free(blocks[i]);
}

ISOLATED(no_block_is_lost_when_its_owner_ends_meanwhile) {
    unsigned rounds = scaled(3000);
    for (unsigned round = 0; round < rounds; round++) {
        turn = 0;
        run_threads(3, race);
    }
    assert_true(host_stats().thread_heaps <= 4);
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

/* Some allocate what others free, some steal, all end and begin all the time. */
static void *shared[256];

static void churn(unsigned index) {
    Random random = {index + (uint64_t)(uintptr_t)&index};
    for (int i = 0; i < 400; i++) {
        void *block = vesta_host_alloc(random_below(&random, 600));
        void **place = &shared[random_below(&random, LENGTH(shared))];
        vesta_host_free(__atomic_exchange_n(place, block, __ATOMIC_ACQ_REL));
    }
}

ISOLATED(heaps_survive_any_order_of_ends) {
    unsigned rounds = scaled(1000);
    for (unsigned round = 0; round < rounds; round++)
        run_threads(6, churn);
    for (size_t i = 0; i < LENGTH(shared); i++)
        vesta_host_free(shared[i]);
    assert_true(host_stats().thread_heaps <= 7);
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

TESTS(cmocka_unit_test(a_new_thread_adopts_the_heap_that_was_left_last),
      cmocka_unit_test(threads_that_live_at_once_have_heaps_of_their_own),
      cmocka_unit_test(the_first_threads_may_come_together), cmocka_unit_test(ten_thousand_threads_leave_nothing),
      cmocka_unit_test(ten_thousand_threads_whose_blocks_others_free_leave_nothing),
      cmocka_unit_test(slabs_of_an_ended_thread_are_taken_before_new_ones_are_made),
      cmocka_unit_test(who_adopts_a_heap_uses_what_is_in_it),
      cmocka_unit_test(blocks_of_an_ended_thread_can_be_freed_by_any_other),
      cmocka_unit_test(no_block_is_lost_when_its_owner_ends_meanwhile),
      cmocka_unit_test(heaps_survive_any_order_of_ends))
