// I5: enough static objects with destructors that the C library's table of exit handlers must grow while they are
// constructed; their destructors free. The last one to run ends the program with success; main's status is a failure.
#include "field.h"

namespace {

constexpr int kObjects = 60;
int alive;

struct Owner {
    char *held = new char[100];
    Owner() {
        alive++;
    }
    ~Owner() {
        delete[] held;
        if (--alive == 0) {
            _exit(0);
        }
    }
};

// One object each with a destructor of its own to register, unlike an array's elements.
template <int Index>
struct Objects : Objects<Index - 1> {
    Objects() {
        static Owner owner;
    }
};
template <>
struct Objects<0> {};
Objects<kObjects> objects;

} // namespace

int main() {
    expect_allocator();
    CHECK(alive == kObjects, "%d objects", alive);
    return 1;
}
