/* The shadow model: what every block in use must be like, kept apart from the allocator. It knows each block's place,
 * size and content; claims on the address space tell at once when two blocks overlap. Any number of threads may work on
 * it at once; they hand blocks to each other. */
#ifndef HEAP_TESTS_MODEL_H
#define HEAP_TESTS_MODEL_H

#include "support.h"

typedef struct ModelWork {
    uint64_t seed;
    unsigned steps;
    unsigned blocks;      /* at most so many are in use at a time */
    unsigned size_bits;   /* sizes up to this power of two, small ones most often */
    bool may_fail;        /* requests may be refused */
    unsigned trims_every; /* steps, or 0 */
} ModelWork;

/* Allocates, resizes, frees, checks and hands over blocks at random; frees what it still has at the end. Returns how
 * many requests were refused. */
unsigned model_work(const ModelWork *work);

/* Frees what was handed over and taken by nobody. */
void model_finish(void);

#endif
