/* Run under `ulimit -v`: memory ends where the limit is, and every entry says so. */
#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

typedef void *Allocate(size_t size);

static void *zeroed(size_t size) {
    return calloc(1, size);
}

static void *resized(size_t size) {
    return realloc(NULL, size);
}

static void *aligned(size_t size) {
    return memalign(64, size);
}

/* Allocates until nothing is left, then frees all of it. Returns how many bytes that were. */
static size_t exhaust(Allocate *allocate, size_t size) {
    void **list = NULL, **block;
    size_t bytes = 0;
    for (errno = 0; (block = allocate(size)) != NULL; errno = 0) {
        assert_true(door_owns(block));
        *block = list;
        list = block;
        bytes += size;
    }
    assert_int_equal(errno, ENOMEM);
    while (list != NULL) {
        void **next = *list;
        free(list);
        list = next;
    }
    return bytes;
}

static void memory_runs_out_with_enomem_and_comes_back(void **state) {
    (void)state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &limit), 0);
    assert_true(limit.rlim_cur < (rlim_t)1 << 31); /* or this test would take all the memory that there is */
    Allocate *const functions[] = {malloc, zeroed, resized, aligned, valloc, pvalloc};
    const size_t sizes[] = {10 << 20, 100000, 500};
    for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            assert_true(exhaust(functions[f], sizes[s]) > limit.rlim_cur / 16);
    char *block = malloc(1000);
    assert_non_null(block);
    memset(block, 7, 1000);
    errno = 0;
    assert_null(realloc(block, limit.rlim_cur));
    assert_int_equal(errno, ENOMEM);
    assert_int_equal(block[999], 7);
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_runs_out_with_enomem_and_comes_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
