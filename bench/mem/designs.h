#ifndef VESTA_BENCH_MEM_DESIGNS_H
#define VESTA_BENCH_MEM_DESIGNS_H

/* Prints what was not chosen beside what was: kinds of dispatch, vector widths, page borders, masked moves. Returns the
 * exit status. */
int measure_designs(void);

#endif
