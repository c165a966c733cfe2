// The typed helpers of C++.
#include <cstdarg>
#include <cstddef>
#include <csetjmp>
#include <cstdint>
#include <cstring>
extern "C" {
#include <cmocka.h>
}

#include <vesta/mem.hpp>

namespace {

struct Record {
    int number;
    char text[90];
    double value;
};

void one_object_is_copied(void **) {
    Record from = {7, "seven", 7.5}, to = {0, "", 0};
    vesta_memcopy(&to, &from);
    assert_memory_equal(&to, &from, sizeof to);
}

void a_constant_object_is_copied(void **) {
    const int from = 42;
    int to = 0;
    vesta_memcopy(&to, &from);
    assert_int_equal(to, 42);
}

void several_objects_are_copied(void **) {
    Record from[5], to[5];
    for (int i = 0; i < 5; i++) {
        std::memset(&from[i], i + 1, sizeof from[i]);
        std::memset(&to[i], 0, sizeof to[i]);
    }
    vesta_memcopy(to, from, 4);
    assert_memory_equal(to, from, 4 * sizeof *to);
    for (unsigned char byte : reinterpret_cast<unsigned char(&)[sizeof to[4]]>(to[4]))
        assert_int_equal(byte, 0);
}

void an_object_is_filled(void **) {
    Record record;
    vesta_memfill(&record, 0x17f);
    for (unsigned char byte : reinterpret_cast<unsigned char(&)[sizeof record]>(record))
        assert_int_equal(byte, 0x7f);
}

void an_array_is_one_object(void **) {
    std::uint16_t from[3] = {1, 2, 3}, to[3] = {0, 0, 0};
    vesta_memcopy(&to, &from);
    assert_memory_equal(to, from, sizeof to);
    vesta_memfill(&to, 0);
    assert_int_equal(to[2], 0);
}

void the_functions_are_in_the_namespace_too(void **) {
    char from[] = "abc", to[4] = "";
    vesta::vesta_memcpy(to, from, sizeof from);
    assert_string_equal(to, "abc");
    vesta::vesta_memfill(&to, 0);
    assert_int_equal(to[0], 0);
}

} // namespace

int main() {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_object_is_copied),       cmocka_unit_test(a_constant_object_is_copied),
        cmocka_unit_test(several_objects_are_copied), cmocka_unit_test(an_object_is_filled),
        cmocka_unit_test(an_array_is_one_object),     cmocka_unit_test(the_functions_are_in_the_namespace_too),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
