/* Resizing: the content stays, whatever happens to the place. */
#include "support.h"

#include <stdio.h>
#include <sys/resource.h>

#include "inside.h"

#include "alloc/os/os.h"

static void *resize(void *block, size_t old_size, size_t size, uint64_t seed) {
    void *resized = vesta_host_realloc(block, size);
    assert_non_null(resized);
    assert_int_equal((uintptr_t)resized % VESTA_HOST_ALLOC_ALIGNMENT, 0);
    assert_true(vesta_host_usable_size(resized) >= size);
    assert_true(has_pattern(resized, old_size < size ? old_size : size, seed));
    if (size > old_size)
        fill_pattern(resized, size, seed);
    return resized;
}

/* Up from 16 bytes to `top` and down again, by about `percent` each time. */
static void walk_up_and_down(size_t top, size_t percent, bool disturb) {
    size_t size = 16;
    uint64_t seed = percent;
    void *block = vesta_host_alloc(size);
    fill_pattern(block, size, seed);
    for (int down = 0; down <= 1; down++)
        while (down == 0 ? size < top : size > 16) {
            size_t next = down == 0 ? size + size * percent / 100 + 1 : size - size * percent / (100 + percent) - 1;
            if (disturb) {
                /* Somebody takes the room behind the block, and gives it back later. */
                void *others[2] = {vesta_host_alloc(size), vesta_host_alloc(next)};
                block = resize(block, size, next, seed);
                vesta_host_free(others[0]);
                vesta_host_free(others[1]);
            } else {
                block = resize(block, size, next, seed);
            }
            size = next;
        }
    vesta_host_free(block);
}

ISOLATED(content_stays_on_the_way_up_and_down) {
    size_t top = UNDER_TSAN || under_valgrind() ? 2 * MIB : 64 * MIB;
    walk_up_and_down(top, 100, false);
    walk_up_and_down(top, 40, false);
    walk_up_and_down(MIB, 3, false);
}

ISOLATED(content_stays_when_others_take_the_room) {
    size_t top = UNDER_TSAN || under_valgrind() ? 2 * MIB : 16 * MIB;
    walk_up_and_down(top, 100, true);
    walk_up_and_down(top, 40, true);
    walk_up_and_down(MIB, 7, true);
}

ISOLATED(content_stays_at_random) {
    enum { BLOCKS = 64 };
    void *blocks[BLOCKS] = {NULL};
    size_t sizes[BLOCKS] = {0};
    Random random = {13};
    unsigned steps = scaled(5000);
    for (unsigned step = 0; step < steps; step++) {
        size_t i = random_below(&random, BLOCKS),
               size = random_below(&random, (uint64_t)1 << random_below(&random, 23)) + 1;
        blocks[i] = resize(blocks[i], sizes[i], size, i);
        sizes[i] = size;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        assert_true(has_pattern(blocks[i], sizes[i], i));
        vesta_host_free(blocks[i]);
    }
}

ISOLATED(null_and_zero_are_blocks_too) {
    void *block = vesta_host_realloc(NULL, 100);
    assert_non_null(block);
    assert_true(vesta_host_usable_size(block) >= 100);
    void *empty = vesta_host_realloc(block, 0);
    assert_non_null(empty);
    assert_ptr_not_equal(empty, vesta_host_alloc(0));
    assert_ptr_equal(vesta_host_alloc(100), block); /* it was freed */
    void *large = vesta_host_realloc(empty, MIB);
    assert_non_null(vesta_host_realloc(large, 0));
    assert_ptr_equal(vesta_host_alloc(MIB), large);
}

ISOLATED(a_small_block_stays_while_it_is_not_half_empty) {
    void *block = vesta_host_alloc(1024);
    for (size_t size = 1024; size >= 512; size--)
        assert_ptr_equal(vesta_host_realloc(block, size), block);
    void *smaller = vesta_host_realloc(block, 511);
    assert_ptr_not_equal(smaller, block);
    assert_int_equal(vesta_host_usable_size(smaller), 512);
}

ISOLATED(a_large_block_grows_where_it_is_if_there_is_room_behind_it) {
    char *block = vesta_host_alloc(2 * MIB);
    fill_pattern(block, 2 * MIB, 1);
    /* At the frontier. */
    assert_ptr_equal(vesta_host_realloc(block, 8 * MIB), block);
    assert_true(has_pattern(block, 2 * MIB, 1));
    fill_pattern(block, 8 * MIB, 2);
    /* Into a free span. */
    void *behind = vesta_host_alloc(4 * MIB);
    assert_ptr_equal(behind, block + vesta_host_usable_size(block));
    vesta_host_alloc(2 * MIB);
    vesta_host_free(behind);
    assert_ptr_equal(vesta_host_realloc(block, 11 * MIB), block);
    assert_true(has_pattern(block, 8 * MIB, 2));
    /* Not over a block in use. */
    fill_pattern(block, 11 * MIB, 3);
    char *moved = vesta_host_realloc(block, 16 * MIB);
    assert_ptr_not_equal(moved, block);
    assert_true(has_pattern(moved, 11 * MIB, 3));
}

ISOLATED(a_shrunk_large_block_gives_its_end_back) {
    char *block = vesta_host_alloc(16 * MIB);
    fill_pattern(block, 16 * MIB, 1);
    vesta_host_alloc(2 * MIB);
    uint64_t used = host_stats().used_bytes;
    assert_ptr_equal(vesta_host_realloc(block, 15 * MIB), block); /* less than an eighth */
    assert_int_equal(host_stats().used_bytes, used);
    assert_ptr_equal(vesta_host_realloc(block, 4 * MIB), block);
    assert_int_equal(host_stats().used_bytes, used - 12 * MIB);
    assert_true(has_pattern(block, 4 * MIB, 1));
    assert_ptr_equal(vesta_host_alloc(12 * MIB), block + 4 * MIB);
    assert_true(has_pattern(block, 4 * MIB, 1));
}

static uint64_t page_faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_minflt;
}

/* Filled, and with another behind it so that it cannot grow in place. */
static char *block_without_room(size_t size) {
    char *block = vesta_host_alloc(size);
    assert_ptr_equal(vesta_host_alloc(MIB), block + vesta_host_usable_size(block));
    fill_pattern(block, size, size);
    return block;
}

/* Valgrind refuses to move page tables: everything is copied there. */
static bool can_move_page_tables(void) {
    return !under_valgrind();
}

enum { MOVED = UNDER_TSAN ? 4 << 20 : 64 << 20, MOVED_MORE = MOVED + MOVED / 2 };

ISOLATED(a_large_block_moves_by_its_page_tables) {
    if (!can_move_page_tables())
        return;
    char *block = block_without_room(MOVED);
    size_t resident = resident_bytes();
    uint64_t faults = page_faults();
    char *moved = vesta_host_realloc(block, MOVED_MORE);
    assert_ptr_not_equal(moved, block);
    /* Copying would have touched each page of the new place. */
    if (resident_bytes_mean_something()) {
        assert_true(page_faults() - faults < MOVED / vesta_os_page_size() / 8);
        assert_true(resident_bytes() < resident + MOVED / 8);
    }
    assert_int_equal(vesta_os_resident_pages((uintptr_t)block, MOVED), 0);
    assert_true(has_pattern(moved, MOVED, MOVED));
    assert_true(is_zero(moved + MOVED, MOVED_MORE - MOVED));
    /* Both places serve others as any memory does. */
    fill_pattern(moved, MOVED_MORE, 5);
    char *other = vesta_host_alloc_zeroed(MOVED);
    assert_true(is_zero(other, MOVED));
    fill_pattern(other, MOVED, 6);
    assert_true(has_pattern(moved, MOVED_MORE, 5));
    vesta_host_free(moved);
    char *zeroed = vesta_host_alloc_zeroed(MOVED_MORE);
    assert_true(is_zero(zeroed, MOVED_MORE));
    assert_true(has_pattern(other, MOVED, 6));
}

ISOLATED(a_moved_block_can_be_resized_moved_again_and_freed) {
    size_t size = 2 * MIB;
    char *block = block_without_room(size);
    for (int i = 0; i < (UNDER_TSAN ? 3 : 6); i++) {
        char *moved = vesta_host_realloc(block, size + size / 2);
        assert_true(has_pattern(moved, size, size));
        size += size / 2;
        fill_pattern(moved, size, size);
        /* Shrinking keeps it where it is, growing extends it or moves it on. */
        block = vesta_host_realloc(moved, size - size / 4);
        assert_ptr_equal(block, moved);
        assert_true(has_pattern(block, size - size / 4, size));
        size -= size / 4;
        vesta_host_alloc(MIB);
        fill_pattern(block, size, size);
    }
    void *small = vesta_host_realloc(block, 1000);
    assert_true(has_pattern(small, 1000, size));
    assert_true(is_zero(vesta_host_alloc_zeroed(size), size));
}

ISOLATED(what_a_block_moved_away_from_costs_nothing) {
    if (!can_move_page_tables())
        return;
    void *block = block_without_room(MOVED);
    uint64_t dirty = host_stats().dirty_bytes;
    assert_ptr_not_equal(vesta_host_realloc(block, MOVED_MORE), block);
    assert_int_equal(host_stats().dirty_bytes, dirty);
}

ISOLATED(a_moved_block_is_never_cached) {
    if (!can_move_page_tables())
        return;
    char *block = block_without_room(320 * KIB);
    char *moved = vesta_host_realloc(block, 512 * KIB);
    assert_ptr_not_equal(moved, block);
    assert_ptr_equal(vesta_host_realloc(moved, 640 * KIB), moved);
    VestaHeap *heap = heap_of(vesta_host_alloc(1));
    size_t cached = heap->cache.bytes;
    vesta_host_free(moved);
    assert_int_equal(heap->cache.bytes, cached);
}

static unsigned mappings(void) {
    unsigned lines = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    for (int c; (c = fgetc(maps)) != EOF;)
        lines += c == '\n';
    fclose(maps);
    return lines;
}

ISOLATED(moving_leaves_no_mappings_behind) {
    unsigned before = mappings();
    for (unsigned i = 0; i < scaled(300); i++) {
        char *block = vesta_host_alloc(MIB), *between = vesta_host_alloc(MIB);
        memset(block, 1, MIB);
        for (size_t size = 2 * MIB; size <= 8 * MIB; size *= 2)
            block = vesta_host_realloc(block, size);
        vesta_host_free(block);
        vesta_host_free(between);
    }
    assert_true(mappings() < before + 50);
}

TESTS(cmocka_unit_test(content_stays_on_the_way_up_and_down), cmocka_unit_test(content_stays_when_others_take_the_room),
      cmocka_unit_test(content_stays_at_random), cmocka_unit_test(null_and_zero_are_blocks_too),
      cmocka_unit_test(a_small_block_stays_while_it_is_not_half_empty),
      cmocka_unit_test(a_large_block_grows_where_it_is_if_there_is_room_behind_it),
      cmocka_unit_test(a_shrunk_large_block_gives_its_end_back),
      cmocka_unit_test(a_large_block_moves_by_its_page_tables),
      cmocka_unit_test(a_moved_block_can_be_resized_moved_again_and_freed),
      cmocka_unit_test(what_a_block_moved_away_from_costs_nothing), cmocka_unit_test(a_moved_block_is_never_cached),
      cmocka_unit_test(moving_leaves_no_mappings_behind))
