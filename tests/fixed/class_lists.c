/* Class lists against arrays, and the size classes against the small float that they are. */
#include "unit.h"

#include "alloc/base/class_lists.h"

#include <string.h>

enum { ELEMENTS = 512, CLASSES_USED = 80 };

/* Elements lie below the table. */
static struct {
    VestaLinks elements[ELEMENTS];
    VestaClassLists lists;
} memory;

static int32_t link_of(unsigned element) {
    return (int32_t)element - ELEMENTS;
}

typedef struct Model {
    int class_of[ELEMENTS]; /* or -1 */
    unsigned count[CLASSES_USED];
} Model;

static void expect_same(const Model *model) {
    for (unsigned c = 0; c < CLASSES_USED; c++) {
        uint32_t found, expected = c;
        while (expected < CLASSES_USED && model->count[expected] == 0)
            expected++;
        assert_int_equal(vesta_lists_find(&memory.lists, c, &found), expected < CLASSES_USED);
        if (expected < CLASSES_USED)
            assert_int_equal(found, expected);
        assert_int_equal(vesta_lists_is_empty(&memory.lists, c), model->count[c] == 0);
        unsigned count = 0;
        int32_t link = model->count[c] == 0 ? 0 : memory.lists.heads[c].next, previous = (int32_t)c;
        for (; link != 0; count++) {
            assert_int_equal(model->class_of[link + ELEMENTS], c);
            assert_int_equal(vesta_lists_at(&memory.lists, link)->previous, previous);
            previous = link;
            link = vesta_lists_at(&memory.lists, link)->next;
        }
        assert_int_equal(count, model->count[c]);
    }
}

static void lists_hold_what_was_put_in(void **state) {
    (void)state;
    Model model = {.count = {0}};
    uint64_t random = 1;
    memset(model.class_of, -1, sizeof model.class_of);
    memset(&memory, 0xA5, sizeof memory); /* heads count only while their bit is set */
    vesta_lists_clear(&memory.lists);
    for (int i = 0; i < 20000; i++) {
        unsigned element = next_random(&random) % ELEMENTS;
        uint32_t c = (uint32_t)(next_random(&random) % CLASSES_USED);
        if (model.class_of[element] >= 0) {
            vesta_lists_remove(&memory.lists, link_of(element));
            model.count[model.class_of[element]]--;
            model.class_of[element] = -1;
        } else {
            bool was_empty = model.count[c] == 0;
            assert_int_equal(vesta_lists_start(&memory.lists, c, link_of(element)), was_empty);
            if (!was_empty)
                vesta_lists_insert_behind(&memory.lists, i % 2 == 0 ? (int32_t)c : memory.lists.heads[c].next,
                                          link_of(element));
            model.class_of[element] = (int)c;
            model.count[c]++;
        }
        if (i % 100 == 0)
            expect_same(&model);
    }
    vesta_lists_clear(&memory.lists);
    memset(model.count, 0, sizeof model.count);
    expect_same(&model);
}

static void the_highest_class_can_be_found(void **state) {
    (void)state;
    uint32_t last = VESTA_LISTS_CLASSES - 1, found;
    vesta_lists_clear(&memory.lists);
    assert_int_equal(vesta_lists_class(UINT32_MAX), last);
    assert_true(vesta_lists_start(&memory.lists, last, link_of(0)));
    assert_true(vesta_lists_find(&memory.lists, 0, &found));
    assert_int_equal(found, last);
    assert_false(vesta_lists_find(&memory.lists, VESTA_LISTS_CLASSES, &found));
}

static void same_class_is_what_it_says(void **state) {
    (void)state;
    uint64_t random = 2;
    for (int i = 0; i < 1000000; i++) {
        uint32_t size = (uint32_t)(next_random(&random) >> (32 + next_random(&random) % 32));
        uint32_t other = size ^ (uint32_t)(next_random(&random) >> (32 + next_random(&random) % 32));
        assert_int_equal(vesta_lists_same_class(size, other), vesta_lists_class(size) == vesta_lists_class(other));
        assert_int_equal(vesta_lists_class(size), vesta_class_down(size, VESTA_LISTS_BITS));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_hold_what_was_put_in),
        cmocka_unit_test(the_highest_class_can_be_found),
        cmocka_unit_test(same_class_is_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
