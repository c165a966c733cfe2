// A program in C++: new and delete, in its own code and in the library's, and exceptions through them.
#include "check.h"
#include "heap.h"

#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

volatile std::size_t too_much = static_cast<std::size_t>(1) << 62;
void *volatile sink;

struct OutOfBudget : std::bad_alloc {};

template <typename Exception, typename Act>
bool throws(Act act) {
    try {
        act();
    } catch (const Exception &) {
        return true;
    }
    return false;
}

void exceptions() {
    CHECK(throws<std::bad_alloc>([] { sink = ::operator new(too_much); }));
    CHECK(throws<std::exception>([] { sink = ::operator new[](too_much); }));
    CHECK(throws<std::bad_alloc>([] { sink = ::operator new (too_much, std::align_val_t{64}); }));
    CHECK(::operator new(too_much, std::nothrow) == nullptr);
    std::set_new_handler([] { throw OutOfBudget(); });
    CHECK(throws<OutOfBudget>([] { sink = ::operator new(too_much); }));
    CHECK(::operator new[](too_much, std::nothrow) == nullptr);
    CHECK(::operator new (too_much, std::align_val_t{64}, std::nothrow) == nullptr);
    std::set_new_handler(nullptr);
}

struct alignas(256) Wide {
    char bytes[256];
};

void blocks() {
    std::unique_ptr<int> one(new int(1));
    CHECK(is_ours(one.get()));
    std::unique_ptr<Wide[]> wide(new Wide[3]);
    CHECK(is_ours(wide.get()) && reinterpret_cast<std::uintptr_t>(wide.get()) % 256 == 0);
    std::string text(1000, 'x');
    CHECK(is_ours(text.data()));
    std::vector<char> bytes(100000);
    CHECK(is_ours(bytes.data()));
    std::ostringstream stream; // instantiated inside libstdc++
    for (int i = 0; i < 10000; i++)
        stream << i << ' ';
    std::string numbers = stream.str();
    CHECK(is_ours(numbers.data()));
    std::map<std::string, std::string> map;
    for (int i = 0; i < 1000; i++)
        map[std::to_string(i)] = std::string(static_cast<std::size_t>(i), 'y');
    std::thread([&map] { map.clear(); }).join();
    char *copy = strdup("text"); // malloc's and new's are one heap
    ::operator delete(copy);
}

} // namespace

int main() {
    exceptions();
    blocks();
    return 0;
}
