/* Times subjects against each other: in turn, so that what disturbs one disturbs all, and the shortest time counts. */
#ifndef VESTA_BENCH_MEM_MEASURE_H
#define VESTA_BENCH_MEM_MEASURE_H

#include <stdbool.h>
#include <stddef.h>

#include "subject.h"

/* Two areas of this size, a page of which is only read or only written by a workload. */
#define AREA_SIZE (((size_t)64 << 20) + 65536)

unsigned char *destination_area(void);
unsigned char *source_area(void);

/* One block again and again. Adds nothing to the minima that are in `ns` but takes the smaller ones, so that a row can
 * be measured further; start with HUGE_VAL. */
void measure_block(const Subject *const *subjects, size_t count, Operation operation, Block block, unsigned rounds,
                   double *ns);

/* Many blocks, nanoseconds per block; `cold`: none of their bytes is in a cache at the start of a round. */
void measure_blocks(const Subject *const *subjects, size_t count, Operation operation, const Block *blocks,
                    size_t block_count, bool cold, unsigned rounds, double *ns);

#endif
