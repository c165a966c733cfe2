/* Large blocks: shape, alignment, and what they cost while and after they live. */
#include "support.h"

#include "inside.h"

#include "alloc/os/os.h"

static size_t resident_in(const void *block, size_t size) {
    return vesta_os_resident_pages((uintptr_t)block, size) * vesta_os_page_size();
}

ISOLATED(a_large_block_is_as_long_as_asked_and_an_eighth_more_at_most) {
    Random random = {9};
    for (int i = 0; i < 3000; i++) {
        size_t size = VESTA_SMALL_MAX + 1 + random_below(&random, (uint64_t)1 << (15 + i % 14));
        void *block = vesta_host_alloc(size);
        assert_non_null(block);
        size_t usable = vesta_host_usable_size(block);
        assert_true(usable >= size);
        assert_true(usable - size <= size / 8 + VESTA_PAGE_SIZE);
        assert_int_equal((uintptr_t)block % VESTA_PAGE_SIZE, 0);
        memset(block, 1, 16);
        memset((char *)block + usable - 16, 1, 16);
        if (i % 5 != 0)
            vesta_host_free(block);
    }
}

ISOLATED(large_blocks_are_aligned_as_asked) {
    for (size_t alignment = 32 * KIB; alignment <= 256 * MIB; alignment *= 2)
        for (size_t size = 0; size <= 4 * MIB; size = size * 5 + 1) {
            void *block = vesta_host_alloc_aligned(size, alignment);
            assert_non_null(block);
            assert_int_equal((uintptr_t)block % alignment, 0);
            assert_true(vesta_host_usable_size(block) >= size);
            fill_pattern(block, size, alignment);
            void *freeable = vesta_host_alloc_aligned_freeable(size, alignment);
            assert_int_equal((uintptr_t)freeable % alignment, 0);
            fill_pattern(freeable, size, alignment + 1);
            assert_true(has_pattern(block, size, alignment));
            vesta_host_free_aligned(block);
            vesta_host_free(freeable);
        }
}

ISOLATED(what_cannot_be_had_is_null_and_harms_nothing) {
    const size_t sizes[] = {SIZE_MAX,    SIZE_MAX - 15,          SIZE_MAX - VESTA_PAGE_SIZE,
                            PTRDIFF_MAX, (size_t)1 << 62,        1ull << 48,
                            1ull << 41,  VESTA_REGION_ALIGNMENT, VESTA_REGION_ALIGNMENT - 1};
    void *block = vesta_host_alloc(100000);
    fill_pattern(block, 100000, 1);
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        assert_null(vesta_host_alloc(sizes[i]));
        assert_null(vesta_host_alloc_zeroed(sizes[i]));
        assert_null(vesta_host_calloc(1, sizes[i]));
        assert_null(vesta_host_calloc(sizes[i], 1));
        assert_null(vesta_host_realloc(block, sizes[i]));
        assert_null(vesta_host_alloc_aligned(sizes[i], 64));
        assert_null(vesta_host_alloc_aligned(sizes[i], MIB));
        assert_null(vesta_host_alloc_aligned(1, sizes[i]));
    }
    assert_null(vesta_host_calloc((size_t)1 << 32, (size_t)1 << 32));
    assert_null(vesta_host_calloc(SIZE_MAX, 2));
    assert_null(vesta_host_calloc(3, SIZE_MAX / 2));
    assert_null(vesta_host_alloc_aligned(1, 0));
    assert_null(vesta_host_alloc_aligned(1, 24));
    assert_null(vesta_host_alloc_aligned(1, SIZE_MAX / 2 + 1));
    assert_true(has_pattern(block, 100000, 1));
    assert_non_null(vesta_host_alloc(10 * MIB));
}

ISOLATED(a_very_large_block_is_given_back_when_it_is_freed) {
    enum { SIZE = 256 << 20 };
    vesta_host_free(vesta_host_alloc(1)); /* what the system keeps for the heap's address space does not count */
    size_t before = resident_bytes();
    char *block = vesta_host_alloc(SIZE);
    memset(block, 1, SIZE);
    if (resident_bytes_mean_something())
        assert_true(resident_bytes() >= before + SIZE);
    vesta_host_free(block);
    if (resident_bytes_mean_something())
        assert_true(resident_bytes() < before + SIZE / 8);
    assert_int_equal(resident_in(block, SIZE), 0);
    assert_int_equal(host_stats().dirty_bytes, 0);
}

ISOLATED(a_block_of_untouched_memory_costs_nothing) {
    void *block = vesta_host_alloc(GIB);
    assert_int_equal(resident_in(block, GIB), 0);
    void *zeroed = vesta_host_alloc_zeroed(GIB);
    assert_int_equal(resident_in(zeroed, GIB), 0);
    assert_true(is_zero((char *)zeroed + GIB / 2, MIB));
}

ISOLATED(a_freed_block_joins_its_neighbours) {
    void *blocks[30];
    for (int i = 0; i < 30; i++)
        blocks[i] = vesta_host_alloc(2 * MIB);
    vesta_host_alloc(2 * MIB);
    uint64_t committed = host_stats().committed_bytes;
    for (int i = 0; i < 30; i++)
        vesta_host_free(blocks[i * 7 % 30]);
    assert_ptr_equal(vesta_host_alloc(60 * MIB), blocks[0]);
    assert_int_equal(host_stats().committed_bytes, committed);
}

TESTS(cmocka_unit_test(a_large_block_is_as_long_as_asked_and_an_eighth_more_at_most),
      cmocka_unit_test(large_blocks_are_aligned_as_asked),
      cmocka_unit_test(what_cannot_be_had_is_null_and_harms_nothing),
      cmocka_unit_test(a_very_large_block_is_given_back_when_it_is_freed),
      cmocka_unit_test(a_block_of_untouched_memory_costs_nothing), cmocka_unit_test(a_freed_block_joins_its_neighbours))
