#ifndef BENCH_OTHER_ROWS_H
#define BENCH_OTHER_ROWS_H

void arena_rows(void);
void pool_rows(void);
void scratch_rows(void);

/* Allocations of "constant" or "variable" size, for counting. */
void scratch_count(const char *what);

#endif
