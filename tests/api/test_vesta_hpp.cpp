// The C++ face: the same functions, and an allocator for containers.
#include "door.h"

#include <vesta/vesta.hpp>

#include <cstring>
#include <list>
#include <map>
#include <new>
#include <string>
#include <vector>

namespace {

void functions_are_those_of_c(void **) {
    void *block = vesta::host_alloc(100);
    assert_true(vesta::host_owns(block));
    assert_true(vesta::host_usable_size(block) >= 100);
    block = vesta::host_realloc(block, 100000);
    vesta::host_free(block);
    char *zeros = static_cast<char *>(vesta::host_calloc(10, 10));
    assert_int_equal(zeros[99], 0);
    vesta::host_free_sized(zeros, 100);
    vesta::host_free(vesta::host_alloc_zeroed(10));
    void *aligned = vesta::host_alloc_aligned(100, 4096);
    assert_int_equal(reinterpret_cast<std::uintptr_t>(aligned) % 4096, 0);
    vesta::host_free_aligned(aligned);
    vesta::host_free(vesta::host_alloc_aligned_freeable(100, 64));
    assert_false(vesta::host_owns(&block));
    assert_false(vesta::host_alloc_active()); // this program links the heap without the doors
    assert_true(vesta::host_alloc_stats().used_bytes > 0);
    vesta::HostSize size;
    vesta::host_alloc_sizes(&size, 1);
    vesta::host_trim(0);
    assert_false(vesta::host_trim(0));
}

struct alignas(128) Wide {
    char bytes[128];
};

void containers_take_the_allocator(void **) {
    std::vector<int, vesta::Allocator<int>> numbers;
    for (int i = 0; i < 10000; i++)
        numbers.push_back(i);
    assert_true(vesta::host_owns(numbers.data()));
    assert_int_equal(numbers[9999], 9999);
    std::map<int, int, std::less<int>, vesta::Allocator<std::pair<const int, int>>> map;
    for (int i = 0; i < 1000; i++)
        map[i] = i;
    assert_true(vesta::host_owns(&map[500]));
    std::list<Wide, vesta::Allocator<Wide>> wide(10);
    for (const Wide &one : wide)
        assert_int_equal(reinterpret_cast<std::uintptr_t>(&one) % 128, 0);
    assert_true(vesta::Allocator<int>() == vesta::Allocator<char>());
    assert_false(vesta::Allocator<int>() != vesta::Allocator<char>());
}

void exhaustion_throws(void **) {
    for (std::size_t count : {static_cast<std::size_t>(-1), static_cast<std::size_t>(-1) / sizeof(Wide)}) {
        bool thrown = false;
        try {
            vesta::Allocator<Wide>().allocate(count);
        } catch (const std::bad_alloc &) {
            thrown = true;
        }
        assert_true(thrown);
    }
}

} // namespace

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(functions_are_those_of_c),
        cmocka_unit_test(containers_take_the_allocator),
        cmocka_unit_test(exhaustion_throws),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
