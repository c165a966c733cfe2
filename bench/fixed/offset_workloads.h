/* The workloads for offset allocators, as lists of operations that any allocator can run. */
#ifndef BENCH_OFFSET_WORKLOADS_H
#define BENCH_OFFSET_WORKLOADS_H

#include <stdint.h>

/* Allocates `size` bytes into a slot, or with a size of 0 frees what is in it. */
typedef struct Operation {
    uint32_t size;
    uint32_t slot;
} Operation;

typedef struct Workload {
    const char *name;
    const char *what;
    uint64_t capacity; /* bytes */
    uint32_t alignment;
    uint32_t slots;
    Operation *setup; /* not measured */
    uint32_t setup_count;
    Operation *timed;
    uint32_t timed_count;
} Workload;

/* W1 to W7. */
Workload offset_workload(unsigned number);

/* W8: `count` blocks of 64 bytes, the odd ones freed in the setup, the even ones in the timed part. */
Workload offset_workload_coalescing(uint32_t count);

void offset_workload_free(Workload *workload);

uint64_t xorshift(uint64_t *state);
uint32_t xorshift_range(uint64_t *state, uint32_t low, uint32_t high);
uint32_t xorshift_below(uint64_t *state, uint32_t count);

#endif
