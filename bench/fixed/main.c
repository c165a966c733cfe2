/* vesta_alloc_bench_fixed [--check] [offset|arena|pool|scratch]: the allocators for fixed memory against their bounds.
 * With --check the exit status is 1 if a row missed, and each such row is named. */
#include "offset_rows.h"
#include "other_rows.h"
#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* What count_instructions calls this program for. */
static int count(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[2], "offset") == 0)
        offset_count((unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
    else if (argc == 4 && strcmp(argv[2], "scratch") == 0)
        scratch_count(argv[3]);
    else
        return 2;
    return 0;
}

int main(int argc, char **argv) {
    int check = 0;
    if (argc > 1 && strcmp(argv[1], "--count") == 0)
        return count(argc, argv);
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--check") == 0)
            check = 1;
        else
            rows_select(argv[i]);
    if (rows_want("offset"))
        offset_rows();
    if (rows_want("arena"))
        arena_rows();
    if (rows_want("pool"))
        pool_rows();
    if (rows_want("scratch"))
        scratch_rows();
    return rows_missed() != 0 && check;
}
