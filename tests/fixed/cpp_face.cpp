// The C++ face: owners free what they hold, errors are exceptions or empty optionals.
#include <vesta/fixed.hpp>

#include <cstring>
#include <string>
#include <vector>

#include "support.h"

extern "C" {
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
}

static bool throws_bad_alloc(void (*action)()) {
    try {
        action();
    } catch (const std::bad_alloc &) {
        return true;
    }
    return false;
}

static void containers_live_in_a_scratch_arena(void **) {
    vesta::ScratchArena arena(4096);
    vesta::ScratchResource resource(arena);
    {
        vesta::ScratchScope scope(arena);
        std::pmr::vector<std::pmr::string> lines(&resource);
        for (int i = 0; i < 1000; i++)
            lines.emplace_back(100, static_cast<char>('a' + i % 26));
        assert_true(lines[999] == std::pmr::string(100, 'a' + 999 % 26));
        assert_true(resource.is_equal(resource));
    }
    std::size_t chunks = host_blocks();
    void *first = arena.alloc(16);
    arena.reset();
    assert_ptr_equal(arena.alloc(16), first);
    assert_int_equal(host_blocks(), chunks);
}

static void scratch_objects_are_aligned(void **) {
    struct alignas(256) Wide {
        int value;
    };
    vesta::ScratchArena arena;
    for (int i = 0; i < 10; i++) {
        Wide *wide = arena.make<Wide>(Wide{i});
        assert_int_equal(reinterpret_cast<std::uintptr_t>(wide) % 256, 0);
        assert_int_equal(wide->value, i);
    }
}

static void a_full_buffer_throws(void **) {
    assert_true(throws_bad_alloc([] {
        alignas(16) char buffer[64];
        vesta::ScratchArena arena(buffer, sizeof buffer);
        std::memset(arena.alloc(64), 0, 64);
        assert_null(arena.try_alloc(1));
        (void)arena.alloc(1);
    }));
}

static void scratch_memory_goes_back(void **) {
    assert_int_equal(host_blocks(), 0);
}

static void offsets(void **) {
    vesta::OffsetAllocator allocator(1 << 20, 64);
    auto first = allocator.alloc(100), aligned = allocator.alloc(100, 4096);
    assert_true(first && aligned && aligned->offset == 4096);
    assert_false(allocator.alloc(1 << 20).has_value());
    assert_int_equal(allocator.free(*first), VESTA_OK);
    assert_int_equal(allocator.free(*first), VESTA_BAD_HANDLE);
    assert_int_equal(allocator.free_after(*aligned, 3), VESTA_OK);
    assert_int_equal(allocator.retire(3), 1);
    assert_int_equal(allocator.report().free, 1 << 20);
    vesta::OffsetAllocator moved = std::move(allocator);
    moved.reset();
    assert_true(throws_bad_alloc([] { vesta::OffsetAllocator none(0, 1); }));
}

static void arena_blocks_free_themselves(void **) {
    vesta::FixedArena arena(1 << 20);
    std::size_t before = arena.report().free;
    {
        vesta::ArenaBlock block = arena.alloc(100), other = arena.alloc(200);
        block[99] = std::byte{7};
        assert_int_equal(block.size(), 128);
        vesta::ArenaBlock moved = std::move(block);
        assert_true(moved[99] == std::byte{7});
        moved = std::move(other);
        assert_int_equal(moved.size(), 256);
        assert_true(arena.try_alloc(1000).has_value());
        assert_false(arena.try_alloc(2 << 20).has_value());
    }
    arena.collect();
    assert_int_equal(arena.report().free, before);
    assert_true(throws_bad_alloc([] {
        vesta::FixedArena small(1 << 16);
        (void)small.alloc(1 << 17);
    }));
    assert_true(throws_bad_alloc([] { vesta::FixedArena none(0); }));
}

static void pools(void **) {
    vesta::PagePool pool(1 << 20);
    void *block = pool.alloc(100), *pinned = pool.alloc(100, vesta::PoolLifetime::Long);
    assert_non_null(pool.alloc_control(100));
    assert_int_equal(pool.free(block), VESTA_OK);
    assert_int_equal(pool.free(block), VESTA_DOUBLE_FREE);
    assert_int_equal(pool.free(pinned), VESTA_OK);
    assert_int_equal(pool.report().used_pages, 3);
    assert_true(throws_bad_alloc([] { vesta::PagePool none(1000); }));
}

int main() {
    const CMUnitTest tests[] = {
        cmocka_unit_test(containers_live_in_a_scratch_arena),
        cmocka_unit_test(scratch_objects_are_aligned),
        cmocka_unit_test(a_full_buffer_throws),
        cmocka_unit_test(scratch_memory_goes_back),
        cmocka_unit_test(offsets),
        cmocka_unit_test(arena_blocks_free_themselves),
        cmocka_unit_test(pools),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
