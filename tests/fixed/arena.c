/* The fixed arena: what its interface promises, point by point. */
#include "unit.h"

#include "alloc/fixed/arena_state.h"

#include <string.h>

enum { MIB = 1 << 20 };

static VestaArena *make(size_t size) {
    VestaArena *arena = vesta_arena_create(&(VestaArenaConfig){size, 0, 0, NULL});
    assert_non_null(arena);
    return arena;
}

static VestaArenaHandle take(VestaArena *arena, size_t size) {
    VestaArenaHandle handle = {NULL, 0, 0, 0};
    assert_int_equal(vesta_arena_alloc(arena, size, &handle), VESTA_OK);
    return handle;
}

static VestaArenaReport report_of(VestaArena *arena) {
    VestaArenaReport report;
    vesta_arena_report(arena, &report);
    return report;
}

static unsigned free_neighbours(VestaArena *arena) {
    VestaBlocks *blocks = &arena->blocks;
    unsigned count = 0;
    for (int32_t link = vesta_block_at(blocks, VESTA_BLOCK_BORDER)->right; link != VESTA_BLOCK_BORDER;) {
        const VestaBlock *block = vesta_block_at(blocks, link);
        count += vesta_block_is_free(block) && vesta_block_is_free(vesta_block_at(blocks, block->right));
        link = block->right;
    }
    return count;
}

static void sizes_are_rounded_up_to_granules(void **state) {
    (void)state;
    const size_t sizes[][2] = {{0, 64}, {1, 64}, {64, 64}, {65, 128}, {100, 128}, {4096, 4096}};
    VestaArena *arena = make(MIB);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        VestaArenaHandle handle = take(arena, sizes[i][0]);
        assert_int_equal(handle.size, sizes[i][1]);
        assert_int_equal((uintptr_t)handle.address % 64, 0);
        memset(handle.address, 1, handle.size);
    }
    vesta_arena_destroy(arena);
}

static void the_largest_block_is_a_setting(void **state) {
    (void)state;
    VestaArenaHandle handle;
    VestaArena *usual = make(64 * MIB);
    assert_int_equal(vesta_arena_alloc(usual, 32 * MIB, &handle), VESTA_OK);
    assert_int_equal(vesta_arena_alloc(usual, 32 * MIB + 1, &handle), VESTA_TOO_LARGE);
    assert_int_equal(vesta_arena_alloc(usual, SIZE_MAX, &handle), VESTA_TOO_LARGE);
    assert_int_equal(vesta_arena_try_alloc(usual, 32 * MIB + 1, &handle), 0);
    assert_int_equal(vesta_arena_alloc(usual, 32 * MIB, &handle), VESTA_EXHAUSTED);
    assert_int_equal(vesta_arena_try_alloc(usual, 32 * MIB, &handle), 0);
    vesta_arena_destroy(usual);
    VestaArena *small = vesta_arena_create(&(VestaArenaConfig){.size = MIB, .max_block = 1000});
    assert_int_equal(vesta_arena_try_alloc(small, 960, &handle), 1);
    assert_int_equal(vesta_arena_alloc(small, 961, &handle), VESTA_TOO_LARGE); /* 1,024 bytes */
    vesta_arena_destroy(small);
}

static void the_first_block_is_aligned(void **state) {
    (void)state;
    for (size_t alignment = 1; alignment <= 2 * MIB; alignment *= 2) {
        VestaArena *arena = vesta_arena_create(&(VestaArenaConfig){.size = MIB, .alignment = alignment});
        assert_int_equal((uintptr_t)take(arena, 1).address % alignment, 0);
        assert_true(report_of(arena).capacity > MIB - 8192);
        vesta_arena_destroy(arena);
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    char memory[4096];
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = 0}));
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = 1024}));
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = MIB, .alignment = 48}));
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = MIB, .alignment = 96}));
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = SIZE_MAX}));
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = (size_t)1 << 40}));
    assert_null(vesta_arena_create(&(VestaArenaConfig){.size = sizeof memory, .alignment = 4096, .memory = memory}));
    vesta_arena_destroy(NULL);
}

static void no_memory_from_the_system_is_no_arena(void **state) {
    (void)state;
    for (unsigned number = 1; number <= 2; number++) {
        fail_request(number);
        assert_null(vesta_arena_create(&(VestaArenaConfig){.size = MIB}));
        fail_request(0);
    }
}

static void it_never_grows(void **state) {
    (void)state;
    VestaArena *arena = make(MIB);
    VestaArenaHandle handle;
    size_t sum = 0;
    fail_request(1); /* nobody may ask for memory */
    while (vesta_arena_try_alloc(arena, 1000, &handle))
        sum += handle.size;
    fail_request(0);
    assert_true(sum <= MIB && sum > MIB - MIB / 16);
    vesta_arena_destroy(arena);
}

static void handles_that_are_bad_free_nothing(void **state) {
    (void)state;
    VestaArena *arena = make(MIB), *other = make(MIB);
    VestaArenaHandle first = take(arena, 100), zero = {NULL, 0, 0, 0};
    take(other, 100);
    assert_int_equal(vesta_arena_free(other, first), VESTA_BAD_HANDLE);
    assert_int_equal(vesta_arena_free(arena, zero), VESTA_BAD_HANDLE);
    assert_int_equal(vesta_arena_free(arena, first), VESTA_OK);
    assert_int_equal(vesta_arena_free(arena, first), VESTA_BAD_HANDLE);
    assert_ptr_equal(take(arena, 100).address, first.address);
    assert_int_equal(vesta_arena_free(arena, first), VESTA_BAD_HANDLE);
    vesta_arena_destroy(arena);
    vesta_arena_destroy(other);
}

static void freeing_leaves_nothing_to_collect(void **state) {
    (void)state;
    enum { COUNT = 3000 };
    static VestaArenaHandle handles[COUNT];
    VestaArena *arena = make(8 * MIB);
    VestaArenaReport before = report_of(arena);
    uint64_t random = 7;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < COUNT; i++)
            handles[i] = take(arena, next_random(&random) % 3000);
        for (int i = COUNT - 1; i > 0; i--) {
            int j = (int)(next_random(&random) % (uint64_t)(i + 1));
            VestaArenaHandle kept = handles[i];
            handles[i] = handles[j];
            handles[j] = kept;
        }
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(vesta_arena_free(arena, handles[i]), VESTA_OK);
            if (i % 500 == 0)
                assert_int_equal(free_neighbours(arena), 0);
        }
    }
    VestaArenaReport after = report_of(arena);
    assert_int_equal(after.largest, after.capacity);
    /* What remains is the room of nodes. */
    assert_int_equal(vesta_arena_collect(arena), before.capacity - after.capacity);
    after = report_of(arena);
    assert_int_equal(after.largest, before.largest);
    assert_int_equal(vesta_arena_collect(arena), 0);
    vesta_arena_destroy(arena);
}

static void collecting_gives_room_back_behind_a_block_in_use(void **state) {
    (void)state;
    VestaArena *arena = make(64 << 10);
    static VestaArenaHandle handles[1024];
    int count = 0;
    while (vesta_arena_try_alloc(arena, 64, &handles[count]))
        count++;
    /* All but the one that lies last. */
    int last = 0;
    for (int i = 1; i < count; i++)
        last = (char *)handles[i].address > (char *)handles[last].address ? i : last;
    for (int i = 0; i < count; i++)
        if (i != last)
            assert_int_equal(vesta_arena_free(arena, handles[i]), VESTA_OK);
    VestaArenaReport before = report_of(arena);
    size_t gained = vesta_arena_collect(arena);
    assert_true(gained > 0);
    assert_int_equal(report_of(arena).free, before.free + gained);
    assert_int_equal(free_neighbours(arena), 0);
    assert_int_equal(vesta_arena_free(arena, handles[last]), VESTA_OK);
    assert_int_equal(report_of(arena).largest, report_of(arena).capacity);
    vesta_arena_destroy(arena);
}

static void without_room_for_a_node_a_block_is_given_whole(void **state) {
    (void)state;
    /* Eight nodes: the border, seven blocks; then no room for more. */
    size_t size = (sizeof(VestaArena) + 63) / 64 * 64 + (3 + 8) * 64;
    VestaArena *arena = make(size);
    VestaArenaHandle handles[8];
    for (int i = 0; i < 6; i++)
        handles[i] = take(arena, 64);
    VestaArenaHandle all = take(arena, 1);
    assert_int_equal(all.size, report_of(arena).capacity - 6 * 64);
    assert_int_equal(report_of(arena).free, 0);
    assert_int_equal(vesta_arena_free(arena, handles[0]), VESTA_OK);
    assert_int_equal(vesta_arena_free(arena, handles[1]), VESTA_OK);
    assert_int_equal(take(arena, 1).size, 64); /* a node came free */
    vesta_arena_destroy(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_rounded_up_to_granules),
        cmocka_unit_test(the_largest_block_is_a_setting),
        cmocka_unit_test(the_first_block_is_aligned),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(no_memory_from_the_system_is_no_arena),
        cmocka_unit_test(it_never_grows),
        cmocka_unit_test(handles_that_are_bad_free_nothing),
        cmocka_unit_test(freeing_leaves_nothing_to_collect),
        cmocka_unit_test(collecting_gives_room_back_behind_a_block_in_use),
        cmocka_unit_test(without_room_for_a_node_a_block_is_given_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
