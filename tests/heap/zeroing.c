/* Blocks of zeros: they are always zero, and made in the way that suits what the caller did with earlier ones. */
#include "support.h"

#include "inside.h"

#include "alloc/heap/host_alloc.h"
#include "alloc/heap/options.h"
#include "alloc/os/os.h"

/* Callers are told apart by their address only; any will do. */
static const VestaCaller *caller(uintptr_t number) {
    static VestaCaller caller;
    caller.return_address = (const void *)(0x400000 + number * 20);
    return &caller;
}

enum { SIZE = 8 << 20 }; /* not cached by the thread, and kept dirty by the span allocator */

/* Leaves free memory that is backed and not zero. */
static void leave_dirt(size_t size) {
    void *block = vesta_host_alloc(size);
    memset(block, 0xFF, size);
    vesta_host_free(block);
}

static bool is_backed(const void *block, size_t size) {
    return vesta_os_resident_pages((uintptr_t)block, size) == size / vesta_os_page_size();
}

static bool is_not_backed(const void *block, size_t size) {
    return vesta_os_resident_pages((uintptr_t)block, size) == 0;
}

ISOLATED(blocks_are_zero_whatever_was_there_before) {
    enum { BLOCKS = 50 };
    unsigned char *blocks[BLOCKS] = {NULL};
    Random random = {17};
    unsigned steps = scaled(6000);
    for (unsigned step = 0; step < steps; step++) {
        size_t i = random_below(&random, BLOCKS);
        size_t size = random_below(&random, (uint64_t)1 << random_below(&random, 22)) + 1;
        vesta_host_free(blocks[i]);
        switch (random_below(&random, 4)) {
        case 0:
            blocks[i] = vesta_host_alloc(size);
            memset(blocks[i], 0xFF, vesta_host_usable_size(blocks[i]));
            break;
        case 1:
            blocks[i] = vesta_host_calloc(size / 7 + 1, 7);
            assert_true(is_zero(blocks[i], (size / 7 + 1) * 7));
            memset(blocks[i], 0xFF, vesta_host_usable_size(blocks[i]));
            break;
        default: {
            /* Some touch all of it, some little. */
            uintptr_t number = random_below(&random, 40);
            blocks[i] = vesta_heap_alloc_zeroed(size, caller(number));
            assert_true(is_zero(blocks[i], size));
            memset(blocks[i], 0xFF, number % 2 == 0 ? vesta_host_usable_size(blocks[i]) : size / 50);
        }
        }
    }
}

ISOLATED(who_touches_little_gets_memory_that_is_not_backed) {
    for (int i = 0; i < 50; i++) {
        leave_dirt(SIZE);
        char *block = vesta_heap_alloc_zeroed(SIZE, caller(1));
        assert_true(is_not_backed(block, SIZE));
        memset(block + SIZE / 2, 1, SIZE / 64);
        vesta_host_free(block);
    }
}

/* Lets `number` allocate `times` blocks, touching all of each or nothing; returns how many were made lazily. */
static int count_lazy(uintptr_t number, int times, bool touch) {
    int lazy = 0;
    for (int i = 0; i < times; i++) {
        leave_dirt(SIZE);
        char *block = vesta_heap_alloc_zeroed(SIZE, caller(number));
        assert_true(is_backed(block, SIZE) || is_not_backed(block, SIZE));
        lazy += is_not_backed(block, SIZE);
        if (touch)
            for (size_t at = 0; at < SIZE; at += vesta_os_page_size())
                block[at] = 1;
        vesta_host_free(block);
    }
    return lazy;
}

ISOLATED(who_touches_all_gets_memory_that_was_written) {
    assert_int_equal(count_lazy(2, 1, true), 1); /* nothing was known */
    assert_int_equal(count_lazy(2, 30, true), 0);
}

ISOLATED(who_touches_all_is_tried_again_ever_more_rarely) {
    int times = (int)scaled(1000), lazy = count_lazy(3, times, true);
    assert_true(lazy >= (times >= 1000 ? 2 : 1));
    assert_true(lazy <= 6);
}

ISOLATED(a_caller_that_changes_its_habits_is_noticed) {
    count_lazy(4, 10, true);
    count_lazy(4, 300, false); /* one of these is the try */
    assert_int_equal(count_lazy(4, 20, false), 20);
    assert_in_range(count_lazy(4, 17, true), 1, 17); /* only every 17th is looked at */
    assert_int_equal(count_lazy(4, 20, true), 0);
}

ISOLATED(callers_do_not_spoil_each_other) {
    for (int i = 0; i < 20; i++) {
        count_lazy(5, 1, true);
        assert_int_equal(count_lazy(6, 1, false), 1);
    }
    assert_int_equal(count_lazy(5, 10, true), 0);
}

ISOLATED(dirty_memory_is_given_back_first_where_there_is_no_other) {
    leave_dirt(SIZE);
    leave_dirt(SIZE * 3 / 2);
    vesta_options.limit = host_stats().committed_bytes;
    char *block = vesta_heap_alloc_zeroed(SIZE, caller(9));
    assert_non_null(block);
    assert_true(is_not_backed(block, SIZE));
    assert_true(is_zero(block, SIZE));
}

ISOLATED(small_amounts_are_written_at_once) {
    enum { LITTLE = 64 << 10 };
    for (int i = 0; i < 20; i++) {
        leave_dirt(LITTLE);
        void *block = vesta_heap_alloc_zeroed(LITTLE, caller(7));
        assert_true(is_backed(block, LITTLE));
        vesta_host_free(block);
    }
}

ISOLATED(memory_that_is_known_to_be_zero_is_not_written) {
    leave_dirt(100);
    /* Fresh from the frontier, and even for callers that touch all. */
    count_lazy(8, 3, true);
    void *blocks[8];
    for (int i = 0; i < 8; i++)
        blocks[i] = vesta_heap_alloc_zeroed(SIZE, caller(8));
    int untouched = 0;
    for (int i = 0; i < 8; i++)
        untouched += is_not_backed(blocks[i], SIZE);
    assert_true(untouched >= 6);
}

TESTS(cmocka_unit_test(blocks_are_zero_whatever_was_there_before),
      cmocka_unit_test(who_touches_little_gets_memory_that_is_not_backed),
      cmocka_unit_test(who_touches_all_gets_memory_that_was_written),
      cmocka_unit_test(who_touches_all_is_tried_again_ever_more_rarely),
      cmocka_unit_test(a_caller_that_changes_its_habits_is_noticed), cmocka_unit_test(callers_do_not_spoil_each_other),
      cmocka_unit_test(dirty_memory_is_given_back_first_where_there_is_no_other),
      cmocka_unit_test(small_amounts_are_written_at_once),
      cmocka_unit_test(memory_that_is_known_to_be_zero_is_not_written))
