/* mallinfo and its kin tell the truth about this heap. */
#define _GNU_SOURCE
#include "door.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MIB = 1 << 20 };

static void mallinfo2_follows_what_is_allocated(void **state) {
    (void)state;
    struct mallinfo2 before = mallinfo2();
    char *block = malloc(50 * (size_t)MIB);
    assert_non_null(block);
    struct mallinfo2 during = mallinfo2();
    assert_in_range(during.uordblks - before.uordblks, 50 * MIB, 57 * MIB); /* sizes go up by eighths */
    assert_true(during.arena >= during.uordblks);
    assert_true(during.arena - during.uordblks == during.fordblks);
    free(block);
    struct mallinfo2 after = mallinfo2();
    assert_true(after.uordblks < during.uordblks - 49 * MIB);
}

static void small_blocks_are_counted_too(void **state) {
    (void)state;
    enum { COUNT = 100000, SIZE = 200 };
    static void *blocks[COUNT];
    struct mallinfo2 before = mallinfo2();
    for (size_t i = 0; i < COUNT; i++)
        blocks[i] = malloc(SIZE);
    struct mallinfo2 during = mallinfo2();
    assert_in_range(during.uordblks - before.uordblks, COUNT * SIZE - MIB, COUNT * SIZE * 5 / 4);
    for (size_t i = 0; i < COUNT; i++)
        free(blocks[i]);
}

/* Above 4 GiB, which is address space only: nothing of it is touched. */
static void mallinfo_saturates(void **state) {
    (void)state;
    const size_t size = (size_t)5 << 30;
    char *block = malloc(size);
    if (block == NULL)
        skip(); /* the machine commits no more than it has */
    struct mallinfo2 exact = mallinfo2();
    assert_in_range(exact.uordblks, size, size + 100 * (size_t)MIB);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    struct mallinfo info = mallinfo();
#pragma GCC diagnostic pop
    assert_int_equal(info.uordblks, INT_MAX);
    assert_int_equal(info.arena, INT_MAX);
    assert_true(info.fordblks >= 0);
    free(block);
}

static size_t resident_bytes(void) {
    size_t total, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%zu %zu", &total, &resident), 2);
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void malloc_trim_gives_memory_back(void **state) {
    (void)state;
    enum { COUNT = 64 };
    malloc_trim(0);
    size_t at_start = resident_bytes();
    char *blocks[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        blocks[i] = malloc(MIB);
        memset(blocks[i], 1, MIB);
    }
    assert_true(resident_bytes() >= at_start + (COUNT - 1) * (size_t)MIB);
    for (size_t i = 0; i < COUNT; i++)
        free(blocks[i]);
    malloc_trim(0);
    assert_true(resident_bytes() <= at_start + 2 * MIB);

    char *block = malloc(MIB);
    memset(block, 1, MIB);
    free(block);
    assert_int_equal(malloc_trim(0), 1);
    assert_int_equal(malloc_trim(0), 0);
}

static void print_stats(void *unused) {
    (void)unused;
    malloc_stats();
}

static void malloc_stats_prints_lines(void **state) {
    (void)state;
    char *block = malloc(3 * (size_t)MIB);
    DoorChild child = door_run_child(print_stats, NULL);
    free(block);
    assert_int_equal(child.signal, 0);
    const char *in_use = strstr(child.error, "in use bytes = ");
    assert_non_null(in_use);
    assert_true(strtoul(in_use + strlen("in use bytes = "), NULL, 10) >= 3 * MIB);
    assert_non_null(strstr(child.error, "system bytes = "));
    assert_int_equal(child.error[strlen(child.error) - 1], '\n');
}

static void malloc_info_writes_xml(void **state) {
    (void)state;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(malloc_info(0, file), 0);
    rewind(file);
    char text[1024];
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    assert_int_equal(strncmp(text, "<malloc version=\"1\">\n", 21), 0);
    assert_non_null(strstr(text, "<system type=\"current\" size=\""));
    assert_string_equal(text + length - strlen("</malloc>\n"), "</malloc>\n");
    errno = 0;
    assert_int_not_equal(malloc_info(1, stdout), 0);
    assert_int_equal(errno, EINVAL);
}

static void mallopt_accepts_hints(void **state) {
    (void)state;
    assert_int_equal(mallopt(M_MMAP_THRESHOLD, 1 << 20), 1);
    assert_int_equal(mallopt(M_ARENA_MAX, 1), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mallinfo2_follows_what_is_allocated),
        cmocka_unit_test(small_blocks_are_counted_too),
        cmocka_unit_test(mallinfo_saturates),
        cmocka_unit_test(malloc_trim_gives_memory_back),
        cmocka_unit_test(malloc_stats_prints_lines),
        cmocka_unit_test(malloc_info_writes_xml),
        cmocka_unit_test(mallopt_accepts_hints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
