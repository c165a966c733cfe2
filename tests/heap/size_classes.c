/* Sizes to classes and back, against classes that are simply counted. */
#include "support.h"

#include "alloc/heap/size_classes.h"

_Static_assert(VESTA_CLASS_UP(1024, 3) == 64, "usable in constant expressions");

/* The next class size after `size`: one more up to 2^bits, then 2^bits steps to each doubling. */
static uint64_t next_size(uint64_t size, uint32_t bits) {
    uint64_t step = 1;
    while (size >> (bits + 1) >= step)
        step *= 2;
    return size + step;
}

static void every_size_has_its_class(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits <= 6; bits++) {
        uint64_t class_size = 0, next = next_size(0, bits);
        uint32_t class_index = 0;
        for (uint64_t size = 0; size <= 1 << 20; size++) {
            if (size == next) {
                class_size = next;
                next = next_size(next, bits);
                class_index++;
            }
            assert_int_equal(vesta_class_down(size, bits), class_index);
            assert_int_equal(vesta_class_up(size, bits), size == class_size ? class_index : class_index + 1);
            assert_int_equal(vesta_class_size(class_index, bits), class_size);
        }
    }
}

static void class_sizes_are_exact_up_to_64_bits(void **state) {
    (void)state;
    for (uint32_t bits = 0; bits <= 6; bits++) {
        uint32_t class_index = 0;
        uint64_t size = 0, next = next_size(0, bits);
        for (; next > size; size = next, next = next_size(size, bits), class_index++) {
            assert_int_equal(vesta_class_size(class_index, bits), size);
            assert_int_equal(vesta_class_down(size, bits), class_index);
            assert_int_equal(vesta_class_up(size, bits), class_index);
            assert_int_equal(vesta_class_down(next - 1, bits), class_index);
            assert_int_equal(vesta_class_up(size + 1, bits), class_index + 1);
        }
        assert_int_equal(vesta_class_down(UINT64_MAX, bits), class_index);
    }
}

static void small_sizes_get_the_smallest_class_that_fits(void **state) {
    (void)state;
    for (size_t size = 0; size <= VESTA_SMALL_MAX; size++) {
        uint32_t class_index = vesta_small_class(size);
        assert_true(class_index < VESTA_SMALL_CLASSES);
        assert_true(vesta_small_size(class_index) >= size);
        assert_true(class_index == 0 || vesta_small_size(class_index - 1) < size);
        assert_int_equal(vesta_small_bins[(size + VESTA_GRANULE - 1) / VESTA_GRANULE], class_index * sizeof(VestaBin));
    }
    assert_int_equal(vesta_small_size(0), VESTA_GRANULE);
    assert_int_equal(vesta_small_size(VESTA_SMALL_CLASSES - 1), VESTA_SMALL_MAX);
}

static void small_classes_are_16_bytes_apart_then_an_eighth(void **state) {
    (void)state;
    for (uint32_t i = 0; i < VESTA_SMALL_CLASSES; i++) {
        uint32_t size = vesta_small_size(i);
        assert_int_equal(size % VESTA_GRANULE, 0);
        if (size <= 128)
            assert_int_equal(size, 16 * (i + 1));
        else
            assert_true((size - vesta_small_size(i - 1)) * 8 <= size);
    }
}

static void slabs_have_16_blocks_in_as_few_pages_as_that_takes(void **state) {
    (void)state;
    for (uint32_t i = 0; i < VESTA_SMALL_CLASSES; i++) {
        uint32_t size = vesta_small_size(i), pages = vesta_slab_pages(size);
        assert_true(pages * VESTA_PAGE_SIZE / size >= VESTA_SLAB_BLOCKS_MIN);
        assert_true(pages == 1 || (pages - 1) * VESTA_PAGE_SIZE / size < VESTA_SLAB_BLOCKS_MIN);
        assert_true(pages * VESTA_PAGE_SIZE / size <= UINT16_MAX);
    }
}

TESTS(cmocka_unit_test(every_size_has_its_class), cmocka_unit_test(class_sizes_are_exact_up_to_64_bits),
      cmocka_unit_test(small_sizes_get_the_smallest_class_that_fits),
      cmocka_unit_test(small_classes_are_16_bytes_apart_then_an_eighth),
      cmocka_unit_test(slabs_have_16_blocks_in_as_few_pages_as_that_takes))
