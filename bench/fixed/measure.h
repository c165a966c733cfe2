/* Time, and instructions as callgrind counts them. */
#ifndef BENCH_FIXED_MEASURE_H
#define BENCH_FIXED_MEASURE_H

#define MEASURED __attribute__((noinline))

double nanoseconds(void);

/* Runs this program under callgrind with `--count what` and returns how many instructions it executed in functions
 * whose name begins with counted_, or a negative number if there is no valgrind. */
double count_instructions(const char *what);

#endif
