/* Every path of this architecture and the generic one, in turn, whatever this CPU would choose. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <vesta/mem.h>

#include "check_path.h"
#include "paths.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static int force(void **state) {
    const ForcedPath *forced = *state;
    forced_path_begin(forced);
    return 0;
}

static int restore(void **state) {
    forced_path_end(*state);
    return 0;
}

static void beside_guard_pages(void **state) {
    const ForcedPath *forced = *state;
    assert_true(right_beside_guard_pages(&forced->path, thoroughness()));
}

static void at_every_alignment(void **state) {
    const ForcedPath *forced = *state;
    assert_true(right_at_every_alignment(&forced->path, thoroughness()));
}

static void across_pages(void **state) {
    const ForcedPath *forced = *state;
    assert_true(right_across_pages(&forced->path, thoroughness()));
}

static void in_place(void **state) {
    const ForcedPath *forced = *state;
    assert_true(right_in_place(&forced->path, thoroughness()));
}

/* Where a loop, another instruction or another kind of store takes over, and sizes past every cache. */
static void around_thresholds(void **state) {
    const ForcedPath *forced = *state;
    size_t sizes[16] = {8192, 65536, 1 << 20, 8 << 20, 64 << 20}, count = 5;
    count += forced_path_thresholds(sizes + count, LENGTH(sizes) - count);
    for (size_t i = 0; i < count; i++) {
        if (thoroughness() != BRIEF || sizes[i] <= 8192)
            assert_true(right_around(&forced->path, sizes[i]));
    }
}

#define MAX_PATHS 16

int main(void) {
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } checks[] = {{"beside_guard_pages", beside_guard_pages},
                  {"at_every_alignment", at_every_alignment},
                  {"across_pages", across_pages},
                  {"in_place", in_place},
                  {"around_thresholds", around_thresholds}};
    static ForcedPath paths[MAX_PATHS];
    size_t count = forced_paths(paths, MAX_PATHS);
    int failures = 0;
    for (size_t i = 0; i < count; i++) {
        struct CMUnitTest tests[LENGTH(checks)];
        for (size_t j = 0; j < LENGTH(checks); j++)
            tests[j] = (struct CMUnitTest){checks[j].name, checks[j].run, force, restore, &paths[i]};
        failures += cmocka_run_group_tests_name(paths[i].path.name, tests, NULL, NULL);
    }
    return failures;
}
