// Brings the C++ runtime into a program that has none.
#include <cstddef>
#include <new>
#include <string>
#include <vector>

namespace {

volatile std::size_t too_much = static_cast<std::size_t>(1) << 62;
void *volatile sink;

struct OutOfBudget : std::bad_alloc {};

} // namespace

// Which step failed, or 0.
extern "C" __attribute__((visibility("default"))) int plugin_run() {
    std::vector<std::string> texts(100, std::string(100, 'x'));
    try {
        sink = ::operator new(too_much);
        return 1;
    } catch (const std::bad_alloc &) {
    }
    if (::operator new(too_much, std::nothrow) != nullptr)
        return 2;
    std::set_new_handler([] { throw OutOfBudget(); });
    try {
        sink = ::operator new(too_much);
        return 3;
    } catch (const OutOfBudget &) {
    }
    if (::operator new(too_much, std::nothrow) != nullptr)
        return 4;
    std::set_new_handler(nullptr);
    return 0;
}
