/* The environment block that the kernel passed. Linked three times: with what glibc tells of it, with what musl tells,
 * and with neither, so that /proc must serve. */
#define _GNU_SOURCE
#include "support.h"

#include <errno.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <unistd.h>

#include "alloc/os/os.h"

/* From /proc only what fits into a buffer is read. */
#ifndef ENVIRONMENT_BYTES
#define ENVIRONMENT_BYTES SIZE_MAX
#endif

/* /proc shows the block itself, so an entry must be changed where it lies. */
static void write_over_first_entry(const char *text) {
    size_t i = 0;
    while (strlen(environment_block[i]) < strlen(text)) {
        i++;
        assert_non_null(environment_block[i]);
    }
    memset(environment_block[i], '_', strlen(environment_block[i]));
    memcpy(environment_block[i], text, strlen(text));
}

/* Valgrind's own environment is what /proc shows there. */
static bool is_read_from_where_it_lies(void) {
    return ENVIRONMENT_BYTES == SIZE_MAX || !under_valgrind();
}

ISOLATED(finds_what_is_there_and_only_that) {
    if (!is_read_from_where_it_lies())
        return;
    write_over_first_entry("VT=abc=d,");
    const char *value = vesta_os_environment("VT");
    assert_non_null(value);
    assert_memory_equal(value, "abc=d,", 6);
    assert_null(vesta_os_environment("V"));
    assert_null(vesta_os_environment("VTT"));
    assert_null(vesta_os_environment("abc"));
    assert_null(vesta_os_environment(""));
}

ISOLATED(finds_every_entry_that_getenv_finds) {
    if (!is_read_from_where_it_lies())
        return;
    for (char **entry = environment_block; *entry != NULL; entry++) {
        char name[256] = {0};
        size_t length = strcspn(*entry, "=");
        if (length >= sizeof name || length == 0)
            continue;
        if ((size_t)(*entry - environment_block[0]) + strlen(*entry) >= ENVIRONMENT_BYTES)
            break;
        memcpy(name, *entry, length);
        assert_non_null(vesta_os_environment(name));
        assert_string_equal(vesta_os_environment(name), getenv(name));
    }
}

/* musl's environment is the program's current one: changes are seen, and must do no harm. */
ISOLATED(later_changes_do_not_matter) {
    char name[32];
    for (int i = 0; i < 100; i++) {
        snprintf(name, sizeof name, "VESTA_TEST_LATE_%d", i);
        setenv(name, "1", 1);
#ifdef ENVIRONMENT_IS_CURRENT
        assert_string_equal(vesta_os_environment(name), "1");
#else
        assert_null(vesta_os_environment(name));
#endif
    }
}

ISOLATED(tells_what_the_auxiliary_vector_tells) {
    assert_int_equal(vesta_os_page_size(), sysconf(_SC_PAGESIZE));
    assert_false(vesta_os_is_secure());
    uint64_t random;
    memcpy(&random, (const void *)getauxval(AT_RANDOM), sizeof random);
    assert_int_equal(vesta_os_random(), random);
    assert_string_equal(vesta_os_program_name(), program_invocation_short_name);
    assert_int_equal(vesta_os_process_id(), getpid());
}

TESTS(cmocka_unit_test(finds_what_is_there_and_only_that), cmocka_unit_test(finds_every_entry_that_getenv_finds),
      cmocka_unit_test(later_changes_do_not_matter), cmocka_unit_test(tells_what_the_auxiliary_vector_tells))
