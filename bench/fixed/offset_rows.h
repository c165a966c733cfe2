#ifndef BENCH_OFFSET_ROWS_H
#define BENCH_OFFSET_ROWS_H

void offset_rows(void);

/* One run of a workload, for counting: W1 to W7, or W8 with so many blocks. */
void offset_count(unsigned subject, unsigned number);

#endif
