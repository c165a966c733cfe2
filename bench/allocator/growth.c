#include "pattern.h"

#include <stdlib.h>

/* A heap that only grows: records of a few dozen bytes, found through an array that is resized as it fills. */
static uint64_t body(unsigned index, void *scale) {
    enum { RECORDS = 100000 };
    size_t count = 0, capacity = 16, wanted = (size_t)RECORDS * *(unsigned *)scale;
    void **records = allocate(capacity * sizeof(*records));
    uint32_t random = index + 1;
    while (count < wanted) {
        if (count == capacity) {
            capacity += capacity / 2;
            records = resize(records, capacity * sizeof(*records));
        }
        records[count++] = allocate(24 + random_below(&random, 73));
    }
    for (size_t i = 0; i < count; i++)
        free(records[i]);
    free(records);
    return count;
}

static uint64_t run(unsigned threads, unsigned scale) {
    return in_threads(threads, body, &scale);
}

const Pattern pattern_growth = {"growth", "records and a growing array, nothing freed before the end", 1, run};
