#include "zeroing.h"

#include "../os/os.h"

enum {
    SITES = 256,
    /* Below this the system calls cost as much as the writing. */
    LAZY_MIN = 128 << 10,
    /* Touching a page for the first time costs about as much as writing eight pages that are there. */
    TOUCHED_MAX = 256 / 8,
    /* A site that touches all is tried again after a while, and then ever more rarely. */
    RETRY_FIRST = 256,
    RETRY_MAX = 1 << 20,
    /* One that touches little is looked at again after this many: looking costs as much as touching a few pages. */
    LOOK_EVERY = 16,
};

/* Different sites may share an entry, and threads may overwrite each other's update: it is only a guess, and atomic
 * only so that each value is whole. */
typedef struct Site {
    uint32_t touched;     /* share of the last block that was made lazily, in 256ths */
    uint32_t until_retry; /* blocks to be written before one is made lazily again */
    uint32_t retry;       /* how many those were last time */
    uint32_t until_look;  /* blocks made lazily to be freed before the share is measured again */
} Site;

static Site sites[SITES];

static uint32_t get(const uint32_t *value) {
    return __atomic_load_n(value, __ATOMIC_RELAXED);
}

static void set(uint32_t *value, uint32_t to) {
    __atomic_store_n(value, to, __ATOMIC_RELAXED);
}

VestaZeroing vesta_zeroing_choose(const void *address, size_t size) {
    if (size < LAZY_MIN)
        return (VestaZeroing){.lazily = false};
    /* Fibonacci hashing: the low bits of return addresses are poor. */
    uint32_t index = (uint32_t)((uintptr_t)address * 0x9E3779B97F4A7C15ull >> 56) % SITES;
    Site *site = &sites[index];
    VestaZeroing zeroing = {.lazily = true, .site = index + 1};
    uint32_t until_retry = get(&site->until_retry);
    if (get(&site->touched) > TOUCHED_MAX && until_retry != 0) {
        set(&site->until_retry, until_retry - 1);
        zeroing.lazily = false;
    }
    return zeroing;
}

void vesta_zeroing_learn(uint32_t index, uintptr_t address, size_t size) {
    Site *site = &sites[index - 1];
    uint32_t until_look = get(&site->until_look);
    if (until_look != 0) {
        set(&site->until_look, until_look - 1);
        return;
    }
    size_t pages = size / vesta_os_page_size();
    uint32_t touched = (uint32_t)(vesta_os_resident_pages(address, size) * 256 / pages);
    set(&site->touched, touched);
    if (touched > TOUCHED_MAX) {
        uint32_t retry = get(&site->retry);
        retry = retry == 0 ? RETRY_FIRST : retry < RETRY_MAX ? retry * 2 : RETRY_MAX;
        set(&site->retry, retry);
        set(&site->until_retry, retry);
    } else {
        set(&site->retry, 0);
        set(&site->until_look, LOOK_EVERY);
    }
}
