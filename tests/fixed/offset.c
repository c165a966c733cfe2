/* The offset allocator: what its interface promises, point by point. */
#include "unit.h"

#include "alloc/fixed/offset_state.h"

static VestaOffsetAllocation take(VestaOffsetAllocator *a, uint64_t size) {
    VestaOffsetAllocation allocation = {0, 0, 0};
    assert_int_equal(vesta_offset_alloc(a, size, &allocation), VESTA_OK);
    return allocation;
}

static uint64_t free_bytes(VestaOffsetAllocator *a) {
    VestaOffsetReport report;
    vesta_offset_report(a, &report);
    return report.free;
}

static uint64_t largest(VestaOffsetAllocator *a) {
    VestaOffsetReport report;
    vesta_offset_report(a, &report);
    return report.largest;
}

static void everything_can_be_had_at_once(void **state) {
    (void)state;
    const uint64_t capacities[] = {
        1, 1000003, (3 << 20) + 12345, 1ull << 32, (5ull << 30) + 7, (1ull << 63) - 1, 1ull << 63};
    for (size_t i = 0; i < sizeof capacities / sizeof *capacities; i++) {
        uint64_t capacity = capacities[i];
        VestaOffsetAllocator *a = vesta_offset_create(capacity, 8, NULL);
        VestaOffsetAllocation all = take(a, capacity), none;
        assert_int_equal(all.offset, 0);
        assert_int_equal(vesta_offset_size(a, all), capacity);
        assert_int_equal(vesta_offset_alloc(a, 1, &none), VESTA_EXHAUSTED);
        assert_int_equal(vesta_offset_free(a, all), VESTA_OK);
        assert_int_equal(vesta_offset_alloc(a, capacity + 1, &none), VESTA_TOO_LARGE);
        assert_int_equal(vesta_offset_alloc_aligned(a, capacity, 4096, &all), VESTA_OK);
        assert_int_equal(all.offset, 0);
        vesta_offset_destroy(a);
    }
}

static void the_quantum_is_the_smallest_that_covers_the_capacity(void **state) {
    (void)state;
    const uint64_t expected[][2] = {
        {1, 1}, {UINT32_MAX - 1, 1}, {1ull << 32, 2}, {1ull << 40, 512}, {1ull << 63, 1ull << 32}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        VestaOffsetAllocator *a = vesta_offset_create(expected[i][0], 8, NULL);
        VestaOffsetReport report;
        vesta_offset_report(a, &report);
        assert_int_equal(report.capacity, expected[i][0]);
        assert_int_equal(report.quantum, expected[i][1]);
        vesta_offset_destroy(a);
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    VestaOffsetAllocation allocation;
    uint64_t memory[1024];
    assert_null(vesta_offset_create(0, 8, NULL));
    assert_null(vesta_offset_create((1ull << 63) + 1, 8, NULL));
    assert_null(vesta_offset_create(64, 0, NULL));
    assert_null(vesta_offset_create(64, UINT32_MAX, NULL));
    assert_null(vesta_offset_create(64, 8, (char *)memory + 4));
    assert_int_equal(vesta_offset_footprint(UINT32_MAX), 0);
    VestaOffsetAllocator *a = vesta_offset_create(1024, 8, NULL);
    assert_int_equal(vesta_offset_alloc(a, 0, &allocation), VESTA_INVALID);
    assert_int_equal(vesta_offset_alloc_aligned(a, 0, 64, &allocation), VESTA_INVALID);
    assert_int_equal(vesta_offset_alloc_aligned(a, 64, 0, &allocation), VESTA_INVALID);
    assert_int_equal(vesta_offset_alloc_aligned(a, 64, 48, &allocation), VESTA_INVALID);
    assert_int_equal(vesta_offset_alloc(a, UINT64_MAX, &allocation), VESTA_TOO_LARGE);
    vesta_offset_destroy(a);
    vesta_offset_destroy(NULL);
}

static void no_memory_from_the_system_is_no_allocator(void **state) {
    (void)state;
    for (unsigned number = 1; number <= 2; number++) {
        fail_request(number);
        assert_null(vesta_offset_create(1024, 8, NULL));
        fail_request(0);
    }
}

static void handles_that_are_bad_free_nothing(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(1 << 20, 64, NULL), *b = vesta_offset_create(1 << 20, 64, NULL);
    VestaOffsetAllocation first = take(a, 100), second = take(a, 100), foreign = take(b, 100), zero = {0, 0, 0};
    assert_int_equal(vesta_offset_free(a, first), VESTA_OK);
    assert_int_equal(vesta_offset_free(a, first), VESTA_BAD_HANDLE);
    /* Another allocation now has the same node and the same offset. */
    VestaOffsetAllocation again = take(a, 100);
    assert_int_equal(again.node, first.node);
    assert_int_equal(again.offset, first.offset);
    assert_int_equal(vesta_offset_free(a, first), VESTA_BAD_HANDLE);
    assert_int_equal(vesta_offset_free(a, foreign), VESTA_BAD_HANDLE);
    assert_int_equal(vesta_offset_free(a, zero), VESTA_BAD_HANDLE);
    vesta_offset_reset(a);
    assert_int_equal(vesta_offset_free(a, second), VESTA_BAD_HANDLE);
    take(a, 100);
    take(a, 100);
    assert_int_equal(vesta_offset_free(a, second), VESTA_BAD_HANDLE);
    assert_int_equal(free_bytes(a), (1 << 20) - 200);
    vesta_offset_destroy(a);
    vesta_offset_destroy(b);
}

static void a_block_of_exactly_the_size_is_found(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(100 + 101 + 1, 8, NULL);
    VestaOffsetAllocation hole = take(a, 101), none;
    take(a, 1);
    take(a, 100);
    assert_int_equal(vesta_offset_free(a, hole), VESTA_OK);
    assert_int_equal(vesta_offset_alloc(a, 102, &none), VESTA_EXHAUSTED);
    assert_int_equal(take(a, 101).offset, hole.offset);
    vesta_offset_destroy(a);
}

static void without_nodes_nothing_changes(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(4096, 3, NULL);
    VestaOffsetAllocation first = take(a, 100), none;
    take(a, 100);
    assert_int_equal(vesta_offset_alloc(a, 100, &none), VESTA_OUT_OF_NODES);
    assert_int_equal(vesta_offset_alloc_aligned(a, 100, 256, &none), VESTA_OUT_OF_NODES);
    assert_int_equal(take(a, 4096 - 200).offset, 200); /* the whole rest needs none */
    assert_int_equal(vesta_offset_free(a, first), VESTA_OK);
    assert_int_equal(free_bytes(a), 100);
    vesta_offset_destroy(a);
}

static void what_alignment_skips_stays_free(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(1 << 20, 64, NULL);
    VestaOffsetAllocation aligned;
    take(a, 10);
    assert_int_equal(vesta_offset_alloc_aligned(a, 100, 4096, &aligned), VESTA_OK);
    assert_int_equal(aligned.offset, 4096);
    assert_int_equal(free_bytes(a), (1 << 20) - 110);
    assert_int_equal(take(a, 4086).offset, 10);
    vesta_offset_destroy(a);
}

static void five_hundred_aligned_blocks_need_no_more_than_their_alignment(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(500 * 4096, 2048, NULL);
    VestaOffsetAllocation aligned;
    for (unsigned i = 0; i < 500; i++)
        assert_int_equal(vesta_offset_alloc_aligned(a, 64 + i, 4096, &aligned), VESTA_OK);
    vesta_offset_destroy(a);
}

static void freed_neighbours_become_one(void **state) {
    (void)state;
    enum { COUNT = 1000 };
    static VestaOffsetAllocation blocks[COUNT];
    VestaOffsetAllocator *a = vesta_offset_create(COUNT * 64, 2 * COUNT, NULL);
    for (unsigned order = 0; order < 3; order++) {
        for (unsigned i = 0; i < COUNT; i++)
            blocks[i] = take(a, 64);
        for (unsigned i = 0; i < COUNT; i++)
            vesta_offset_free(a, blocks[order == 0 ? i : order == 1 ? COUNT - 1 - i : i * 7 % COUNT]);
        assert_int_equal(largest(a), COUNT * 64);
    }
    vesta_offset_destroy(a);
}

static void fences_free_in_their_order(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(1024, 64, NULL);
    VestaOffsetAllocation one = take(a, 100), two = take(a, 100), three = take(a, 100), early = take(a, 100);
    assert_int_equal(vesta_offset_free_after(a, one, 1), VESTA_OK);
    assert_int_equal(vesta_offset_free_after(a, one, 1), VESTA_BAD_HANDLE);
    assert_int_equal(vesta_offset_free(a, one), VESTA_BAD_HANDLE);
    assert_int_equal(vesta_offset_free_after(a, three, 30), VESTA_OK);
    assert_int_equal(vesta_offset_free_after(a, two, 20), VESTA_OK); /* later fences came before it */
    assert_int_equal(vesta_offset_free_after(a, early, 0), VESTA_OK);
    assert_int_equal(free_bytes(a), 624);
    assert_int_equal(vesta_offset_retire(a, 0), 1);
    assert_int_equal(vesta_offset_retire(a, 19), 1);
    assert_int_equal(free_bytes(a), 824);
    assert_int_equal(vesta_offset_retire(a, 29), 1);
    assert_int_equal(vesta_offset_retire(a, 30), 1);
    assert_int_equal(vesta_offset_retire(a, UINT64_MAX), 0);
    assert_int_equal(largest(a), 1024);
    VestaOffsetReport report;
    vesta_offset_report(a, &report);
    assert_int_equal(report.blocks, 63); /* the fences gave their nodes back */
    vesta_offset_destroy(a);
}

static void without_nodes_a_fence_frees_later_never_earlier(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(300, 3, NULL);
    VestaOffsetAllocation one = take(a, 100), two = take(a, 100), three = take(a, 100);
    assert_int_equal(vesta_offset_free_after(a, two, 20), VESTA_OK);
    assert_int_equal(vesta_offset_free_after(a, one, 10), VESTA_OK);
    assert_int_equal(vesta_offset_free_after(a, three, 30), VESTA_OK);
    assert_int_equal(vesta_offset_retire(a, 29), 0);
    assert_int_equal(vesta_offset_retire(a, 30), 3);
    assert_int_equal(largest(a), 300);
    vesta_offset_destroy(a);
}

static void classes_tell_what_is_free(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(10000, 64, NULL);
    VestaOffsetAllocation blocks[6];
    VestaOffsetClass classes[4];
    for (unsigned i = 0; i < 6; i++)
        blocks[i] = take(a, 100);
    vesta_offset_free(a, blocks[0]);
    vesta_offset_free(a, blocks[2]);
    vesta_offset_free(a, blocks[4]);
    assert_int_equal(vesta_offset_classes(a, NULL, 0), 2);
    assert_int_equal(vesta_offset_classes(a, classes, 4), 2);
    assert_int_equal(classes[0].size_min, 100);
    assert_int_equal(classes[0].blocks, 3);
    assert_int_equal(classes[0].bytes, 300);
    assert_int_equal(classes[1].size_min, 9216);
    assert_int_equal(classes[1].bytes, 9400);
    vesta_offset_destroy(a);
}

static void creating_and_resetting_leave_the_nodes_alone(void **state) {
    (void)state;
    enum { BLOCKS = 1 << 16 };
    size_t size = vesta_offset_footprint(BLOCKS), untouched = size - 8192;
    unsigned char *memory = test_malloc(size);
    for (size_t i = 0; i < size; i++)
        memory[i] = 0xA5;
    VestaOffsetAllocator *a = vesta_offset_create(1 << 20, BLOCKS, memory);
    vesta_offset_reset(a);
    for (size_t i = 0; i < untouched; i++)
        assert_int_equal(memory[i], 0xA5);
    assert_int_equal(largest(a), 1 << 20);
    vesta_offset_destroy(a);
    test_free(memory);
}

static void serial_numbers_start_over(void **state) {
    (void)state;
    VestaOffsetAllocator *a = vesta_offset_create(1024, 8, NULL);
    a->blocks.serial = INT32_MAX - 2;
    for (int i = 0; i < 4; i++) {
        VestaOffsetAllocation allocation = take(a, 10);
        assert_in_range(allocation.serial, 1, INT32_MAX);
        assert_int_equal(vesta_offset_free(a, allocation), VESTA_OK);
        assert_int_equal(vesta_offset_free(a, allocation), VESTA_BAD_HANDLE);
    }
    vesta_offset_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_can_be_had_at_once),
        cmocka_unit_test(the_quantum_is_the_smallest_that_covers_the_capacity),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(no_memory_from_the_system_is_no_allocator),
        cmocka_unit_test(handles_that_are_bad_free_nothing),
        cmocka_unit_test(a_block_of_exactly_the_size_is_found),
        cmocka_unit_test(without_nodes_nothing_changes),
        cmocka_unit_test(what_alignment_skips_stays_free),
        cmocka_unit_test(five_hundred_aligned_blocks_need_no_more_than_their_alignment),
        cmocka_unit_test(freed_neighbours_become_one),
        cmocka_unit_test(fences_free_in_their_order),
        cmocka_unit_test(without_nodes_a_fence_frees_later_never_earlier),
        cmocka_unit_test(classes_tell_what_is_free),
        cmocka_unit_test(creating_and_resetting_leave_the_nodes_alone),
        cmocka_unit_test(serial_numbers_start_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
