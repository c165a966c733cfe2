/* realloc, and how much of a block may be used. */
#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* Whether the block went back to the heap: it is given out again. */
static bool is_given_out_again(void *block, size_t size) {
    enum { TRIES = 5000 };
    static void *blocks[TRIES];
    bool found = false;
    size_t count = 0;
    while (count < TRIES && !found) {
        blocks[count] = malloc(size);
        found = blocks[count++] == block;
    }
    while (count > 0)
        free(blocks[--count]);
    return found;
}

static void size_zero_frees_and_gives_a_unique_block(void **state) {
    (void)state;
    enum { COUNT = 100 };
    void *blocks[2 * COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        errno = 0;
        blocks[2 * i] = realloc(malloc(40 + i), 0);
        blocks[2 * i + 1] = reallocarray(malloc(100000), 0, 16);
        assert_int_equal(errno, 0);
    }
    for (size_t i = 0; i < 2 * COUNT; i++) {
        assert_non_null(blocks[i]);
        assert_true(door_owns(blocks[i]));
        for (size_t j = 0; j < i; j++)
            assert_ptr_not_equal(blocks[i], blocks[j]);
    }
    for (size_t i = 0; i < 2 * COUNT; i++)
        free(blocks[i]);

    void *block = malloc(1000);
    void *other = realloc(block, 0);
    assert_ptr_not_equal(other, block);
    assert_true(is_given_out_again(block, 1000));
    free(other);

    void *fresh = realloc(NULL, 0);
    assert_non_null(fresh);
    free(fresh);
}

static void content_moves_with_the_block(void **state) {
    (void)state;
    const size_t sizes[] = {1,     16,    17,    128,     129,     1000,     16384,
                            16385, 40000, 70000, 1 << 20, 5 << 20, 33 << 20, 100 << 20};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    for (size_t from = 0; from < COUNT; from++) {
        for (size_t to = 0; to < COUNT; to++) {
            unsigned char *block = malloc(sizes[from]);
            assert_non_null(block);
            size_t kept = sizes[from] < sizes[to] ? sizes[from] : sizes[to];
            size_t step = kept / 1000 + 1;
            for (size_t at = 0; at < kept; at += step)
                block[at] = (unsigned char)(at / step);
            block[kept - 1] = 0xa5;
            block = realloc(block, sizes[to]);
            assert_non_null(block);
            for (size_t at = 0; at < kept - 1; at += step)
                assert_int_equal(block[at], (unsigned char)(at / step));
            assert_int_equal(block[kept - 1], 0xa5);
            memset(block + kept, 1, sizes[to] - kept < 4096 ? sizes[to] - kept : 4096);
            block[sizes[to] - 1] = 1;
            free(block);
        }
    }
}

/* What lies between the requested and the usable size belongs to the caller too: constant, writable, kept. */
static void usable_bytes_are_kept(void **state) {
    (void)state;
    for (size_t size = 0; size < (size_t)4 << 20; size += size / 9 + 1) {
        unsigned char *block = malloc(size);
        size_t usable = malloc_usable_size(block);
        assert_true(usable >= size);
        block[0] = 1;
        block[usable - 1] = 0x5a;
        assert_int_equal(malloc_usable_size(block), usable);
        block = realloc(block, usable + usable / 2 + 100);
        assert_int_equal(block[usable - 1], 0x5a);
        free(block);
    }
    assert_int_equal(malloc_usable_size(NULL), 0);
}

static void calloc_is_zero_after_reuse(void **state) {
    (void)state;
    const size_t sizes[] = {1, 24, 100, 1000, 16000, 17000, 100000, 1 << 20, 10 << 20, 40 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int round = 0; round < 4; round++) {
            unsigned char *dirty = malloc(sizes[i]);
            memset(dirty, 0xff, malloc_usable_size(dirty));
            free(dirty);
            unsigned char *clean = calloc(1, sizes[i]);
            for (size_t at = 0; at < sizes[i]; at++)
                if (clean[at] != 0)
                    fail_msg("byte %zu of %zu is not zero", at, sizes[i]);
            free(clean);
        }
    }
}

static void free_keeps_errno(void **state) {
    (void)state;
    for (size_t size = 1; size <= (size_t)64 << 20; size *= 4) {
        char *block = malloc(size);
        memset(block, 1, size);
        errno = 4711;
        free(block);
        assert_int_equal(errno, 4711);
    }
    errno = 4711;
    free(NULL);
    assert_int_equal(errno, 4711);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_zero_frees_and_gives_a_unique_block),
        cmocka_unit_test(content_moves_with_the_block),
        cmocka_unit_test(usable_bytes_are_kept),
        cmocka_unit_test(calloc_is_zero_after_reuse),
        cmocka_unit_test(free_keeps_errno),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
