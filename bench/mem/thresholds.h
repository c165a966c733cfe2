#ifndef VESTA_BENCH_MEM_THRESHOLDS_H
#define VESTA_BENCH_MEM_THRESHOLDS_H

/* Prints how the ways of moving large blocks compare at each size, from where on one wins, and what is chosen for this
 * CPU. Returns the exit status. */
int measure_thresholds(void);

#endif
