// The operators new and delete: all forms, what they throw, and what happens when memory is short.
#include "door.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const std::align_val_t line{64};
volatile std::size_t too_much = std::numeric_limits<std::size_t>::max() / 4;
// What is not used the compiler does not allocate.
void *volatile sink;

volatile std::size_t above_ptrdiff = static_cast<std::size_t>(PTRDIFF_MAX) + 1;

using Delete = void (*)(void *, std::size_t);

// Every form of new with every form of delete that fits it.
void all_forms_in_all_mixes(void **) {
    using New = void *(*)(std::size_t);
    const New plain_news[] = {
        [](std::size_t n) { return ::operator new(n); },
        [](std::size_t n) { return ::operator new[](n); },
        [](std::size_t n) { return ::operator new(n, std::nothrow); },
        [](std::size_t n) { return ::operator new[](n, std::nothrow); },
        [](std::size_t n) { return std::malloc(n); },
    };
    const Delete plain_deletes[] = {
        [](void *p, std::size_t) { ::operator delete(p); },
        [](void *p, std::size_t) { ::operator delete[](p); },
        [](void *p, std::size_t n) { ::operator delete(p, n); },
        [](void *p, std::size_t n) { ::operator delete[](p, n); },
        [](void *p, std::size_t) { ::operator delete(p, std::nothrow); },
        [](void *p, std::size_t) { ::operator delete[](p, std::nothrow); },
        [](void *p, std::size_t) { std::free(p); },
    };
    const New aligned_news[] = {
        [](std::size_t n) { return ::operator new(n, line); },
        [](std::size_t n) { return ::operator new[](n, line); },
        [](std::size_t n) { return ::operator new(n, line, std::nothrow); },
        [](std::size_t n) { return ::operator new[](n, line, std::nothrow); },
    };
    const Delete aligned_deletes[] = {
        [](void *p, std::size_t) { ::operator delete(p, line); },
        [](void *p, std::size_t) { ::operator delete[](p, line); },
        [](void *p, std::size_t n) { ::operator delete(p, n, line); },
        [](void *p, std::size_t n) { ::operator delete[](p, n, line); },
        [](void *p, std::size_t) { ::operator delete(p, line, std::nothrow); },
        [](void *p, std::size_t) { ::operator delete[](p, line, std::nothrow); },
    };
    for (std::size_t size : {0, 1, 24, 1000, 100000}) {
        for (New form : plain_news)
            for (Delete release : plain_deletes) {
                void *block = form(size);
                assert_true(door_owns(block));
                std::memset(block, 1, size);
                release(block, size);
                release(nullptr, size);
            }
        for (New form : aligned_news)
            for (Delete release : aligned_deletes) {
                void *block = form(size);
                assert_true(door_owns(block));
                assert_int_equal(reinterpret_cast<std::uintptr_t>(block) % 64, 0);
                std::memset(block, 1, size);
                release(block, size);
                release(nullptr, size);
            }
    }
}

void zero_lengths_are_unique(void **) {
    std::vector<char *> arrays;
    for (int i = 0; i < 1000; i++)
        arrays.push_back(new char[0]);
    for (std::size_t i = 1; i < arrays.size(); i++)
        for (std::size_t j = 0; j < i; j++)
            assert_ptr_not_equal(arrays[i], arrays[j]);
    for (char *array : arrays)
        delete[] array;
}

void sizes_given_to_delete_are_right(void **) {
    for (std::size_t size = 1; size <= 2u << 20; size += size < 20000 ? 1 : 997)
        ::operator delete(::operator new(size), size);
}

struct Base {
    char bytes[8];
};

struct Derived : Base {
    char more[100];
};

// Wrong, and common in the field: no virtual destructor, so the size is that of the base.
void sizes_given_to_delete_are_wrong(void **) {
    for (int i = 0; i < 1000; i++) {
        Base *base = new Derived;
        ::operator delete(base, sizeof(Base));
        ::operator delete(::operator new(20000), 8);
        ::operator delete(::operator new(8), 20000);
    }
}

template <typename Exception, typename Act>
bool throws(Act act) {
    try {
        act();
    } catch (const Exception &) {
        return true;
    }
    return false;
}

void exhaustion_throws_bad_alloc(void **) {
    for (std::size_t size : {too_much, above_ptrdiff}) {
        assert_true(throws<std::bad_alloc>([=] { sink = ::operator new(size); }));
        assert_true(throws<std::bad_alloc>([=] { sink = ::operator new[](size); }));
        assert_true(throws<std::bad_alloc>([=] { sink = ::operator new(size, line); }));
        assert_true(throws<std::bad_alloc>([=] { sink = ::operator new[](size, line); }));
        assert_true(throws<std::exception>([=] { sink = ::operator new(size); }));
        assert_null(::operator new(size, std::nothrow));
        assert_null(::operator new[](size, std::nothrow));
        assert_null(::operator new(size, line, std::nothrow));
        assert_null(::operator new[](size, line, std::nothrow));
    }
    assert_true(throws<std::bad_alloc>([] { std::string(too_much / 2, 'x'); }));
}

int calls;

void throws_on_third_call() {
    if (++calls == 3)
        throw std::bad_alloc();
}

void the_handler_is_called_until_it_throws(void **) {
    std::set_new_handler(throws_on_third_call);
    calls = 0;
    assert_true(throws<std::bad_alloc>([] { sink = ::operator new(too_much); }));
    assert_int_equal(calls, 3);
    calls = 0;
    assert_null(::operator new(too_much, std::nothrow));
    assert_int_equal(calls, 3);
    calls = 0;
    assert_null(::operator new[](too_much, line, std::nothrow));
    assert_int_equal(calls, 3);
    std::set_new_handler(nullptr);
}

void resets_itself() {
    calls++;
    std::set_new_handler(nullptr);
}

void a_handler_may_resign(void **) {
    calls = 0;
    std::set_new_handler(resets_itself);
    assert_true(throws<std::bad_alloc>([] { sink = ::operator new(too_much); }));
    assert_int_equal(calls, 1);
    std::set_new_handler(resets_itself);
    assert_null(::operator new(too_much, std::nothrow));
    assert_int_equal(calls, 2);
}

struct OutOfBudget : std::bad_alloc {
    static int alive;
    OutOfBudget() {
        alive++;
    }
    OutOfBudget(const OutOfBudget &) : std::bad_alloc() {
        alive++;
    }
    ~OutOfBudget() override {
        alive--;
    }
};

int OutOfBudget::alive;

void what_a_handler_throws_is_passed_on(void **) {
    std::set_new_handler([] { throw OutOfBudget(); });
    assert_true(throws<OutOfBudget>([] { sink = ::operator new(too_much); }));
    assert_true(throws<OutOfBudget>([] { sink = ::operator new[](too_much); }));
    assert_true(throws<OutOfBudget>([] { sink = ::operator new(too_much, line); }));
    assert_null(::operator new(too_much, std::nothrow));
    assert_null(::operator new[](too_much, std::nothrow));
    assert_null(::operator new(too_much, line, std::nothrow));
    assert_null(::operator new[](too_much, line, std::nothrow));
    assert_int_equal(OutOfBudget::alive, 0);

    // Not of the standard's making, and not an exception class at all.
    std::set_new_handler([] { throw 7; });
    assert_true(throws<int>([] { sink = ::operator new(too_much); }));
    assert_null(::operator new(too_much, std::nothrow));
    std::set_new_handler(nullptr);
}

void act_delete(void *block) {
    ::operator delete(block);
}

void act_delete_aligned(void *block) {
    ::operator delete[](block, line);
}

void bad_pointers_to_delete(void **) {
    const char *nobodys = "free of a pointer that no allocator gave out";
    const char *not_in_use = "free of a block that is not in use";
    void *const nowhere = reinterpret_cast<void *>(0xBADBEE0);
    door_assert_error(act_delete, nowhere, nobodys);
    door_assert_error(act_delete_aligned, nowhere, nobodys);
    char *block = new char[1 << 20];
    door_assert_error(act_delete, block + 4096, not_in_use);
    delete[] block;
    door_assert_error(act_delete, block, not_in_use);
    door_assert_error(act_delete_aligned, block, not_in_use);
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_in_all_mixes),
        cmocka_unit_test(zero_lengths_are_unique),
        cmocka_unit_test(sizes_given_to_delete_are_right),
        cmocka_unit_test(sizes_given_to_delete_are_wrong),
        cmocka_unit_test(exhaustion_throws_bad_alloc),
        cmocka_unit_test(the_handler_is_called_until_it_throws),
        cmocka_unit_test(a_handler_may_resign),
        cmocka_unit_test(what_a_handler_throws_is_passed_on),
        cmocka_unit_test(bad_pointers_to_delete),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
