/* Slabs of one thread, through the fast path and its slow halves. */
#include "support.h"

#include "inside.h"

#include "alloc/os/os.h"

enum { MOST_BLOCKS = 1024 };

/* As many blocks as a slab has room for; the first one's slab must be a new one. */
static uint32_t fill_slab(void **blocks, size_t size) {
    blocks[0] = vesta_host_alloc(size);
    uint32_t capacity = slab_of(blocks[0])->capacity;
    for (uint32_t i = 1; i < capacity; i++) {
        blocks[i] = vesta_host_alloc(size);
        assert_ptr_equal(slab_of(blocks[i]), slab_of(blocks[0]));
    }
    return capacity;
}

ISOLATED(a_new_slab_hands_out_blocks_in_the_order_of_their_addresses) {
    for (uint32_t class_index = 0; class_index < VESTA_SMALL_CLASSES; class_index++) {
        void *blocks[MOST_BLOCKS];
        uint32_t size = vesta_small_size(class_index), capacity = fill_slab(blocks, size);
        assert_int_equal(capacity, vesta_slab_pages(size) * VESTA_PAGE_SIZE / size);
        for (uint32_t i = 0; i < capacity; i++)
            assert_ptr_equal(blocks[i], vesta_page_address(slab_of(blocks[0])) + i * size);
    }
}

ISOLATED(every_size_gets_a_block_of_its_class) {
    for (size_t size = 0; size <= VESTA_SMALL_MAX; size++) {
        void *block = vesta_host_alloc(size);
        assert_int_equal(vesta_host_usable_size(block), vesta_small_size(vesta_small_class(size)));
        assert_int_equal((uintptr_t)block % VESTA_HOST_ALLOC_ALIGNMENT, 0);
        memset(block, 0xFF, vesta_host_usable_size(block));
        if (size % 3 != 0)
            vesta_host_free(block);
    }
}

ISOLATED(a_new_slab_is_touched_no_further_than_it_is_used) {
    void *block = vesta_host_alloc(64);
    VestaPage *slab = slab_of(block);
    assert_int_equal(vesta_os_resident_pages(vesta_page_address(slab), VESTA_PAGE_SIZE), 1);
    while (slab->fresh * 64 <= 4096)
        assert_ptr_equal(slab_of(vesta_host_alloc(64)), slab);
    assert_int_equal(vesta_os_resident_pages(vesta_page_address(slab), VESTA_PAGE_SIZE), 2);
}

ISOLATED(what_was_freed_last_is_allocated_first) {
    void *blocks[100];
    for (int i = 0; i < 100; i++)
        blocks[i] = vesta_host_alloc(48);
    for (int i = 0; i < 100; i++)
        vesta_host_free(blocks[i]);
    for (int i = 100; i-- > 0;)
        assert_ptr_equal(vesta_host_alloc(48), blocks[i]);
}

ISOLATED(a_full_slab_wakes_when_an_eighth_of_it_was_freed) {
    static void *full[MOST_BLOCKS], *active[MOST_BLOCKS];
    uint32_t capacity = fill_slab(full, 256);
    fill_slab(active, 256);
    VestaPage *slab = slab_of(full[0]);
    VestaHeap *heap = heap_of(full[0]);
    uint32_t class_index = slab->slab_class;
    assert_int_equal(slab->state, VESTA_SLAB_FULL);
    for (uint32_t i = 0; i < capacity / 8; i++) {
        assert_null(heap->partial[class_index].first);
        vesta_host_free(full[i]);
    }
    assert_int_equal(slab->state, VESTA_SLAB_PARTIAL);
    assert_ptr_equal(heap->partial[class_index].first, slab);
    /* It serves before a new slab is made, with what was freed last. */
    uint64_t slabs = host_stats().slabs;
    for (uint32_t i = capacity / 8; i-- > 0;)
        assert_ptr_equal(vesta_host_alloc(256), full[i]);
    assert_int_equal(host_stats().slabs, slabs);
    assert_ptr_not_equal(slab_of(vesta_host_alloc(256)), slab);
    assert_int_equal(host_stats().slabs, slabs + 1);
}

ISOLATED(a_slab_that_did_not_wake_gives_nothing) {
    static void *full[MOST_BLOCKS], *active[MOST_BLOCKS];
    uint32_t capacity = fill_slab(full, 256);
    fill_slab(active, 256);
    for (uint32_t i = 0; i < capacity / 8 - 1; i++)
        vesta_host_free(full[i]);
    assert_ptr_not_equal(slab_of(vesta_host_alloc(256)), slab_of(full[0]));
}

ISOLATED(an_empty_slab_is_released_for_other_classes) {
    static void *blocks[MOST_BLOCKS];
    for (uint32_t class_index = 0; class_index < VESTA_SMALL_CLASSES; class_index++) {
        uint32_t size = vesta_small_size(class_index), capacity = fill_slab(blocks, size);
        vesta_host_alloc(size); /* another slab is active */
        uint64_t slabs = host_stats().slabs;
        VestaPage *slab = slab_of(blocks[0]);
        for (uint32_t i = 0; i < capacity; i++) {
            assert_int_equal(slab->kind, VESTA_PAGE_SLAB);
            assert_int_equal(host_stats().slabs, slabs);
            vesta_host_free(blocks[(i * 7 + i / capacity) % capacity]);
        }
        assert_int_equal(host_stats().slabs, slabs - 1);
        for (uint32_t i = 0; i < slab->pages; i++) {
            assert_null(slab[i].owner);
            assert_int_equal(slab[i].kind, VESTA_PAGE_NONE);
        }
    }
}

ISOLATED(a_released_slab_serves_another_class_of_its_length) {
    void *blocks[MOST_BLOCKS];
    uint32_t capacity = fill_slab(blocks, 512);
    assert_int_equal(capacity, 32);
    vesta_host_alloc(512);
    for (uint32_t i = 0; i < capacity; i++)
        vesta_host_free(blocks[i]);
    void *others[MOST_BLOCKS];
    assert_int_equal(fill_slab(others, 1024), 16);
    assert_ptr_equal(others[0], blocks[0]);
    assert_int_equal(vesta_host_usable_size(others[15]), 1024);
}

ISOLATED(partial_slabs_are_used_in_the_order_in_which_they_woke) {
    enum { SLABS = 6 };
    static void *blocks[SLABS][MOST_BLOCKS];
    static const int order[SLABS] = {3, 0, 5, 1, 4, 2};
    uint32_t capacity = 0;
    for (int i = 0; i < SLABS; i++)
        capacity = fill_slab(blocks[i], 512);
    void *last[MOST_BLOCKS];
    fill_slab(last, 512);
    for (int i = 0; i < SLABS; i++)
        for (uint32_t j = 0; j < capacity / 8; j++)
            vesta_host_free(blocks[order[i]][j]);
    for (int i = 0; i < SLABS; i++)
        for (uint32_t j = 0; j < capacity / 8; j++)
            assert_ptr_equal(slab_of(vesta_host_alloc(512)), slab_of(blocks[order[i]][0]));
}

ISOLATED(a_slab_leaves_the_middle_of_its_queue_when_it_is_empty) {
    enum { SLABS = 5 };
    static void *blocks[SLABS + 1][MOST_BLOCKS];
    uint32_t capacity = 0;
    for (int i = 0; i <= SLABS; i++)
        capacity = fill_slab(blocks[i], 1024);
    for (int i = 0; i < SLABS; i++)
        for (uint32_t j = 0; j < capacity / 8; j++)
            vesta_host_free(blocks[i][j]);
    static const int emptied[3] = {2, 0, 4};
    for (int i = 0; i < 3; i++)
        for (uint32_t j = capacity / 8; j < capacity; j++)
            vesta_host_free(blocks[emptied[i]][j]);
    for (int i = 1; i <= 3; i += 2)
        for (uint32_t j = 0; j < capacity / 8; j++)
            assert_ptr_equal(slab_of(vesta_host_alloc(1024)), slab_of(blocks[i][0]));
}

ISOLATED(an_active_slab_takes_any_number_of_frees) {
    void *block = vesta_host_alloc(32);
    VestaPage *slab = slab_of(block);
    VestaBin *bin = &heap_of(block)->bins[slab->slab_class];
    for (int i = 0; i < 3; i++) {
        bin->frees_left = 1; /* as after 4,294,967,294 frees */
        vesta_host_free(block);
        assert_int_equal(slab->state, VESTA_SLAB_ACTIVE);
        assert_int_equal(bin->frees_left, UINT32_MAX);
        assert_ptr_equal(vesta_host_alloc(32), block);
    }
}

ISOLATED(aligned_blocks_come_from_classes_that_are_multiples) {
    for (size_t alignment = 1; alignment <= VESTA_SMALL_MAX; alignment *= 2)
        for (size_t size = 0; size <= VESTA_SMALL_MAX; size += size / 50 + 1) {
            void *blocks[3];
            for (int i = 0; i < 3; i++) {
                blocks[i] = vesta_host_alloc_aligned(size, alignment);
                assert_non_null(blocks[i]);
                assert_int_equal((uintptr_t)blocks[i] % alignment, 0);
                assert_int_equal((uintptr_t)blocks[i] % VESTA_HOST_ALLOC_ALIGNMENT, 0);
                assert_int_equal(vesta_page_of(blocks[i])->kind, VESTA_PAGE_SLAB);
                assert_true(vesta_host_usable_size(blocks[i]) >= size);
            }
            for (int i = 0; i < 3; i++)
                vesta_host_free_aligned(blocks[i]);
        }
}

ISOLATED(the_number_of_slabs_follows_what_is_live) {
    /* Rounds of allocating and freeing all in another order must not need more slabs each time. */
    enum { BLOCKS = 20000 };
    static void *blocks[BLOCKS];
    Random random = {5};
    uint64_t most = 0;
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < BLOCKS; i++)
            blocks[i] = vesta_host_alloc(80);
        uint64_t slabs = host_stats().slabs;
        if (round == 0)
            most = slabs;
        assert_true(slabs <= most + most / 8);
        for (int i = BLOCKS; i > 0; i--) {
            size_t j = random_below(&random, (uint64_t)i);
            vesta_host_free(blocks[j]);
            blocks[j] = blocks[i - 1];
        }
        assert_true(host_stats().slabs <= 1);
    }
}

TESTS(cmocka_unit_test(a_new_slab_hands_out_blocks_in_the_order_of_their_addresses),
      cmocka_unit_test(every_size_gets_a_block_of_its_class),
      cmocka_unit_test(a_new_slab_is_touched_no_further_than_it_is_used),
      cmocka_unit_test(what_was_freed_last_is_allocated_first),
      cmocka_unit_test(a_full_slab_wakes_when_an_eighth_of_it_was_freed),
      cmocka_unit_test(a_slab_that_did_not_wake_gives_nothing),
      cmocka_unit_test(an_empty_slab_is_released_for_other_classes),
      cmocka_unit_test(a_released_slab_serves_another_class_of_its_length),
      cmocka_unit_test(partial_slabs_are_used_in_the_order_in_which_they_woke),
      cmocka_unit_test(a_slab_leaves_the_middle_of_its_queue_when_it_is_empty),
      cmocka_unit_test(an_active_slab_takes_any_number_of_frees),
      cmocka_unit_test(aligned_blocks_come_from_classes_that_are_multiples),
      cmocka_unit_test(the_number_of_slabs_follows_what_is_live))
