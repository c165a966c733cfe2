/* What the environment may say, and what is made of it. */
#define _GNU_SOURCE
#include "support.h"

#include <elf.h>

#include "alloc/heap/options.h"

static const char *current_entry;
static VestaOptions expected;

static void read_one(void) {
    put_in_environment(current_entry);
    vesta_options_read();
    assert_int_equal(vesta_options.stats, expected.stats);
    assert_int_equal(vesta_options.report_errors, expected.report_errors);
    assert_int_equal(vesta_options.huge_pages, expected.huge_pages);
    assert_int_equal(vesta_options.decay, expected.decay);
    assert_int_equal(vesta_options.limit, expected.limit);
}

static void expect_read(const char *entry, VestaOptions options) {
    current_entry = entry;
    expected = options;
    run_isolated(read_one);
}

#define DEFAULTS .decay = 500, .limit = SIZE_MAX

static void everything_has_a_default(void **state) {
    (void)state;
    expect_read("VESTA_NOTHING=1", (VestaOptions){DEFAULTS});
}

static void a_switch_is_on_if_it_is_set_and_not_empty_and_not_0(void **state) {
    (void)state;
    const char *on[] = {"1", "2", "yes", "00", "0x", " "};
    const char *off[] = {"", "0"};
    char entry[64];
    for (size_t i = 0; i < LENGTH(on); i++) {
        strcpy(entry, "VESTA_HOST_ALLOC_STATS=");
        expect_read(strcat(entry, on[i]), (VestaOptions){DEFAULTS, .stats = true});
        strcpy(entry, "VESTA_HOST_ALLOC_HUGE_PAGES=");
        expect_read(strcat(entry, on[i]), (VestaOptions){DEFAULTS, .huge_pages = true});
    }
    for (size_t i = 0; i < LENGTH(off); i++) {
        strcpy(entry, "VESTA_HOST_ALLOC_STATS=");
        expect_read(strcat(entry, off[i]), (VestaOptions){DEFAULTS});
        strcpy(entry, "VESTA_HOST_ALLOC_HUGE_PAGES=");
        expect_read(strcat(entry, off[i]), (VestaOptions){DEFAULTS});
    }
}

static void errors_are_reported_or_abort(void **state) {
    (void)state;
    expect_read("VESTA_HOST_ALLOC_ON_ERROR=report", (VestaOptions){DEFAULTS, .report_errors = true});
    expect_read("VESTA_HOST_ALLOC_ON_ERROR=abort", (VestaOptions){DEFAULTS});
    expect_read("VESTA_HOST_ALLOC_ON_ERROR=", (VestaOptions){DEFAULTS});
}

static void numbers_have_units_and_nothing_else_behind_them(void **state) {
    (void)state;
    const struct {
        const char *text;
        size_t value;
    } numbers[] = {
        {"0", 0},
        {"1", 1},
        {"007", 7},
        {"4096", 4096},
        {"3K", 3 * KIB},
        {"5M", 5 * MIB},
        {"7G", 7 * GIB},
        {"18446744073709551614", SIZE_MAX - 1},
        {"18014398509481983K", SIZE_MAX - KIB + 1},
        /* What is no number means the default. */
        {"18446744073709551616", SIZE_MAX},
        {"18014398509481984K", SIZE_MAX},
        {"99999999999999999999999", SIZE_MAX},
        {"", SIZE_MAX},
        {"K", SIZE_MAX},
        {"-1", SIZE_MAX},
        {"+1", SIZE_MAX},
        {" 1", SIZE_MAX},
        {"1 ", SIZE_MAX},
        {"1k", SIZE_MAX},
        {"1GB", SIZE_MAX},
        {"0x10", SIZE_MAX},
        {"1.5G", SIZE_MAX},
    };
    char entry[64];
    for (size_t i = 0; i < LENGTH(numbers); i++) {
        strcpy(entry, "VESTA_HOST_ALLOC_LIMIT=");
        expect_read(strcat(entry, numbers[i].text), (VestaOptions){.decay = 500, .limit = numbers[i].value});
    }
}

static void the_decay_is_bounded_by_its_type(void **state) {
    (void)state;
    const struct {
        const char *entry;
        uint32_t value;
    } decays[] = {
        {"VESTA_HOST_ALLOC_DECAY_MS=0", 0},
        {"VESTA_HOST_ALLOC_DECAY_MS=20", 20},
        {"VESTA_HOST_ALLOC_DECAY_MS=4294967295", UINT32_MAX},
        {"VESTA_HOST_ALLOC_DECAY_MS=4294967296", UINT32_MAX},
        {"VESTA_HOST_ALLOC_DECAY_MS=never", 500},
    };
    for (size_t i = 0; i < LENGTH(decays); i++)
        expect_read(decays[i].entry, (VestaOptions){.decay = decays[i].value, .limit = SIZE_MAX});
}

/* The kernel sets AT_SECURE for set-user-id programs; it lies behind the environment block. */
ISOLATED(a_program_with_more_rights_than_its_caller_ignores_it) {
    char **end = environment_block;
    while (*end != NULL)
        end++;
    Elf64_auxv_t *auxiliary = (Elf64_auxv_t *)(void *)(end + 1);
    while (auxiliary->a_type != AT_SECURE) {
        assert_int_not_equal(auxiliary->a_type, AT_NULL);
        auxiliary++;
    }
    auxiliary->a_un.a_val = 1;
    put_in_environment("VESTA_HOST_ALLOC_STATS=1");
    put_in_environment("VESTA_HOST_ALLOC_LIMIT=1");
    vesta_options_read();
    assert_false(vesta_options.stats);
    assert_int_equal(vesta_options.limit, SIZE_MAX);
}

TESTS(cmocka_unit_test(everything_has_a_default), cmocka_unit_test(a_switch_is_on_if_it_is_set_and_not_empty_and_not_0),
      cmocka_unit_test(errors_are_reported_or_abort), cmocka_unit_test(numbers_have_units_and_nothing_else_behind_them),
      cmocka_unit_test(the_decay_is_bounded_by_its_type),
      cmocka_unit_test(a_program_with_more_rights_than_its_caller_ignores_it))
