#include "pattern.h"

#include <stdlib.h>

enum { BLOCKS = 200 };

/* A short life: half of the blocks are left for the main thread. */
static uint64_t body(unsigned index, void *argument) {
    void **left = (void **)argument + (size_t)index * BLOCKS / 2;
    void *own[BLOCKS / 2];
    uint32_t random = index + 1;
    for (unsigned i = 0; i < BLOCKS / 2; i++) {
        own[i] = allocate(random_size(&random, 4, 10));
        left[i] = allocate(random_size(&random, 4, 10));
    }
    for (unsigned i = 0; i < BLOCKS / 2; i++)
        free(own[i]);
    return BLOCKS;
}

static uint64_t run(unsigned threads, unsigned scale) {
    enum { ROUNDS = 300 };
    size_t count = (size_t)threads * BLOCKS / 2;
    void **left = calloc(count, sizeof(*left));
    uint64_t allocated = 0;
    if (left == NULL)
        abort();
    for (unsigned round = 0; round < ROUNDS * scale; round++) {
        allocated += in_threads(threads, body, left);
        for (size_t i = 0; i < count; i++)
            free(left[i]);
    }
    free(left);
    return allocated;
}

const Pattern pattern_lifetimes = {"lifetimes", "threads that start, allocate, leave blocks behind and end", 1, run};
