/* Regions: where they lie, how the frontier moves, and what happens where address space or memory is short. */
#define _GNU_SOURCE
#include "support.h"

#include <sys/mman.h>

#include "alloc/heap/options.h"
#include "alloc/heap/region.h"

static VestaPage *skipped_first;
static uint32_t skipped_pages;

static void pass_on(VestaPage *first, uint32_t pages) {
    skipped_first = first;
    skipped_pages = pages;
}

static void expect_nothing_skipped(VestaPage *first, uint32_t pages) {
    fail_msg("skipped %u pages at %p", pages, (void *)first);
}

static VestaPage *take(uint32_t pages) {
    return vesta_region_take(pages, 1, expect_nothing_skipped);
}

static uintptr_t region_of(const VestaPage *page) {
    return (uintptr_t)page & ~(VESTA_REGION_ALIGNMENT - 1);
}

static VestaRegionStats stats(void) {
    VestaRegionStats regions;
    vesta_region_stats(&regions);
    return regions;
}

static bool holds(uintptr_t address) {
    return vesta_region_holds((const void *)address);
}

ISOLATED(the_first_region_is_as_large_as_can_be_had) {
    assert_int_equal(stats().regions, 0);
    VestaPage *page = take(1);
    assert_non_null(page);
    assert_int_equal(stats().regions, 1);
    if (stats().reserved_bytes == VESTA_REGION_ALIGNMENT) {
        assert_int_equal(vesta_region_base, region_of(page));
    } else {
        assert_true(UNDER_TSAN || UNDER_ASAN || under_valgrind());
        assert_true(vesta_region_base >> 47 != 0); /* where no pointer can be */
    }
}

ISOLATED(every_page_has_its_record_and_every_record_its_page) {
    VestaPage *page = take(1000);
    uintptr_t address = vesta_page_address(page);
    for (uint32_t i = 0; i < 1000; i++) {
        assert_int_equal(vesta_page_address(page + i), address + i * VESTA_PAGE_SIZE);
        assert_ptr_equal(vesta_page_of((void *)(address + i * VESTA_PAGE_SIZE)), page + i);
        assert_ptr_equal(vesta_page_of((void *)(address + (i + 1) * VESTA_PAGE_SIZE - 1)), page + i);
    }
    /* No record lies in a page: the records take the region's start. */
    assert_true(address - region_of(page) >= stats().reserved_bytes / VESTA_PAGE_SIZE * sizeof(VestaPage));
}

ISOLATED(holds_its_pages_and_nothing_else) {
    assert_false(holds(0));
    VestaPage *page = take(1);
    uintptr_t region = region_of(page), first = vesta_page_address(page), end = region + stats().reserved_bytes;
    assert_true(holds(first));
    assert_true(holds(first + 1));
    assert_true(holds(end - 1)); /* not handed out yet, but it has a record */
    assert_false(holds(first - 1));
    assert_false(holds(region));
    assert_false(holds(region - 1));
    assert_false(holds(end));
    assert_false(holds(0));
    assert_false(holds(1));
    assert_false(holds((uintptr_t)&page));
    assert_false(holds((uintptr_t)&stats));
    assert_false(holds((uintptr_t)1 << 47));
    assert_false(holds((uintptr_t)1 << 63));
    assert_false(holds(first | (uintptr_t)1 << 63));
    assert_false(holds(UINTPTR_MAX));
}

ISOLATED(the_frontier_moves_by_what_is_taken) {
    VestaPage *before = take(1);
    for (uint32_t pages = 1; pages < 2000; pages += 37) {
        VestaPage *page = take(pages);
        assert_ptr_equal(page, before + before->pages);
        assert_int_equal(page->pages, pages);
        *(char *)vesta_page_address(page) = 1;
        *(char *)(vesta_page_address(page + pages) - 1) = 1;
        before = page;
    }
}

ISOLATED(memory_is_committed_in_steps_that_grow_with_the_heap) {
    size_t taken = 0, before = 0;
    for (int i = 0; i < 4000; i++) {
        assert_non_null(take(16));
        taken += 16 * VESTA_PAGE_SIZE;
        size_t committed = stats().committed_bytes;
        assert_true(committed >= taken);
        if (committed != before) {
            assert_true(committed - before >= MIB);
            assert_true(committed - before <= 64 * MIB);
            assert_true(committed - before <= MIB || committed - before <= before / 4);
        }
        before = committed;
    }
    assert_int_equal(stats().peak_committed_bytes, before);
}

ISOLATED(what_alignment_skips_is_passed_on) {
    VestaPage *before = take(1);
    for (uint32_t alignment = 2; alignment <= 1 << 14; alignment *= 2) {
        skipped_pages = 0;
        VestaPage *page = vesta_region_take(3, alignment, pass_on);
        assert_non_null(page);
        assert_int_equal(vesta_page_address(page) % ((size_t)alignment << VESTA_PAGE_SHIFT), 0);
        VestaPage *next = before + before->pages;
        assert_true(page >= next && page < next + alignment);
        assert_int_equal(skipped_pages, page - next);
        if (skipped_pages != 0)
            assert_ptr_equal(skipped_first, next);
        before = page;
    }
}

ISOLATED(the_last_span_can_grow_over_the_frontier) {
    VestaPage *page = take(10);
    assert_false(vesta_region_take_behind(page + 9, 1));
    assert_true(vesta_region_take_behind(page + 10, 500));
    memset((void *)vesta_page_address(page), 1, 510 * VESTA_PAGE_SIZE);
    assert_false(vesta_region_take_behind(page + 10, 1));
    assert_ptr_equal(take(1), page + 510);
}

ISOLATED(no_more_is_committed_than_the_limit_says) {
    vesta_options.limit = 10 * MIB + 3 * VESTA_PAGE_SIZE;
    size_t pages = 0;
    while (take(7) != NULL)
        pages += 7;
    assert_int_equal(pages, vesta_options.limit / VESTA_PAGE_SIZE / 7 * 7);
    VestaPage *last = take(1);
    assert_non_null(last);
    assert_true(stats().committed_bytes <= vesta_options.limit);
    assert_false(vesta_region_take_behind(last + 1, 7));
    for (pages++; take(1) != NULL; pages++) {
    }
    assert_int_equal(pages, vesta_options.limit / VESTA_PAGE_SIZE);
    assert_int_equal(stats().regions, 1); /* another would not have helped */
}

/* Leaves less than `bytes` of free address space at the start of each multiple of 1 TiB. */
static void clutter(size_t bytes) {
    for (uintptr_t slot = 1; slot < 128; slot++)
        mmap((void *)(slot << VESTA_REGION_SHIFT | bytes), 4096, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

ISOLATED(where_1_tib_is_nowhere_free_a_region_is_smaller) {
    if (UNDER_TSAN || under_valgrind())
        return; /* allow mappings in few places only */
    clutter(100 * GIB);
    VestaPage *page = take(1);
    assert_non_null(page);
    assert_int_equal(stats().reserved_bytes, 64 * GIB);
    assert_true(vesta_region_base >> 47 != 0);
    assert_true(holds(region_of(page) + 64 * GIB - 1));
    assert_false(holds(region_of(page) + 64 * GIB));
    /* What a region cannot hold needs another, which cannot be had; the first goes on. */
    assert_null(vesta_region_take((uint32_t)(70 * GIB >> VESTA_PAGE_SHIFT), 1, pass_on));
    assert_ptr_equal(take(1), page + 1);
}

ISOLATED(no_region_at_all_is_no_memory) {
    if (UNDER_TSAN || under_valgrind())
        return;
    clutter(0);
    assert_null(take(1));
    assert_int_equal(stats().regions, 0);
    assert_false(holds(0));
}

/* ---- Under a limit of the address space, as `ulimit -v` sets it ---- */

ISOLATED(a_limited_process_keeps_room_for_other_mappings) {
    if (!limit_address_space(GIB))
        return;
    assert_non_null(take(1));
    assert_int_equal(stats().reserved_bytes, GIB / 16);
    void *other = mmap(NULL, GIB / 2, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(other, MAP_FAILED);
}

ISOLATED(full_regions_are_followed_by_others_until_the_limit) {
    if (!limit_address_space(GIB))
        return;
    size_t bytes = 0;
    VestaPage *page;
    uintptr_t region = 0, end = 0;
    while ((page = vesta_region_take(100, 1, pass_on)) != NULL) {
        if (region_of(page) != region) {
            region = region_of(page);
            end = region + GIB / 16;
        }
        uintptr_t address = vesta_page_address(page);
        assert_true(holds(address));
        /* The page behind the last one that is given out belongs to nobody: its record can always be read. */
        assert_true(address + 101 * VESTA_PAGE_SIZE <= end);
        assert_int_equal(page[100].span_state, VESTA_SPAN_NONE);
        memset((void *)address, 1, 100 * VESTA_PAGE_SIZE);
        bytes += 100 * VESTA_PAGE_SIZE;
    }
    assert_true(stats().regions > 8);
    assert_true(stats().reserved_bytes <= GIB);
    if (!under_valgrind()) /* which needs some itself */
        assert_true(bytes > GIB * 3 / 4);
}

ISOLATED(a_region_is_used_to_its_last_page_but_one) {
    if (!limit_address_space(GIB))
        return;
    VestaPage *page = take(1);
    uintptr_t region = region_of(page), end = region + GIB / 16;
    uint32_t left = (uint32_t)((end - vesta_page_address(page)) >> VESTA_PAGE_SHIFT) - 2;
    assert_false(vesta_region_take_behind(page + 1, left + 1));
    assert_ptr_equal(take(left), page + 1);
    assert_false(vesta_region_take_behind(page + 1 + left, 1));
    assert_int_equal(stats().regions, 1);
    assert_true(region_of(take(1)) != region);
    assert_int_equal(stats().regions, 2);
}

ISOLATED(a_request_beyond_the_usual_region_gets_a_larger_one) {
    if (!limit_address_space(GIB))
        return;
    assert_non_null(vesta_region_take((uint32_t)(300 * MIB >> VESTA_PAGE_SHIFT), 1, pass_on));
    assert_int_equal(stats().reserved_bytes, 512 * MIB);
    assert_null(vesta_region_take((uint32_t)(1100 * MIB >> VESTA_PAGE_SHIFT), 1, pass_on));
    assert_null(vesta_region_take((uint32_t)(600 * MIB >> VESTA_PAGE_SHIFT), 1, pass_on));
    assert_non_null(take(1));
}

TESTS(cmocka_unit_test(the_first_region_is_as_large_as_can_be_had),
      cmocka_unit_test(every_page_has_its_record_and_every_record_its_page),
      cmocka_unit_test(holds_its_pages_and_nothing_else), cmocka_unit_test(the_frontier_moves_by_what_is_taken),
      cmocka_unit_test(memory_is_committed_in_steps_that_grow_with_the_heap),
      cmocka_unit_test(what_alignment_skips_is_passed_on), cmocka_unit_test(the_last_span_can_grow_over_the_frontier),
      cmocka_unit_test(no_more_is_committed_than_the_limit_says),
      cmocka_unit_test(where_1_tib_is_nowhere_free_a_region_is_smaller),
      cmocka_unit_test(no_region_at_all_is_no_memory),
      cmocka_unit_test(a_limited_process_keeps_room_for_other_mappings),
      cmocka_unit_test(full_regions_are_followed_by_others_until_the_limit),
      cmocka_unit_test(a_region_is_used_to_its_last_page_but_one),
      cmocka_unit_test(a_request_beyond_the_usual_region_gets_a_larger_one))
