/* The two-level bitmap against an array of booleans. */
#include "support.h"

#include "alloc/base/bitmap.h"

enum { MOST = 4096 };

typedef struct Model {
    uint64_t top, words[VESTA_BITMAP_WORDS(MOST)];
    bool set[MOST];
} Model;

static void expect_same_from(const Model *model, uint32_t from) {
    uint32_t expected = from;
    while (expected < MOST && !model->set[expected])
        expected++;
    assert_int_equal(vesta_bitmap_find(model->top, model->words, from), expected < MOST ? expected : VESTA_BITMAP_NONE);
}

static void every_single_bit_is_found(void **state) {
    (void)state;
    static Model model;
    for (uint32_t bit = 0; bit < MOST; bit++) {
        vesta_bitmap_set(&model.top, model.words, bit);
        model.set[bit] = true;
        expect_same_from(&model, 0);
        expect_same_from(&model, bit);
        if (bit != 0)
            expect_same_from(&model, bit - 1);
        if (bit + 1 < MOST)
            expect_same_from(&model, bit + 1);
        vesta_bitmap_clear(&model.top, model.words, bit);
        model.set[bit] = false;
        assert_int_equal(vesta_bitmap_find(model.top, model.words, 0), VESTA_BITMAP_NONE);
    }
}

static void finds_what_a_search_bit_by_bit_finds(void **state) {
    (void)state;
    static Model model;
    Random random = {1};
    for (int round = 0; round < 200; round++) {
        /* From nearly empty to nearly full, and back. */
        uint64_t share = (uint64_t)(round < 100 ? round : 200 - round);
        for (int i = 0; i < 200; i++) {
            uint32_t bit = (uint32_t)random_below(&random, MOST);
            model.set[bit] = random_below(&random, 100) < share;
            if (model.set[bit])
                vesta_bitmap_set(&model.top, model.words, bit);
            else
                vesta_bitmap_clear(&model.top, model.words, bit);
            expect_same_from(&model, (uint32_t)random_below(&random, MOST));
        }
        for (uint32_t from = 0; from < MOST; from += 17)
            expect_same_from(&model, from);
    }
}

static void clearing_twice_and_setting_twice_change_nothing(void **state) {
    (void)state;
    Model model = {.top = 0};
    vesta_bitmap_set(&model.top, model.words, 100);
    vesta_bitmap_set(&model.top, model.words, 100);
    vesta_bitmap_clear(&model.top, model.words, 99);
    assert_int_equal(vesta_bitmap_find(model.top, model.words, 0), 100);
    vesta_bitmap_clear(&model.top, model.words, 100);
    vesta_bitmap_clear(&model.top, model.words, 100);
    assert_int_equal(vesta_bitmap_find(model.top, model.words, 0), VESTA_BITMAP_NONE);
}

TESTS(cmocka_unit_test(every_single_bit_is_found), cmocka_unit_test(finds_what_a_search_bit_by_bit_finds),
      cmocka_unit_test(clearing_twice_and_setting_twice_change_nothing))
