#define _GNU_SOURCE
#include "model.h"

#include <errno.h>
#include <sys/mman.h>

/* ---- Claims: a bit for each 16 bytes of address space that some block uses ---- */

enum { GRANULE = 16, SLOT_SHIFT = 40, SLOTS = 128 };

/* Bitmaps by address / 1 TiB, made when the first block of theirs is seen. */
static uint64_t *claims[SLOTS];

static uint64_t *claims_of(uintptr_t address) {
    uint64_t **slot = &claims[address >> SLOT_SHIFT];
    uint64_t *map = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (map != NULL)
        return map;
    const size_t size = ((size_t)1 << SLOT_SHIFT) / GRANULE / 8;
    map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(map, MAP_FAILED);
    uint64_t *other = NULL;
    if (__atomic_compare_exchange_n(slot, &other, map, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return map;
    munmap(map, size);
    return other;
}

/* Sets or clears the bits of a range, all of which must have been the other way. Relaxed: the model must not order what
 * the allocator should. */
static void change_claim(const void *block, size_t size, bool claim) {
    uintptr_t address = (uintptr_t)block;
    uint64_t *map = claims_of(address);
    /* What lies behind the last granule of a block is never another's. */
    size_t bit = (address & (((uintptr_t)1 << SLOT_SHIFT) - 1)) / GRANULE, end = bit + (size + GRANULE - 1) / GRANULE;
    while (bit < end) {
        size_t first = bit % 64, count = end - bit < 64 - first ? end - bit : 64 - first;
        uint64_t mask = (count == 64 ? ~0ull : (1ull << count) - 1) << first;
        uint64_t before = claim ? __atomic_fetch_or(&map[bit / 64], mask, __ATOMIC_RELAXED)
                                : __atomic_fetch_and(&map[bit / 64], ~mask, __ATOMIC_RELAXED);
        if ((before & mask) != (claim ? 0 : mask))
            fail_msg("blocks overlap at %p of %zu bytes", block, size);
        bit += count;
    }
}

/* ---- Blocks ---- */

typedef struct Block {
    char *memory; /* NULL: none */
    size_t size, usable;
    uint64_t seed;
} Block;

/* Short blocks have their pattern everywhere, long ones at both ends and every 64 KiB. */
enum { WHOLE = 64 << 10, END = 4096, PROBE = 64 };

typedef struct Window {
    size_t from, to;
} Window;

/* The window at or behind `from`; empty behind the last. */
static Window window_of(size_t usable, size_t from) {
    if (usable <= WHOLE)
        return (Window){from, usable};
    if (from == 0)
        return (Window){0, END};
    size_t probe = (from + WHOLE - 1) / WHOLE * WHOLE;
    if (probe + PROBE <= usable - END)
        return (Window){probe, probe + PROBE};
    return from <= usable - END ? (Window){usable - END, usable} : (Window){usable, usable};
}

static void fill(const Block *block) {
    for (Window w = window_of(block->usable, 0); w.from < w.to; w = window_of(block->usable, w.to))
        fill_pattern(block->memory + w.from, w.to - w.from, block->seed + w.from);
}

/* Whether the first `limit` bytes of `memory` hold what the block of `usable` bytes was filled with. */
static bool is_filled(const char *memory, size_t usable, uint64_t seed, size_t limit) {
    for (Window w = window_of(usable, 0); w.from < w.to && w.from < limit; w = window_of(usable, w.to))
        if (!has_pattern(memory + w.from, (w.to < limit ? w.to : limit) - w.from, seed + w.from))
            return false;
    return true;
}

static void check(const Block *block) {
    assert_int_equal(vesta_host_usable_size(block->memory), block->usable);
    assert_true(is_filled(block->memory, block->usable, block->seed, block->usable));
}

/* The model learns of a block that was just given out. */
static void adopt(Block *block, void *memory, size_t size, Random *random) {
    *block = (Block){memory, size, vesta_host_usable_size(memory), random_next(random) & ~7ull};
    assert_int_equal((uintptr_t)memory % VESTA_HOST_ALLOC_ALIGNMENT, 0);
    assert_true(block->usable >= size);
    assert_true(vesta_host_owns(memory));
    change_claim(memory, block->usable, true);
    fill(block);
}

static void drop(Block *block, Random *random) {
    check(block);
    change_claim(block->memory, block->usable, false);
    switch (random_below(random, 4)) {
    case 0:
        vesta_host_free_sized(block->memory, block->size);
        break;
    case 1:
        vesta_host_free_aligned(block->memory);
        break;
    default:
        vesta_host_free(block->memory);
    }
    block->memory = NULL;
}

/* ---- Handing over ---- */

static Block *mailboxes[512];

static void hand_over(Block *block, Random *random) {
    Block *letter = malloc(sizeof *letter);
    *letter = *block;
    Block *old = __atomic_exchange_n(&mailboxes[random_below(random, LENGTH(mailboxes))], letter, __ATOMIC_ACQ_REL);
    block->memory = NULL;
    if (old != NULL) {
        *block = *old;
        free(old);
    }
}

void model_finish(void) {
    Random random = {1};
    for (size_t i = 0; i < LENGTH(mailboxes); i++) {
        Block *letter = __atomic_exchange_n(&mailboxes[i], NULL, __ATOMIC_ACQ_REL);
        if (letter != NULL)
            drop(letter, &random);
        free(letter);
    }
}

/* ---- Work ---- */

static size_t random_size(const ModelWork *work, Random *random) {
    /* Half of all small; otherwise each doubling as often as the others, up to 64 KiB, and larger ones rarely. */
    if (random_below(random, 2) == 0)
        return random_below(random, 300);
    uint64_t bits = random_below(random, 300) == 0 ? random_below(random, work->size_bits + 1)
                                                   : random_below(random, work->size_bits < 16 ? work->size_bits : 16);
    return random_below(random, ((uint64_t)1 << bits) + 1);
}

static void *allocate(size_t size, Random *random) {
    void *memory;
    uint64_t way = random_below(random, 8);
    if (way < 2) {
        memory = way == 0 ? vesta_host_alloc_zeroed(size) : vesta_host_calloc(size / 3 + 1, 3);
        if (memory != NULL)
            assert_true(is_zero(memory, size));
        return memory;
    }
    if (way == 2) {
        size_t alignment = (size_t)1 << random_below(random, random_below(random, 50) == 0 ? 22 : 13);
        memory = random_below(random, 2) == 0 ? vesta_host_alloc_aligned(size, alignment)
                                              : vesta_host_alloc_aligned_freeable(size, alignment);
        assert_int_equal((uintptr_t)memory % alignment, 0);
        return memory;
    }
    return way == 3 ? vesta_host_realloc(NULL, size) : vesta_host_alloc(size);
}

static unsigned make(const ModelWork *work, Block *block, Random *random) {
    size_t size = random_size(work, random);
    errno = 0;
    void *memory = allocate(size, random);
    if (memory == NULL) {
        assert_true(work->may_fail);
        assert_int_equal(errno, ENOMEM);
        return 1;
    }
    adopt(block, memory, size, random);
    return 0;
}

static unsigned resize(const ModelWork *work, Block *block, Random *random) {
    size_t size = random_size(work, random);
    if (random_below(random, 2) == 0)
        size = block->size + random_below(random, block->size / 4 + 2); /* as vectors and strings grow */
    check(block);
    change_claim(block->memory, block->usable, false);
    errno = 0;
    void *memory = vesta_host_realloc(block->memory, size);
    if (memory == NULL) {
        assert_true(work->may_fail);
        assert_int_equal(errno, ENOMEM);
        change_claim(block->memory, block->usable, true);
        check(block);
        return 1;
    }
    assert_true(is_filled(memory, block->usable, block->seed, block->usable < size ? block->usable : size));
    adopt(block, memory, size, random);
    return 0;
}

unsigned model_work(const ModelWork *work) {
    Random random = {work->seed * 2 + 1};
    Block *blocks = calloc(work->blocks, sizeof *blocks);
    unsigned refused = 0;
    for (unsigned step = 1; step <= work->steps; step++) {
        Block *block = &blocks[random_below(&random, work->blocks)];
        uint64_t what = random_below(&random, 16);
        if (block->memory == NULL)
            refused += make(work, block, &random);
        else if (what < 3)
            refused += resize(work, block, &random);
        else if (what < 6)
            hand_over(block, &random);
        else if (what < 7)
            check(block);
        else
            drop(block, &random);
        if (work->trims_every != 0 && step % work->trims_every == 0)
            vesta_host_trim(random_below(&random, 2) * random_below(&random, 8 * MIB));
    }
    for (unsigned i = 0; i < work->blocks; i++)
        if (blocks[i].memory != NULL)
            drop(&blocks[i], &random);
    free(blocks);
    return refused;
}
