/* Size classes over every size of 32 bits, or every STEPth and the class borders: rounding down and up for 3, 4 and 5
 * mantissa bits, against the conversion to a double, which is the same float with more mantissa. */
#include "unit.h"

#include "alloc/base/size_class.h"

#include <string.h>

#ifndef STEP
#define STEP 1
#endif

/* Its exponent counts from 1023, its mantissa has 52 bits. */
static uint64_t double_bits(uint64_t size) {
    double value = (double)size;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline __attribute__((always_inline)) uint64_t first_difference(uint64_t from, uint64_t to, uint32_t bits,
                                                                       uint64_t step) {
    uint32_t bias = (1022 + bits) << bits, previous = vesta_class_down(from - 1, bits);
    for (uint64_t size = from; size <= to; size += step) {
        uint64_t exact = double_bits(size);
        uint32_t down = (uint32_t)(exact >> (52 - bits)) - bias;
        uint32_t up = (uint32_t)((exact + (1ull << (52 - bits)) - 1) >> (52 - bits)) - bias;
        if (step != 1)
            previous = vesta_class_down(size - 1, bits);
        if (vesta_class_down(size, bits) != down || vesta_class_up(size, bits) != up || up != previous + 1)
            return size;
        previous = down;
    }
    return 0;
}

static void check_bits(uint32_t bits) {
    for (uint64_t size = 0; size < 1u << bits; size++) {
        assert_int_equal(vesta_class_down(size, bits), size);
        assert_int_equal(vesta_class_up(size, bits), size);
        assert_int_equal(vesta_class_size((uint32_t)size, bits), size);
    }
    for (uint32_t c = (1u << bits) + 1; c <= vesta_class_down(UINT32_MAX, bits); c++) {
        uint64_t size = vesta_class_size(c, bits);
        assert_int_equal(first_difference(size - 1, size + 1, bits, 1), 0);
        assert_int_equal(vesta_class_down(size, bits), c);
        assert_int_equal(vesta_class_down(size - 1, bits), c - 1);
        assert_int_equal(vesta_class_up(size, bits), c);
    }
}

static void three_bits(void **state) {
    (void)state;
    check_bits(3);
    assert_int_equal(first_difference(1 << 3, UINT32_MAX, 3, STEP), 0);
}

static void four_bits(void **state) {
    (void)state;
    check_bits(4);
    assert_int_equal(first_difference(1 << 4, UINT32_MAX, 4, STEP), 0);
}

static void five_bits(void **state) {
    (void)state;
    check_bits(5);
    assert_int_equal(first_difference(1 << 5, UINT32_MAX, 5, STEP), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_bits),
        cmocka_unit_test(four_bits),
        cmocka_unit_test(five_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
