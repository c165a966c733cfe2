// Names neither std::bad_alloc nor anything else that would take it out of a static C++ library.
#include <cstddef>

volatile std::size_t too_much = static_cast<std::size_t>(1) << 62;
char *volatile sink;

int main() {
    try {
        sink = new char[too_much];
    } catch (...) {
        return 0;
    }
    return 1;
}
