#include "pattern.h"

#include <stdlib.h>

/* Small blocks mostly, some of up to 64 KiB, a few of up to 1 MiB. */
static size_t any_size(uint32_t *random) {
    unsigned kind = random_below(random, 1000);
    if (kind < 900)
        return random_size(random, 3, 9);
    return kind < 998 ? random_size(random, 9, 16) : random_size(random, 16, 20);
}

/* Random lifetimes: replace at random, now and then resize. */
static uint64_t body(unsigned index, void *scale) {
    enum { LIVE = 4000, STEPS = 200000 };
    void **live = calloc(LIVE, sizeof(*live));
    uint32_t random = index + 1;
    if (live == NULL)
        abort();
    for (unsigned i = 0; i < STEPS * *(unsigned *)scale; i++) {
        void **slot = &live[random_below(&random, LIVE)];
        if (random_below(&random, 8) == 0) {
            *slot = resize(*slot, any_size(&random));
        } else {
            free(*slot);
            *slot = allocate(any_size(&random));
        }
    }
    for (unsigned i = 0; i < LIVE; i++)
        free(live[i]);
    free(live);
    return STEPS * *(unsigned *)scale;
}

static uint64_t run(unsigned threads, unsigned scale) {
    return in_threads(threads, body, &scale);
}

const Pattern pattern_mixed = {"mixed", "all sizes up to 1 MiB with random lifetimes, and realloc", 1, run};
