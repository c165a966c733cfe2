/* VESTA_HOST_ALLOC_ON_ERROR=report, set by who runs this test: errors are said, and the calls ignored. */
#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_errors(void *block) {
    errno = 4711;
    free((void *)0xBADBEE0);
    free((char *)block + 4096);
    door_host_free((void *)0xBADBEE0);
    if (errno != 4711)
        _exit(1);
    if (realloc((void *)0xBADBEE0, 10) != NULL || errno != EINVAL)
        _exit(2);
    if (malloc_usable_size((void *)0xBADBEE0) != 0)
        _exit(3);
    char *good = malloc(100000);
    memset(good, 1, 100000);
    free(good);
}

static void errors_are_reported_and_ignored(void **state) {
    (void)state;
    assert_string_equal(getenv("VESTA_HOST_ALLOC_ON_ERROR"), "report");
    char *block = malloc(1 << 20);
    memset(block, 7, 1 << 20);
    DoorChild child = door_run_child(make_errors, block);
    assert_int_equal(child.signal, 0);
    assert_int_equal(child.status, 0);
    size_t lines = 0;
    for (const char *c = child.error; *c != '\0'; c++)
        lines += *c == '\n';
    assert_int_equal(lines, 5);
    assert_int_equal(block[(1 << 20) - 1], 7);
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_reported_and_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
