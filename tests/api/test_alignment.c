/* Alignment, asked for and natural. */
#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_aligned(const void *block, size_t alignment) {
    return (uintptr_t)block % alignment == 0;
}

static void posix_memalign_refuses_what_is_no_alignment(void **state) {
    (void)state;
    volatile size_t alignments[] = {0, 1, 2, 3, 4, 12, 24, 4095, SIZE_MAX, SIZE_MAX / 2};
    for (size_t i = 0; i < sizeof alignments / sizeof *alignments; i++) {
        void *block = (void *)0x1234;
        assert_int_equal(posix_memalign(&block, alignments[i], 100), EINVAL);
        assert_ptr_equal(block, (void *)0x1234);
    }
}

static void aligned_alloc_takes_powers_of_two_with_any_size(void **state) {
    (void)state;
    const struct {
        size_t alignment, size;
    } requests[] = {{1, 1}, {1, 100}, {2, 7}, {4, 4}, {64, 100}, {4096, 1}, {4096, 0}, {1 << 20, 3}};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        void *(*const functions[])(size_t, size_t) = {aligned_alloc, memalign};
        for (size_t f = 0; f < 2; f++) {
            void *block = functions[f](requests[i].alignment, requests[i].size);
            assert_non_null(block);
            assert_true(door_owns(block));
            assert_true(is_aligned(block, requests[i].alignment) && is_aligned(block, 16));
            memset(block, 1, requests[i].size);
            free(block);
        }
    }
    volatile size_t refused[] = {0, 3, 24, 100, SIZE_MAX}; /* clang 14 does not survive it as a constant */
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        errno = 0;
        assert_null(aligned_alloc(refused[i], 100));
        assert_int_equal(errno, EINVAL);
        errno = 0;
        assert_null(memalign(refused[i], 100));
        assert_int_equal(errno, EINVAL);
    }
}

static void equal_size_and_alignment(void **state) {
    (void)state;
    enum { LIVE = 8 };
    for (size_t n = 1; n <= (size_t)8 << 20; n *= 2) {
        void *blocks[LIVE];
        for (size_t i = 0; i < LIVE; i++) {
            if (i % 2 == 0)
                blocks[i] = aligned_alloc(n, n);
            else if (posix_memalign(&blocks[i], n < sizeof(void *) ? sizeof(void *) : n, n) != 0)
                fail();
            assert_non_null(blocks[i]);
            assert_true(is_aligned(blocks[i], n));
            memset(blocks[i], (int)i, n);
        }
        for (size_t i = 0; i < LIVE; i++) {
            assert_int_equal(*(unsigned char *)blocks[i], i);
            assert_int_equal(((unsigned char *)blocks[i])[n - 1], i);
            free(blocks[i]);
        }
    }
}

static void whole_pages(void **state) {
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t sizes[] = {0, 1, page - 1, page, page + 1, 10 * page + 7};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *pages = valloc(sizes[i]), *rounded = pvalloc(sizes[i]);
        assert_true(pages != NULL && is_aligned(pages, page));
        assert_true(rounded != NULL && is_aligned(rounded, page));
        assert_true(malloc_usable_size(pages) >= sizes[i]);
        assert_true(malloc_usable_size(rounded) >= page && malloc_usable_size(rounded) >= sizes[i]);
        free(pages);
        free(rounded);
    }
}

/* Usable bytes count from the block that the caller has: all of them can be written, and are kept by realloc. */
static void usable_size_of_aligned_blocks(void **state) {
    (void)state;
    enum { LIVE = 16 };
    const size_t alignments[] = {16, 32, 64, 256, 4096, 65536, 1 << 20};
    const size_t sizes[] = {0, 1, 33, 100, 4000, 20000, 300000};
    for (size_t a = 0; a < sizeof alignments / sizeof *alignments; a++) {
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            unsigned char *blocks[LIVE];
            size_t usable[LIVE];
            for (size_t i = 0; i < LIVE; i++) {
                blocks[i] = memalign(alignments[a], sizes[s]);
                usable[i] = malloc_usable_size(blocks[i]);
                assert_true(usable[i] >= sizes[s]);
                memset(blocks[i], (int)i, usable[i]);
            }
            for (size_t i = 0; i < LIVE; i++) {
                assert_int_equal(malloc_usable_size(blocks[i]), usable[i]);
                unsigned char *larger = realloc(blocks[i], usable[i] * 2 + 1);
                for (size_t at = 0; at < usable[i]; at++)
                    assert_int_equal(larger[at], i);
                unsigned char *smaller = realloc(larger, usable[i] / 3 + 1);
                for (size_t at = 0; at < usable[i] / 3; at++)
                    assert_int_equal(smaller[at], i);
                free(smaller);
            }
        }
    }
}

static void every_size_is_aligned_to_16(void **state) {
    (void)state;
    for (int round = 0; round < 8; round++) {
        void *kept[4097];
        for (size_t size = 1; size <= 4096; size++) {
            kept[size] = round % 2 == 0 ? malloc(size) : calloc(1, size);
            assert_true(kept[size] != NULL && is_aligned(kept[size], 16));
        }
        for (size_t size = 1; size <= 4096; size++)
            free(kept[size]);
    }
    for (size_t size = 4096; size <= (size_t)64 << 20; size += size / 7) {
        void *block = malloc(size);
        assert_true(block != NULL && is_aligned(block, 16));
        free(block);
    }
}

static void realloc_keeps_16(void **state) {
    (void)state;
    void *block = NULL;
    for (size_t size = 16; size <= (size_t)8 << 20; size += size / 5 + 1) {
        block = realloc(block, size);
        assert_true(block != NULL && is_aligned(block, 16));
    }
    for (size_t size = (size_t)8 << 20; size > 0; size -= size / 5 + 1) {
        block = realloc(block, size);
        assert_true(block != NULL && is_aligned(block, 16));
    }
    free(block);
    block = aligned_alloc(4096, 100);
    for (size_t size = 100; size <= (size_t)1 << 20; size *= 3) {
        block = realloc(block, size);
        assert_true(block != NULL && is_aligned(block, 16));
    }
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(posix_memalign_refuses_what_is_no_alignment),
        cmocka_unit_test(aligned_alloc_takes_powers_of_two_with_any_size),
        cmocka_unit_test(equal_size_and_alignment),
        cmocka_unit_test(whole_pages),
        cmocka_unit_test(usable_size_of_aligned_blocks),
        cmocka_unit_test(every_size_is_aligned_to_16),
        cmocka_unit_test(realloc_keeps_16),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
