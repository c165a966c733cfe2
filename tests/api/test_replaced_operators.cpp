// A program that replaces some of the operators: its own serve the forms that it left alone, as the standard says.
#include "door.h"

#include <cstddef>
#include <cstdlib>
#include <new>

namespace {

int news, deletes;
enum { HEADER = 32 };

} // namespace

// A header before the block: what these give out cannot go to any other delete.
void *operator new(std::size_t size) {
    char *block = static_cast<char *>(std::malloc(size + HEADER));
    if (block == nullptr)
        throw std::bad_alloc();
    news++;
    return block + HEADER;
}

void operator delete(void *block) noexcept {
    if (block == nullptr)
        return;
    deletes++;
    std::free(static_cast<char *>(block) - HEADER);
}

namespace {

void forms_left_alone_call_the_replaced_ones(void **) {
    news = deletes = 0;
    ::operator delete (::operator new(1000), std::size_t{1000});
    ::operator delete[](::operator new[](1000));
    ::operator delete[](::operator new[](1000), std::size_t{1000});
    ::operator delete(::operator new(1000, std::nothrow), std::nothrow);
    ::operator delete[](::operator new[](1000, std::nothrow), std::nothrow);
    assert_int_equal(news, 5);
    assert_int_equal(deletes, 5);
    assert_null(::operator new(static_cast<std::size_t>(-1) / 4, std::nothrow));
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(forms_left_alone_call_the_replaced_ones),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
