/* Sizes at both ends: none at all, and more than there can be. */
#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

enum { COUNT = 100000 };

static int compare_addresses(const void *a, const void *b) {
    uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
    return (left > right) - (left < right);
}

static void zero_sizes_give_unique_blocks(void **state) {
    (void)state;
    static void *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        void *block = i % 4 == 0   ? malloc(0)
                      : i % 4 == 1 ? calloc(0, i)
                      : i % 4 == 2 ? realloc(NULL, 0)
                                   : memalign(64, 0);
        assert_non_null(block);
        assert_true(door_owns(block));
        blocks[i] = block;
    }
    qsort(blocks, COUNT, sizeof *blocks, compare_addresses);
    for (size_t i = 1; i < COUNT; i++)
        assert_ptr_not_equal(blocks[i - 1], blocks[i]);
    for (size_t i = 0; i < COUNT; i++)
        free(blocks[i]);
}

/* Asserts that an expression gives NULL and sets errno to ENOMEM. */
#define ASSERT_NO_MEMORY(expression)                                                                                   \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        assert_null(expression);                                                                                       \
        assert_int_equal(errno, ENOMEM);                                                                               \
    } while (0)

static void more_than_ptrdiff_max_fails(void **state) {
    (void)state;
    const size_t sizes[] = {(size_t)PTRDIFF_MAX + 1,
                            (size_t)PTRDIFF_MAX + 4096,
                            SIZE_MAX - 4096,
                            SIZE_MAX - 100,
                            SIZE_MAX - 15,
                            SIZE_MAX - 1,
                            SIZE_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *block = malloc(100);
        block[99] = 'x';
        ASSERT_NO_MEMORY(malloc(sizes[i]));
        ASSERT_NO_MEMORY(calloc(1, sizes[i]));
        ASSERT_NO_MEMORY(calloc(sizes[i], 1));
        ASSERT_NO_MEMORY(realloc(NULL, sizes[i]));
        ASSERT_NO_MEMORY(realloc(block, sizes[i]));
        ASSERT_NO_MEMORY(reallocarray(block, sizes[i], 1));
        ASSERT_NO_MEMORY(aligned_alloc(16, sizes[i]));
        ASSERT_NO_MEMORY(aligned_alloc(64, sizes[i]));
        ASSERT_NO_MEMORY(memalign(4096, sizes[i]));
        ASSERT_NO_MEMORY(valloc(sizes[i]));
        ASSERT_NO_MEMORY(pvalloc(sizes[i]));
        assert_int_equal(block[99], 'x');
        free(block);
    }
}

/* Below the limit of the type, above what any machine has. */
static void more_than_there_is_fails(void **state) {
    (void)state;
    char *block = malloc(100);
    block[99] = 'x';
    for (size_t size = (size_t)PTRDIFF_MAX; size >= (size_t)1 << 52; size /= 2) {
        ASSERT_NO_MEMORY(malloc(size));
        ASSERT_NO_MEMORY(calloc(1, size));
        ASSERT_NO_MEMORY(realloc(block, size));
        ASSERT_NO_MEMORY(memalign(64, size));
        ASSERT_NO_MEMORY(valloc(size));
    }
    assert_int_equal(block[99], 'x');
    free(block);
}

static void overflowing_products_fail(void **state) {
    (void)state;
    char *block = malloc(100);
    block[99] = 'x';
    const size_t half = (size_t)1 << (sizeof(size_t) * 4);
    ASSERT_NO_MEMORY(calloc(half, half));
    ASSERT_NO_MEMORY(calloc(half, half + 1)); /* wraps to a small size */
    ASSERT_NO_MEMORY(calloc(SIZE_MAX / 2 + 2, 2));
    ASSERT_NO_MEMORY(reallocarray(block, half, half));
    ASSERT_NO_MEMORY(reallocarray(block, SIZE_MAX / 2 + 2, 2));
    ASSERT_NO_MEMORY(reallocarray(NULL, SIZE_MAX / 2 + 2, 2));
    assert_int_equal(block[99], 'x');
    free(block);
}

static void sizes_near_the_limit_with_alignment_fail(void **state) {
    (void)state;
    const struct {
        size_t alignment, size;
    } requests[] = {
        {64, (size_t)PTRDIFF_MAX},
        {64, (size_t)PTRDIFF_MAX - 63},
        {4096, SIZE_MAX - 100},
        {(size_t)1 << 62, 1},
        {(size_t)1 << 63, 1},
        {(size_t)1 << 63, (size_t)1 << 63},
        {(size_t)1 << 62, SIZE_MAX},
        {(size_t)1 << 40, SIZE_MAX / 2},
        {(size_t)1 << 50, (size_t)1 << 50},
    };
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        void *block = (void *)0x1234;
        assert_int_equal(posix_memalign(&block, requests[i].alignment, requests[i].size), ENOMEM);
        assert_ptr_equal(block, (void *)0x1234);
        ASSERT_NO_MEMORY(aligned_alloc(requests[i].alignment, requests[i].size));
        ASSERT_NO_MEMORY(memalign(requests[i].alignment, requests[i].size));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zero_sizes_give_unique_blocks),
        cmocka_unit_test(more_than_ptrdiff_max_fails),
        cmocka_unit_test(more_than_there_is_fails),
        cmocka_unit_test(overflowing_products_fail),
        cmocka_unit_test(sizes_near_the_limit_with_alignment_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
