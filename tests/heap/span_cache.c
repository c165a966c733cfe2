/* What a thread keeps to itself. */
#include "support.h"

#include "inside.h"

#include "alloc/heap/large.h"
#include "alloc/heap/options.h"
#include "alloc/heap/span.h"

enum { SLOTS = VESTA_ALLOC_SPAN_CACHE_SLOTS, BYTES = VESTA_ALLOC_SPAN_CACHE_BYTES };

static void every_length_goes_into_the_slot_that_is_long_enough(void **state) {
    (void)state;
    assert_int_equal(vesta_span_cache_length(0), 1);
    for (uint32_t pages = 1; pages < 100000; pages++) {
        uint32_t slot = vesta_span_cache_slot(pages);
        assert_true(vesta_span_cache_length(slot) >= pages);
        assert_true(slot == 0 || vesta_span_cache_length(slot - 1) < pages);
        assert_true((vesta_span_cache_length(slot) - pages) * 8 <= pages);
    }
    for (uint32_t pages = 1; pages <= 16; pages++)
        assert_int_equal(vesta_span_cache_length(vesta_span_cache_slot(pages)), pages); /* slabs are exact */
}

static VestaHeap *heap;

static size_t cached_bytes(void) {
    size_t bytes = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        for (VestaPage *span = heap->cache.spans[slot]; span != NULL; span = span->next) {
            assert_int_equal(span->pages, vesta_span_cache_length(slot));
            assert_int_equal(span->kind, VESTA_PAGE_NONE);
            bytes += (size_t)span->pages << VESTA_PAGE_SHIFT;
        }
    assert_int_equal(heap->cache.bytes, bytes);
    return bytes;
}

static void need_heap(void) {
    heap = heap_of(vesta_host_alloc(1));
}

ISOLATED(a_freed_large_block_is_the_next_of_its_length) {
    need_heap();
    for (size_t size = 20000; size <= MIB; size += 10000) {
        void *block = vesta_host_alloc(size);
        size_t usable = vesta_host_usable_size(block);
        vesta_host_free(block);
        assert_true(cached_bytes() >= usable);
        assert_ptr_equal(vesta_host_alloc(size), block);
        assert_int_equal(vesta_host_usable_size(block), usable);
    }
}

ISOLATED(the_cache_never_holds_more_than_its_bytes) {
    need_heap();
    enum { BLOCKS = 100 };
    void *blocks[BLOCKS];
    Random random = {3};
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < BLOCKS; i++)
            blocks[i] = vesta_host_alloc(16385 + random_below(&random, 200000));
        for (int i = 0; i < BLOCKS; i++) {
            vesta_host_free(blocks[i]);
            assert_true(cached_bytes() <= BYTES);
        }
        assert_true(cached_bytes() > BYTES / 2);
    }
}

ISOLATED(lengths_beyond_the_last_slot_are_not_cached) {
    need_heap();
    uint64_t used = host_stats().used_bytes;
    size_t size = ((size_t)vesta_span_cache_length(SLOTS - 1) << VESTA_PAGE_SHIFT) + 1;
    vesta_host_free(vesta_host_alloc(size));
    assert_int_equal(cached_bytes(), 0);
    assert_int_equal(host_stats().used_bytes, used);
    vesta_host_free(vesta_host_alloc(size - 1));
    assert_true(cached_bytes() >= size - 1);
}

ISOLATED(a_block_that_was_resized_is_cached_by_its_new_length) {
    need_heap();
    void *block = vesta_host_alloc(200000);
    assert_ptr_equal(vesta_host_realloc(block, 600000), block);
    vesta_host_free(block);
    assert_true(cached_bytes() >= 600000);
    assert_ptr_equal(vesta_host_alloc(600000), block);
    assert_ptr_not_equal(vesta_host_alloc(200000), block);
    assert_ptr_equal(vesta_host_realloc(block, 100000), block);
    vesta_host_free(block);
    assert_true(cached_bytes() < 200000);
}

ISOLATED(aligned_blocks_are_cached_without_their_alignment) {
    need_heap();
    void *block = vesta_host_alloc_aligned(100000, MIB);
    vesta_host_free_aligned(block);
    cached_bytes();
    for (int i = 0; i < 10; i++)
        assert_int_equal((uintptr_t)vesta_host_alloc_aligned(100000, MIB) % MIB, 0);
}

ISOLATED(what_was_cached_for_a_whole_tick_is_handed_over) {
    vesta_host_free(vesta_host_alloc(1)); /* reads the options */
    vesta_options.decay = 40;
    need_heap();
    vesta_host_free(vesta_host_alloc(500000));
    assert_true(cached_bytes() >= 500000);
    uint32_t tick = vesta_span_tick();
    while (vesta_span_tick() == tick)
        vesta_span_decay();
    vesta_span_cache_expire(heap);
    assert_int_equal(cached_bytes(), 0);
    vesta_host_free(vesta_host_alloc(500000));
    vesta_span_cache_expire(heap);
    assert_true(cached_bytes() >= 500000);
}

ISOLATED(emptying_hands_everything_over) {
    need_heap();
    uint64_t used = host_stats().used_bytes;
    void *blocks[10];
    for (size_t i = 0; i < 10; i++)
        blocks[i] = vesta_host_alloc((i + 2) * 16384);
    for (size_t i = 0; i < 10; i++)
        vesta_host_free(blocks[i]);
    assert_true(host_stats().used_bytes > used);
    vesta_span_cache_empty(heap);
    assert_int_equal(cached_bytes(), 0);
    assert_int_equal(host_stats().used_bytes, used);
}

TESTS(cmocka_unit_test(every_length_goes_into_the_slot_that_is_long_enough),
      cmocka_unit_test(a_freed_large_block_is_the_next_of_its_length),
      cmocka_unit_test(the_cache_never_holds_more_than_its_bytes),
      cmocka_unit_test(lengths_beyond_the_last_slot_are_not_cached),
      cmocka_unit_test(a_block_that_was_resized_is_cached_by_its_new_length),
      cmocka_unit_test(aligned_blocks_are_cached_without_their_alignment),
      cmocka_unit_test(what_was_cached_for_a_whole_tick_is_handed_over),
      cmocka_unit_test(emptying_hands_everything_over))
