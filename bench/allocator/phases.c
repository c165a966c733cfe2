#include "pattern.h"

#include <stdlib.h>

/* A program of phases, each with its own sizes: most blocks of a phase go at its end, in no order, and one in sixteen
 * stays until the end of the next. What counts is whether the holes can be used again. */
static uint64_t body(unsigned index, void *scale) {
    enum { BLOCKS = 4000, PHASES = 10, KEPT_OF = 16 };
    size_t blocks = (size_t)BLOCKS * *(unsigned *)scale, kept = (blocks + KEPT_OF - 1) / KEPT_OF;
    void **now = calloc(blocks, sizeof(*now)), **before = calloc(kept, sizeof(*before));
    uint32_t random = index + 1;
    if (now == NULL || before == NULL)
        abort();
    for (unsigned phase = 0; phase < PHASES; phase++) {
        size_t size = 32 + random_below(&random, 900);
        for (size_t i = 0; i < blocks; i++)
            now[i] = allocate(size + random_below(&random, 64));
        for (size_t i = 0; i < kept; i++)
            free(before[i]);
        for (size_t i = 0; i < blocks; i++) {
            if (i % KEPT_OF == 0)
                before[i / KEPT_OF] = now[i];
            else
                free(now[i]);
        }
    }
    for (size_t i = 0; i < kept; i++)
        free(before[i]);
    free(before);
    free(now);
    return (uint64_t)blocks * PHASES;
}

static uint64_t run(unsigned threads, unsigned scale) {
    return in_threads(threads, body, &scale);
}

const Pattern pattern_phases = {"phases", "phases of different sizes; one block in sixteen survives its phase", 1, run};
