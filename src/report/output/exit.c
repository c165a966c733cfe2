#include "summary.h"

#include "../../alloc/heap/stats.h"

/* With the first priority that programs may use: of the destructors here it is the last, and counts what the others
 * free. */
__attribute__((destructor(101))) static void print_at_exit(void) {
    if (vesta_stats_on())
        vesta_report_summary();
}
