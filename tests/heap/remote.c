/* Blocks freed by threads that do not own them. */
#include "support.h"

#include "inside.h"

#include "alloc/heap/remote.h"

enum { MOST = 8192 };

static void *blocks[MOST];
static size_t block_size;
static unsigned until_sent;

static void allocate(unsigned count, size_t size) {
    block_size = size;
    for (unsigned i = 0; i < count; i++) {
        blocks[i] = vesta_host_alloc(size);
        memset(blocks[i], 0xA5, size);
    }
}

static bool arrived(VestaHeap *owner) {
    return vesta_remote_waiting(owner);
}

/* Frees blocks until their owner sees some of them. */
static void free_until_sent(unsigned index) {
    (void)index;
    VestaHeap *owner = heap_of(blocks[0]);
    assert_false(arrived(owner));
    for (until_sent = 0; !arrived(owner); until_sent++)
        vesta_host_free(blocks[until_sent]);
}

ISOLATED(a_batch_goes_out_at_64_blocks) {
    allocate(MOST, 32);
    run_thread(free_until_sent);
    assert_int_equal(until_sent, 64);
}

ISOLATED(a_batch_goes_out_at_16_kib) {
    allocate(64, 4096);
    run_thread(free_until_sent);
    assert_int_equal(until_sent, 4);
}

ISOLATED(a_block_of_16_kib_goes_out_alone) {
    allocate(64, 16384);
    run_thread(free_until_sent);
    assert_int_equal(until_sent, 1);
}

static void free_one_then_refill(unsigned index) {
    (void)index;
    VestaHeap *owner = heap_of(blocks[0]);
    vesta_host_free(blocks[0]);
    assert_false(arrived(owner));
    vesta_host_alloc(500); /* the thread's first of its size */
    assert_true(arrived(owner));
}

ISOLATED(a_batch_goes_out_when_the_thread_needs_a_slab) {
    allocate(1, 32);
    run_thread(free_one_then_refill);
}

static void free_one(unsigned index) {
    vesta_host_free(blocks[index]);
    assert_false(arrived(heap_of(blocks[index])));
}

ISOLATED(a_batch_goes_out_when_the_thread_ends) {
    allocate(1, 32);
    run_thread(free_one);
    assert_true(arrived(heap_of(blocks[0])));
}

static void free_one_then_trim(unsigned index) {
    free_one(index);
    vesta_host_trim(0);
    assert_true(arrived(heap_of(blocks[index])));
}

ISOLATED(a_batch_goes_out_with_a_trim) {
    allocate(1, 32);
    run_thread(free_one_then_trim);
}

/* ---- Many owners ---- */

enum { OWNERS = 20 };

static unsigned ready, may_end;

static void own_one(unsigned index) {
    if (index == OWNERS) {
        /* This one frees: more owners than there are batches, so some batches must give way. */
        wait_for_turn(&ready, OWNERS);
        for (unsigned i = 0; i < OWNERS; i++)
            vesta_host_free(blocks[i]);
        unsigned sent = 0;
        for (unsigned i = 0; i < OWNERS; i++)
            sent += arrived(heap_of(blocks[i]));
        assert_true(sent >= OWNERS - VESTA_BATCHES);
        assert_true(sent < OWNERS);
        vesta_host_free(vesta_host_alloc(500));
        for (unsigned i = 0; i < OWNERS; i++)
            assert_true(arrived(heap_of(blocks[i])));
        give_turn(&may_end, 1);
    } else {
        blocks[index] = vesta_host_alloc(64);
        __atomic_add_fetch(&ready, 1, __ATOMIC_RELEASE);
        wait_for_turn(&may_end, 1);
    }
}

ISOLATED(more_owners_than_batches_make_room_for_each_other) {
    run_threads(OWNERS + 1, own_one);
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

/* ---- Taking back ---- */

static unsigned count_to_free;

static void free_them(unsigned index) {
    (void)index;
    for (unsigned i = 0; i < count_to_free; i++)
        vesta_host_free(blocks[i]);
}

static int by_address(const void *a, const void *b) {
    uintptr_t x = *(const uintptr_t *)a, y = *(const uintptr_t *)b;
    return x < y ? -1 : x > y;
}

ISOLATED(the_owner_uses_again_what_others_freed) {
    count_to_free = 5000;
    allocate(count_to_free, 64);
    static void *before[MOST];
    memcpy(before, blocks, sizeof before);
    qsort(before, count_to_free, sizeof *before, by_address);
    uint64_t slabs = host_stats().slabs, remote_frees = host_stats().remote_frees;
    run_thread(free_them);
    unsigned same = 0;
    for (unsigned i = 0; i < count_to_free; i++) {
        void *block = vesta_host_alloc(64);
        same += bsearch(&block, before, count_to_free, sizeof block, by_address) != NULL;
    }
    assert_true(same > count_to_free * 9 / 10);
    assert_true(host_stats().slabs <= slabs + 1);
    assert_int_equal(host_stats().remote_frees - remote_frees, count_to_free);
}

static unsigned turn;

/* A thread that only frees, beside one that only allocates. */
static void free_in_turns(unsigned index) {
    (void)index;
    for (unsigned round = 0; round < 200; round++) {
        wait_for_turn(&turn, 2 * round + 1);
        free_them(0);
        give_turn(&turn, 2 * round + 2);
    }
}

static void allocate_or_free_in_turns(unsigned index) {
    if (index == 1) {
        free_in_turns(0);
        return;
    }
    uint64_t most = 0;
    for (unsigned round = 0; round < 200; round++) {
        allocate(count_to_free, round % 7 * 16 + 16);
        if (round < 14)
            most = host_stats().slabs > most ? host_stats().slabs : most;
        else
            assert_true(host_stats().slabs <= most + 8);
        give_turn(&turn, 2 * round + 1);
        wait_for_turn(&turn, 2 * round + 2);
    }
}

ISOLATED(a_producer_and_a_consumer_need_no_more_over_time) {
    count_to_free = 1000;
    run_threads(2, allocate_or_free_in_turns);
}

static void allocate_large(unsigned index) {
    blocks[index] = vesta_host_alloc((index + 1) * 20000);
}

ISOLATED(large_blocks_belong_to_nobody) {
    run_thread(allocate_large);
    vesta_host_free(blocks[0]);
    assert_ptr_equal(vesta_host_alloc(20000), blocks[0]);
}

/* ---- A slab changes its owner while a block of it is on its way ---- */

static void own_a_slab(unsigned index) {
    (void)index;
    for (unsigned i = 0; i < 32; i++)
        blocks[i] = vesta_host_alloc(1024);
    for (unsigned i = 8; i < 16; i++)
        vesta_host_free(blocks[i]);
    give_turn(&turn, 1);
    wait_for_turn(&turn, 2);
}

static void three_parts(unsigned index) {
    switch (index) {
    case 0: /* owns a slab, leaves half of it free, and ends */
        own_a_slab(index);
        break;
    default: /* holds a block of it back until the slab is another's */
        wait_for_turn(&turn, 1);
        vesta_host_free(blocks[0]);
        give_turn(&turn, 2);
        wait_for_turn(&turn, 3);
        vesta_host_trim(0);
        give_turn(&turn, 4);
    }
}

static void *stealer_blocks[64];

static void owner_ends_and_slab_is_stolen(unsigned index) {
    if (index == 0) {
        vesta_host_alloc(1); /* a heap of its own: the ended one is not adopted */
        run_thread(three_parts);
        /* The first of 16 blocks in the ended heap's slab that are free. */
        stealer_blocks[0] = vesta_host_alloc(1024);
        assert_ptr_equal(slab_of(stealer_blocks[0]), slab_of(blocks[1]));
        assert_ptr_equal(heap_of(stealer_blocks[0]), heap_of(vesta_host_alloc(1)));
        give_turn(&turn, 3);
        wait_for_turn(&turn, 4);
        /* Now it is here. */
        for (unsigned i = 1; i < 10; i++)
            stealer_blocks[i] = vesta_host_alloc(1024);
        unsigned again = 0;
        for (unsigned i = 0; i < 10; i++)
            again += stealer_blocks[i] == blocks[0];
        assert_int_equal(again, 1);
    } else {
        vesta_host_alloc(1);
        three_parts(1);
    }
}

ISOLATED(a_block_travels_on_to_its_slab_s_new_owner) {
    run_threads(2, owner_ends_and_slab_is_stolen);
}

/* The same, but the new owner has ended as well when the block comes: nobody looks there until a trim does. */
static VestaHeap *second_owner;

static void steal_and_end(unsigned index) {
    (void)index;
    second_owner = heap_of(vesta_host_alloc(1));
    run_thread(own_a_slab);
    void *stolen = vesta_host_alloc(1024);
    assert_ptr_equal(slab_of(stolen), slab_of(blocks[0]));
    assert_ptr_equal(heap_of(stolen), second_owner);
    vesta_host_free(stolen);
}

static void hold_a_block_back(unsigned index) {
    if (index == 0) {
        vesta_host_alloc(1);
        give_turn(&turn, 5);
        wait_for_turn(&turn, 1);
        vesta_host_free(blocks[0]);
        give_turn(&turn, 2);
        wait_for_turn(&turn, 3);
        vesta_host_free(vesta_host_alloc(500));
        give_turn(&turn, 4);
        return;
    }
    wait_for_turn(&turn, 5);
    give_turn(&turn, 0);
    run_thread(steal_and_end);
    give_turn(&turn, 3);
    wait_for_turn(&turn, 4);
    assert_true(arrived(second_owner));
    vesta_host_trim(0);
    assert_false(arrived(second_owner));
}

ISOLATED(a_trim_finds_what_travelled_to_an_ended_thread) {
    run_threads(2, hold_a_block_back);
}

TESTS(cmocka_unit_test(a_batch_goes_out_at_64_blocks), cmocka_unit_test(a_batch_goes_out_at_16_kib),
      cmocka_unit_test(a_block_of_16_kib_goes_out_alone),
      cmocka_unit_test(a_batch_goes_out_when_the_thread_needs_a_slab),
      cmocka_unit_test(a_batch_goes_out_when_the_thread_ends), cmocka_unit_test(a_batch_goes_out_with_a_trim),
      cmocka_unit_test(more_owners_than_batches_make_room_for_each_other),
      cmocka_unit_test(the_owner_uses_again_what_others_freed),
      cmocka_unit_test(a_producer_and_a_consumer_need_no_more_over_time),
      cmocka_unit_test(large_blocks_belong_to_nobody), cmocka_unit_test(a_block_travels_on_to_its_slab_s_new_owner),
      cmocka_unit_test(a_trim_finds_what_travelled_to_an_ended_thread))
