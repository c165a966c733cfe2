/* The memory primitives against the C library's.
 *
 *   vesta_alloc_bench_mem [--paths] [--check]   the table of rows; --check exits with 1 if a target is missed
 *   vesta_alloc_bench_mem --svg FILE            nanoseconds against size as a picture
 *   vesta_alloc_bench_mem --thresholds          where one way of moving bytes gets faster than another
 *   vesta_alloc_bench_mem --designs             what was not chosen, beside what was */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "designs.h"
#include "picture.h"
#include "rows.h"
#include "subject.h"
#include "thresholds.h"

static int usage(void) {
    fputs("usage: vesta_alloc_bench_mem [--paths] [--check] | --svg FILE | --thresholds | --designs\n", stderr);
    return 2;
}

int main(int argc, char **argv) {
    if (find_libc() != 0)
        return 2;
    if (argc == 3 && strcmp(argv[1], "--svg") == 0)
        return draw_picture(argv[2]) == 0 ? 0 : 2;
    if (argc == 2 && strcmp(argv[1], "--thresholds") == 0)
        return measure_thresholds();
    if (argc == 2 && strcmp(argv[1], "--designs") == 0)
        return measure_designs();
    bool paths = false, check = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--paths") == 0)
            paths = true;
        else if (strcmp(argv[i], "--check") == 0)
            check = true;
        else
            return usage();
    }
    unsigned missed = measure_rows(paths);
    printf("%u targets missed\n", missed);
    return check && missed != 0 ? 1 : 0;
}
