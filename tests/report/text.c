#include "report/output/text.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

typedef struct Page {
    char characters[64];
    VestaText text;
} Page;

static VestaText *begin(Page *page) {
    page->text = (VestaText){.characters = page->characters, .capacity = sizeof page->characters - 1};
    return &page->text;
}

static const char *written(Page *page) {
    page->characters[page->text.length] = '\0';
    return page->characters;
}

static void numbers_end_at_their_column(void **state) {
    (void)state;
    Page page;
    vesta_text_number(begin(&page), 0, 3);
    assert_string_equal(written(&page), "  0");
    vesta_text_number(begin(&page), UINT64_MAX, 0);
    assert_string_equal(written(&page), "18446744073709551615");
    VestaText *text = begin(&page);
    vesta_text_add(text, "label");
    vesta_text_number(text, 1234, 12);
    vesta_text_end_line(text);
    vesta_text_number(text, 5, 4);
    assert_string_equal(written(&page), "label   1234\n   5");
}

static void bytes_have_the_largest_unit_that_fits(void **state) {
    static const struct {
        uint64_t bytes;
        const char *expected;
    } cases[] = {
        {0, "0 B"},
        {1023, "1023 B"},
        {1024, "1.00 KiB"},
        {1536, "1.50 KiB"},
        {(1 << 20) - 1, "1023.99 KiB"},
        {1 << 20, "1.00 MiB"},
        {UINT64_C(5) << 40 | UINT64_C(1) << 38, "5.25 TiB"},
        {UINT64_MAX, "15.99 EiB"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Page page;
        vesta_text_bytes(begin(&page), cases[i].bytes, 0);
        assert_string_equal(written(&page), cases[i].expected);
    }
}

static void shares_are_rounded_to_a_tenth_of_a_percent(void **state) {
    (void)state;
    Page page;
    vesta_text_share(begin(&page), 1, 3, 0);
    assert_string_equal(written(&page), "33.3 %");
    vesta_text_share(begin(&page), 2, 3, 0);
    assert_string_equal(written(&page), "66.7 %");
    vesta_text_share(begin(&page), 7, 7, 8);
    assert_string_equal(written(&page), " 100.0 %");
    vesta_text_share(begin(&page), 0, 0, 0);
    assert_string_equal(written(&page), "0.0 %");
    vesta_text_share(begin(&page), UINT64_MAX / 4, UINT64_MAX, 0);
    assert_string_equal(written(&page), "25.0 %");
}

static void what_does_not_fit_is_left_out(void **state) {
    (void)state;
    char characters[8] = "-------";
    VestaText text = {.characters = characters, .capacity = 4};
    vesta_text_add(&text, "abcdef");
    vesta_text_pad(&text, 7);
    vesta_text_number(&text, 42, 7);
    assert_int_equal(text.length, 4);
    assert_string_equal(characters, "abcd---");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_end_at_their_column),
        cmocka_unit_test(bytes_have_the_largest_unit_that_fits),
        cmocka_unit_test(shares_are_rounded_to_a_tenth_of_a_percent),
        cmocka_unit_test(what_does_not_fit_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
