/* The summary that a process prints at its exit, read back. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *subject;

typedef struct Output {
    char text[8192];
} Output;

static void run(const char *environment, const char *argument, Output *output) {
    char command[4096];
    snprintf(command, sizeof command, "env %s '%s' %s 2>&1", environment, subject, argument);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(output->text, 1, sizeof output->text - 1, pipe);
    output->text[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

/* The rest of the line that begins with `label`. */
static const char *after(const Output *output, const char *label) {
    const char *found = strstr(output->text, label);
    if (found == NULL)
        fail_msg("no \"%s\" in:\n%s", label, output->text);
    return found + strlen(label);
}

static uint64_t figure(const Output *output, const char *label) {
    return strtoull(after(output, label), NULL, 10);
}

static void nothing_is_printed_unless_asked(void **state) {
    static const char *const off[] = {"-u VESTA_HOST_ALLOC_STATS",
                                      "VESTA_HOST_ALLOC_STATS=", "VESTA_HOST_ALLOC_STATS=0"};
    (void)state;
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        Output output;
        run(off[i], "", &output);
        assert_string_equal(output.text, "");
    }
}

static void figures_are_those_of_the_process(void **state) {
    (void)state;
    Output output;
    run("VESTA_HOST_ALLOC_STATS=1", "", &output);
    assert_ptr_equal(strstr(output.text, "vesta_alloc: report_summary_subject, process "), output.text);
    assert_int_equal(figure(&output, "\n  allocations "), 1251);
    assert_int_equal(figure(&output, "\n  frees "), 650);
    assert_int_equal(figure(&output, "\n  bytes asked for "), 1000 * 100 + 250 * 20 + (3 << 20));
    assert_in_range(figure(&output, "\n  live "), 600 * 100 + (3 << 20), 600 * 128 + (4 << 20));
    assert_in_range(figure(&output, "\n  peak live "), figure(&output, "\n  live "), 1000 * 128 + (4 << 20));
    assert_true(figure(&output, "\n  peak committed ") >= figure(&output, "\n  committed "));
    assert_int_equal(figure(&output, "\n  large blocks in use "), 1);
    assert_int_equal(figure(&output, "\n  thread heaps "), 1);
    assert_int_equal(figure(&output, "\n  remote frees "), 0);
}

static void resized_blocks_leave_nothing_behind(void **state) {
    (void)state;
    Output output;
    run("VESTA_HOST_ALLOC_STATS=1", "resize", &output);
    assert_true(figure(&output, "\n  allocations ") > 0);
    assert_int_equal(figure(&output, "\n  allocations "), figure(&output, "\n  frees "));
    assert_int_equal(figure(&output, "\n  live "), 0);
    assert_in_range(figure(&output, "\n  peak live "), 40 << 20, 100 << 20);
}

static void sizes_are_split_by_doublings(void **state) {
    (void)state;
    Output output;
    run("VESTA_HOST_ALLOC_STATS=1", "", &output);
#ifdef VESTA_ALLOC_SIZE_HISTOGRAM
    unsigned long allocations, bytes;
    float allocations_share, bytes_share;
    assert_int_equal(sscanf(after(&output, "\n        65 to    128 "), "%lu %f %% %lu %f %%", &allocations,
                            &allocations_share, &bytes, &bytes_share),
                     4);
    assert_int_equal(allocations, 1000);
    assert_int_equal(bytes, 1000 * 100);
    assert_true(allocations_share > 79.8f && allocations_share < 80.0f);
    assert_true(bytes_share > 2.9f && bytes_share < 3.3f);
    assert_int_equal(figure(&output, "\n        17 to     32 "), 250);
    assert_int_equal(figure(&output, "\n     16385 and more "), 1);
    assert_null(strstr(output.text, "    257 to"));
#else
    assert_null(strstr(output.text, " to "));
#endif
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_printed_unless_asked),
        cmocka_unit_test(figures_are_those_of_the_process),
        cmocka_unit_test(resized_blocks_leave_nothing_behind),
        cmocka_unit_test(sizes_are_split_by_doublings),
    };
    if (argc != 2)
        return 2;
    subject = argv[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
