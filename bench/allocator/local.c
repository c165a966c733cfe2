#include "pattern.h"

#include <stdlib.h>

/* Each thread takes a handful of small blocks and gives them back, last first: a function and its temporaries. */
static uint64_t body(unsigned index, void *scale) {
    enum { BLOCKS = 48, ROUNDS = 40000 };
    uint32_t random = index + 1;
    uint64_t allocated = 0;
    void *blocks[BLOCKS];
    for (unsigned round = 0; round < ROUNDS * *(unsigned *)scale; round++) {
        unsigned count = 1 + random_below(&random, BLOCKS);
        for (unsigned i = 0; i < count; i++)
            blocks[i] = allocate(random_size(&random, 3, 8));
        for (unsigned i = count; i-- > 0;)
            free(blocks[i]);
        allocated += count;
    }
    return allocated;
}

static uint64_t run(unsigned threads, unsigned scale) {
    return in_threads(threads, body, &scale);
}

const Pattern pattern_local = {"local", "short-lived small blocks, freed by the thread that took them", 1, run};
