#include "pattern.h"

#include <stdlib.h>

/* Buffers of 32 KiB to 4 MiB, touched, with few alive at a time. */
static uint64_t body(unsigned index, void *scale) {
    enum { LIVE = 12, STEPS = 400 };
    void *live[LIVE] = {NULL};
    uint32_t random = index + 1;
    for (unsigned i = 0; i < STEPS * *(unsigned *)scale; i++) {
        void **slot = &live[random_below(&random, LIVE)];
        free(*slot);
        *slot = allocate(random_size(&random, 15, 22));
    }
    for (unsigned i = 0; i < LIVE; i++)
        free(live[i]);
    return STEPS * *(unsigned *)scale;
}

static uint64_t run(unsigned threads, unsigned scale) {
    return in_threads(threads, body, &scale);
}

const Pattern pattern_large = {"large", "buffers of 32 KiB to 4 MiB that come and go", 1, run};
