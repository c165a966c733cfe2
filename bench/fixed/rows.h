/* One figure per line, beside the bound it must keep. */
#ifndef BENCH_FIXED_ROWS_H
#define BENCH_FIXED_ROWS_H

/* The rows of this run: 0 = all, else those whose name begins so. */
void rows_select(const char *prefix);
int rows_want(const char *prefix);

void row_at_most(const char *name, double figure, double bound, const char *unit);
void row_at_least(const char *name, double figure, double bound, const char *unit);

/* A figure for comparison, without a bound. */
void row_info(const char *name, double figure, const char *unit);

/* A figure that cannot be had here, and why. */
void row_missing(const char *name, const char *why);

/* Names the rows that missed their bound; returns how many. */
int rows_missed(void);

#endif
