/* Which blocks are copied and filled. */
#ifndef VESTA_BENCH_MEM_WORKLOAD_H
#define VESTA_BENCH_MEM_WORKLOAD_H

#include <stddef.h>

#include "subject.h"

/* How blocks lie to cache lines: at their start; at multiples of 16 like malloc's; anyhow. */
typedef enum Placement { ALIGNED, MALLOCED, UNALIGNED, PLACEMENTS } Placement;

extern const char *const placement_names[PLACEMENTS];

/* From 0 to 64 MiB, ascending, with the neighbours of powers of two. */
extern const size_t fixed_sizes[];
extern const size_t fixed_size_count;

/* A block of that size at the start of the areas. */
Block fixed_block(size_t size, Placement placement);

/* Sizes at random. */
typedef enum Distribution {
    AS_PROGRAMS_DO, /* small ones, in the shares that programs were seen to ask for */
    LOG_UNIFORM_64,
    LOG_UNIFORM_4_KIB,
    LOG_UNIFORM_1_MIB,
    LOG_UNIFORM_64_MIB,
    DISTRIBUTIONS
} Distribution;

extern const char *const distribution_names[DISTRIBUTIONS];

/* Fills up to `capacity` blocks and returns how many: fewer if they are large. They lie within `span` bytes of each
 * area if they fit, so that a small span stays in the cache. The same for every run. */
size_t random_blocks(Block *blocks, size_t capacity, Operation operation, Distribution distribution,
                     Placement placement, size_t span);

/* Blocks of one size, spread over the areas. */
size_t spread_blocks(Block *blocks, size_t capacity, size_t size, Placement placement);

#endif
