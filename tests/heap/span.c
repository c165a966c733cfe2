/* The span allocator, in processes where nothing else asks for spans. */
#include "support.h"

#include <sys/mman.h>

#include "alloc/heap/options.h"
#include "alloc/heap/span.h"
#include "alloc/os/os.h"

static VestaPage *allocate(uint32_t pages) {
    bool zero;
    VestaPage *span = vesta_span_allocate(pages, 1, VESTA_SPAN_WISH_BACKED, &zero);
    assert_non_null(span);
    assert_int_equal(span->pages, pages);
    return span;
}

static void *memory_of(const VestaPage *span) {
    return (void *)vesta_page_address(span);
}

static size_t bytes_of(const VestaPage *span) {
    return (size_t)span->pages << VESTA_PAGE_SHIFT;
}

static VestaSpanStats stats(void) {
    VestaSpanStats spans;
    VestaRegionStats regions;
    vesta_span_stats(&spans, &regions);
    return spans;
}

static VestaPage *region_start;

/* Walks the records of the first region from its first span on: spans follow each other without a gap, free ones say
 * their length at both ends, and no two free neighbours are of the same kind. Returns the free pages. */
static size_t walk(void) {
    size_t free_pages = 0, used_pages = 0, dirty_pages = 0;
    uint8_t before = VESTA_SPAN_NONE;
    for (VestaPage *span = region_start; span->span_state != VESTA_SPAN_NONE; span += span->pages) {
        assert_int_not_equal(span->pages, 0);
        if (span->span_state == VESTA_SPAN_USED) {
            used_pages += span->pages;
        } else {
            assert_int_not_equal(span->span_state, before);
            assert_int_equal(span[span->pages - 1].span_state, span->span_state);
            assert_int_equal(span[span->pages - 1].pages, span->pages);
            free_pages += span->pages;
            dirty_pages += span->span_state == VESTA_SPAN_DIRTY ? span->pages : 0;
        }
        before = span->span_state;
    }
    assert_int_equal(stats().used_pages, used_pages);
    assert_int_equal(stats().dirty_pages, dirty_pages);
    return free_pages;
}

/* `count` used spans of the given lengths, side by side, with a used page behind the last. */
static void allocate_row(VestaPage **spans, const uint32_t *pages, size_t count) {
    for (size_t i = 0; i < count; i++) {
        spans[i] = allocate(pages[i]);
        if (region_start == NULL)
            region_start = spans[i];
        if (i != 0)
            assert_ptr_equal(spans[i], spans[i - 1] + pages[i - 1]);
    }
    assert_ptr_equal(allocate(1), spans[count - 1] + pages[count - 1]);
}

ISOLATED(new_spans_follow_each_other_and_read_as_zero) {
    VestaPage *before = NULL;
    for (uint32_t pages = 1; pages < 20; pages++) {
        bool zero = false;
        VestaPage *span = vesta_span_allocate(pages, 1, VESTA_SPAN_WISH_BACKED, &zero);
        assert_non_null(span);
        assert_true(zero);
        assert_true(is_zero(memory_of(span), bytes_of(span)));
        if (before != NULL)
            assert_ptr_equal(span, before + before->pages);
        before = span;
    }
}

ISOLATED(a_free_span_is_cut_in_place) {
    VestaPage *row[1];
    allocate_row(row, (uint32_t[]){10}, 1);
    vesta_span_free(row[0], false);
    assert_ptr_equal(allocate(4), row[0]);
    assert_ptr_equal(allocate(5), row[0] + 4);
    assert_ptr_equal(allocate(1), row[0] + 9);
    assert_int_equal(walk(), 0);
}

static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

ISOLATED(free_neighbours_become_one_in_any_order) {
    for (int zero = 0; zero <= 1; zero++)
        for (int order = 0; order < 6; order++) {
            VestaPage *row[3];
            allocate_row(row, (uint32_t[]){3, 7, 5}, 3);
            for (int i = 0; i < 3; i++)
                vesta_span_free(row[orders[order][i]], zero != 0);
            assert_int_equal(walk(), 15);
            /* The same place again, so that the next round has nothing to take it from. */
            assert_ptr_equal(allocate(15), row[0]);
        }
}

ISOLATED(dirty_and_clean_neighbours_stay_apart) {
    VestaPage *row[2];
    allocate_row(row, (uint32_t[]){6, 6}, 2);
    vesta_span_free(row[0], true);
    vesta_span_free(row[1], false);
    assert_int_equal(walk(), 12);
    bool zero;
    assert_ptr_equal(vesta_span_allocate(6, 1, VESTA_SPAN_WISH_BACKED, &zero), row[1]);
    assert_false(zero);
    assert_ptr_equal(vesta_span_allocate(6, 1, VESTA_SPAN_WISH_BACKED, &zero), row[0]);
    assert_true(zero);
}

ISOLATED(a_wish_for_zero_takes_clean_before_dirty) {
    VestaPage *row[3];
    allocate_row(row, (uint32_t[]){6, 1, 6}, 3);
    vesta_span_free(row[0], true);
    vesta_span_free(row[2], false);
    bool zero;
    assert_ptr_equal(vesta_span_allocate(6, 1, VESTA_SPAN_WISH_ZERO, &zero), row[0]);
    assert_true(zero);
}

ISOLATED(a_wish_for_growth_takes_from_the_frontier) {
    VestaPage *row[2];
    allocate_row(row, (uint32_t[]){6, 6}, 2);
    vesta_span_free(row[0], true);
    bool zero;
    VestaPage *span = vesta_span_allocate(6, 1, VESTA_SPAN_WISH_GROWTH, &zero);
    assert_ptr_equal(span, row[1] + 7);
    assert_true(zero);
    assert_true(vesta_span_extend(span, 600));
}

/* Spans of 16 and of 17 pages are of one class. The one that was freed last is looked at first. */
static VestaPage *freed_with_shorter_ones_before_it(unsigned shorter) {
    VestaPage *spans[8];
    for (unsigned i = 0; i <= shorter; i++) {
        spans[i] = allocate(i == 0 ? 17 : 16);
        allocate(1);
    }
    for (unsigned i = 0; i <= shorter; i++)
        vesta_span_free(spans[i], false);
    return spans[0];
}

ISOLATED(four_spans_of_the_own_class_are_looked_at) {
    VestaPage *fits = freed_with_shorter_ones_before_it(3);
    assert_ptr_equal(allocate(17), fits);
}

ISOLATED(a_fifth_span_of_the_own_class_is_not_looked_at) {
    VestaPage *fits = freed_with_shorter_ones_before_it(4);
    assert_ptr_not_equal(allocate(17), fits);
}

ISOLATED(any_span_of_a_higher_class_will_do) {
    VestaPage *row[1];
    allocate_row(row, (uint32_t[]){1000}, 1);
    vesta_span_free(row[0], false);
    assert_ptr_equal(allocate(17), row[0]);
    assert_int_equal(walk(), 983);
}

ISOLATED(spans_are_aligned_and_the_gap_stays_in_use) {
    region_start = allocate(1);
    Random random = {7};
    for (int i = 0; i < 300; i++) {
        uint32_t alignment = 1u << random_below(&random, 11);
        uint32_t pages = (uint32_t)random_below(&random, 40) + 1;
        bool zero;
        VestaPage *span = vesta_span_allocate(pages, alignment, VESTA_SPAN_WISH_BACKED, &zero);
        assert_non_null(span);
        assert_int_equal(vesta_page_address(span) % ((uintptr_t)alignment << VESTA_PAGE_SHIFT), 0);
        assert_int_equal(span->pages, pages);
        if (i % 3 == 0)
            vesta_span_free(span, false);
        walk();
    }
    /* The gaps serve what fits into them: the frontier does not move for single pages. */
    size_t used = stats().used_pages, gaps = walk();
    VestaPage *last = NULL;
    for (size_t i = 0; i < gaps; i++) {
        VestaPage *page = allocate(1);
        last = page > last ? page : last;
    }
    assert_int_equal(walk(), 0);
    assert_int_equal(stats().used_pages, used + gaps);
    assert_true(allocate(1) > last);
}

ISOLATED(extends_into_a_free_neighbour) {
    VestaPage *row[2];
    allocate_row(row, (uint32_t[]){4, 10}, 2);
    vesta_span_free(row[1], false);
    assert_false(vesta_span_extend(row[0], 15));
    assert_int_equal(row[0]->pages, 4);
    assert_true(vesta_span_extend(row[0], 9));
    assert_int_equal(row[0]->pages, 9);
    assert_int_equal(walk(), 5);
    assert_true(vesta_span_extend(row[0], 14));
    assert_int_equal(walk(), 0);
    assert_false(vesta_span_extend(row[0], 15));
}

ISOLATED(extends_into_the_frontier_but_not_over_a_used_span) {
    VestaPage *span = allocate(4);
    region_start = span;
    assert_true(vesta_span_extend(span, 400));
    memset(memory_of(span), 1, bytes_of(span));
    VestaPage *behind = allocate(1);
    assert_ptr_equal(behind, span + 400);
    assert_false(vesta_span_extend(span, 401));
    walk();
}

ISOLATED(what_shrinking_leaves_is_free_and_merged) {
    VestaPage *row[2];
    allocate_row(row, (uint32_t[]){10, 6}, 2);
    vesta_span_free(row[1], false);
    vesta_span_shrink(row[0], 3);
    assert_int_equal(row[0]->pages, 3);
    assert_int_equal(walk(), 13);
    assert_ptr_equal(allocate(13), row[0] + 3);
}

ISOLATED(purging_leaves_at_most_what_it_is_told_to_keep) {
    VestaPage *spans[20];
    for (int i = 0; i < 20; i++) {
        spans[i] = allocate(10);
        region_start = spans[0];
        allocate(1);
        memset(memory_of(spans[i]), 0xFF, bytes_of(spans[i]));
    }
    for (int i = 0; i < 20; i++)
        vesta_span_free(spans[i], false);
    assert_int_equal(stats().dirty_pages, 200);
    assert_int_equal(vesta_span_purge(200), 0);
    assert_int_equal(vesta_span_purge(95), 110); /* whole spans */
    assert_int_equal(stats().dirty_pages, 90);
    assert_int_equal(stats().purged_pages, 110);
    walk();
    assert_int_equal(vesta_span_purge(0), 90);
    assert_int_equal(stats().dirty_pages, 0);
    assert_int_equal(walk(), 200);
    for (int i = 0; i < 20; i++)
        assert_int_equal(vesta_os_resident_pages(vesta_page_address(spans[i]), 10 * VESTA_PAGE_SIZE), 0);
}

ISOLATED(dirty_and_clean_neighbours_serve_a_request_together_before_it_fails) {
    vesta_options.limit = 4 * MIB; /* 256 pages */
    VestaPage *row[2];
    allocate_row(row, (uint32_t[]){120, 120}, 2);
    memset(memory_of(row[1]), 1, bytes_of(row[1]));
    vesta_span_free(row[0], true);
    vesta_span_free(row[1], false);
    bool zero;
    VestaPage *both = vesta_span_allocate(240, 1, VESTA_SPAN_WISH_BACKED, &zero);
    assert_ptr_equal(both, row[0]);
    assert_true(zero);
    assert_true(is_zero(memory_of(both), bytes_of(both)));
    assert_null(vesta_span_allocate(240, 1, VESTA_SPAN_WISH_BACKED, &zero));
}

ISOLATED(much_dirty_memory_is_given_back_at_once) {
    /* 128 MiB, or as much as is used, may stay. */
    enum { PAGES = 1024, SPANS = 16, FLOOR = 8192 };
    VestaPage *spans[SPANS];
    for (int i = 0; i < SPANS; i++) {
        spans[i] = allocate(PAGES);
        allocate(1);
    }
    for (int i = 0; i < SPANS; i++) {
        vesta_span_free(spans[i], false);
        VestaSpanStats now = stats();
        assert_true(now.dirty_pages <= FLOOR || now.dirty_pages <= now.used_pages);
        if (i < FLOOR / PAGES)
            assert_int_equal(now.dirty_pages, (i + 1) * PAGES);
    }
    assert_true(stats().purged_pages != 0);
    assert_true(stats().dirty_pages >= FLOOR / 2); /* not more than need be */
}

/* Calls what looks at the clock until something was purged; how long that took. */
static uint64_t milliseconds_until_purged(void) {
    uint64_t start = milliseconds(), now = start;
    while (stats().purged_pages == 0 && now - start < 60000) {
        vesta_span_decay();
        now = milliseconds();
    }
    return now - start;
}

ISOLATED(dirty_memory_decays_after_two_ticks) {
    enum { DECAY = 400 };
    vesta_options.decay = DECAY;
    VestaPage *span = allocate(8);
    vesta_span_decay(); /* a tick, so that the next one is half the decay away */
    vesta_span_free(span, false);
    uint64_t took = milliseconds_until_purged();
    assert_true(took >= DECAY * 3 / 4);
    assert_int_equal(stats().dirty_pages, 0);
    /* The upper bound is only looked at roughly: the machine may be busy. */
    assert_true(took < 20 * DECAY);
}

ISOLATED(what_is_used_again_in_time_does_not_decay) {
    vesta_options.decay = 50;
    VestaPage *span = allocate(8);
    allocate(1);
    uint32_t first = vesta_span_tick();
    while (vesta_span_tick() - first < 10) {
        vesta_span_free(span, false);
        assert_ptr_equal(allocate(8), span);
        vesta_span_decay();
    }
    assert_int_equal(stats().purged_pages, 0);
}

ISOLATED(requests_that_no_region_can_meet_fail) {
    const uint32_t most = 1u << (VESTA_REGION_SHIFT - VESTA_PAGE_SHIFT);
    bool zero;
    assert_null(vesta_span_allocate(most, 1, VESTA_SPAN_WISH_BACKED, &zero));
    assert_null(vesta_span_allocate(UINT32_MAX, 1, VESTA_SPAN_WISH_BACKED, &zero));
    assert_null(vesta_span_allocate(1, most, VESTA_SPAN_WISH_BACKED, &zero));
    assert_null(vesta_span_allocate(most / 2 + 1, most / 2, VESTA_SPAN_WISH_BACKED, &zero));
    assert_null(vesta_span_allocate(1, 1u << 31, VESTA_SPAN_WISH_BACKED, &zero));
    assert_int_equal(stats().used_pages, 0);
    assert_non_null(vesta_span_allocate(1, 1, VESTA_SPAN_WISH_BACKED, &zero));
}

/* ---- At random, against a list of what is used ---- */

enum { LIVE = 200 };

typedef struct Live {
    VestaPage *span;
    uint64_t seed;
} Live;

static Live live[LIVE];

static void expect_apart(const VestaPage *span) {
    for (int i = 0; i < LIVE; i++)
        if (live[i].span != NULL)
            assert_true(span + span->pages <= live[i].span || live[i].span + live[i].span->pages <= span);
}

static void free_live(Live *one, bool as_zero) {
    assert_true(has_pattern(memory_of(one->span), bytes_of(one->span), one->seed));
    if (as_zero)
        memset(memory_of(one->span), 0, bytes_of(one->span));
    vesta_span_free(one->span, as_zero);
    one->span = NULL;
}

static void allocate_live(Live *one, Random *random) {
    uint32_t pages =
        (uint32_t)(random_below(random, 8) == 0 ? random_below(random, 200) : random_below(random, 20)) + 1;
    uint32_t alignment = random_below(random, 8) == 0 ? 1u << random_below(random, 8) : 1;
    bool zero = false;
    VestaPage *span = vesta_span_allocate(pages, alignment, (VestaSpanWish)random_below(random, 3), &zero);
    assert_non_null(span);
    assert_int_equal(span->pages, pages);
    expect_apart(span);
    if (zero)
        assert_true(is_zero(memory_of(span), bytes_of(span)));
    *one = (Live){span, random_next(random)};
    fill_pattern(memory_of(span), bytes_of(span), one->seed);
}

static void resize_live(Live *one, Random *random) {
    VestaPage *span = one->span;
    uint32_t pages = (uint32_t)random_below(random, 2 * span->pages) + 1;
    size_t kept = bytes_of(span);
    one->span = NULL;
    if (pages < span->pages)
        vesta_span_shrink(span, pages);
    else if (pages > span->pages && !vesta_span_extend(span, pages))
        pages = span->pages;
    assert_int_equal(span->pages, pages);
    expect_apart(span);
    one->span = span;
    assert_true(has_pattern(memory_of(span), kept < bytes_of(span) ? kept : bytes_of(span), one->seed));
    fill_pattern(memory_of(span), bytes_of(span), one->seed);
}

ISOLATED(holds_under_random_use) {
    Random random = {11};
    region_start = allocate(1);
    unsigned steps = scaled(6000);
    for (unsigned step = 0; step < steps; step++) {
        Live *one = &live[random_below(&random, LIVE)];
        if (one->span == NULL)
            allocate_live(one, &random);
        else if (random_below(&random, 4) == 0)
            resize_live(one, &random);
        else
            free_live(one, random_below(&random, 4) == 0);
        if (random_below(&random, 500) == 0)
            vesta_span_purge(random_below(&random, 1000));
        if (step % 16 == 0)
            walk();
    }
    for (int i = 0; i < LIVE; i++)
        if (live[i].span != NULL)
            free_live(&live[i], false);
    vesta_span_purge(0);
    /* Everything but the very first page is one clean span again. */
    size_t all = walk();
    assert_int_equal(stats().used_pages, 1);
    assert_ptr_equal(allocate((uint32_t)all), region_start + 1);
}

TESTS(cmocka_unit_test(new_spans_follow_each_other_and_read_as_zero), cmocka_unit_test(a_free_span_is_cut_in_place),
      cmocka_unit_test(free_neighbours_become_one_in_any_order),
      cmocka_unit_test(dirty_and_clean_neighbours_stay_apart),
      cmocka_unit_test(a_wish_for_zero_takes_clean_before_dirty),
      cmocka_unit_test(a_wish_for_growth_takes_from_the_frontier),
      cmocka_unit_test(four_spans_of_the_own_class_are_looked_at),
      cmocka_unit_test(a_fifth_span_of_the_own_class_is_not_looked_at),
      cmocka_unit_test(any_span_of_a_higher_class_will_do),
      cmocka_unit_test(spans_are_aligned_and_the_gap_stays_in_use), cmocka_unit_test(extends_into_a_free_neighbour),
      cmocka_unit_test(extends_into_the_frontier_but_not_over_a_used_span),
      cmocka_unit_test(what_shrinking_leaves_is_free_and_merged),
      cmocka_unit_test(purging_leaves_at_most_what_it_is_told_to_keep),
      cmocka_unit_test(dirty_and_clean_neighbours_serve_a_request_together_before_it_fails),
      cmocka_unit_test(much_dirty_memory_is_given_back_at_once), cmocka_unit_test(dirty_memory_decays_after_two_ticks),
      cmocka_unit_test(what_is_used_again_in_time_does_not_decay),
      cmocka_unit_test(requests_that_no_region_can_meet_fail), cmocka_unit_test(holds_under_random_use))
