/* The rows of the benchmark, their targets and their verdict. */
#ifndef VESTA_BENCH_MEM_ROWS_H
#define VESTA_BENCH_MEM_ROWS_H

#include <stdbool.h>
#include <stddef.h>

/* Measures and prints every row. `paths`: with a column for each single path. Returns how many targets were missed;
 * each is named on stderr. */
unsigned measure_rows(bool paths);

#endif
