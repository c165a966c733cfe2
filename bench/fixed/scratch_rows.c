/* The scratch arena's instructions for an allocation: two loads, a compare, an add and a store, and nothing else; where
 * the compiler does not know the size, it must be rounded too. */
#include "measure.h"
#include "other_rows.h"
#include "rows.h"

#include <vesta/scratch.h>

#include <stdlib.h>
#include <string.h>

#define TIMES8(statement) statement statement statement statement statement statement statement statement
#define TIMES64(statement) TIMES8(TIMES8(statement))
#define USE(value) __asm__ volatile("" : : "r"(value))

enum { LOOPS = 100 };

static VestaScratch scratch;

MEASURED static void counted_constant(void) {
    for (int i = 0; i < LOOPS; i++) {
        TIMES64(USE(vesta_scratch_alloc(&scratch, 48));)
    }
}

MEASURED static void counted_variable(size_t size) {
    for (int i = 0; i < LOOPS; i++) {
        TIMES64(USE(vesta_scratch_alloc(&scratch, size));)
    }
}

void scratch_count(const char *what) {
    volatile size_t size = 48;
    vesta_scratch_init(&scratch, 1 << 20);
    USE(vesta_scratch_alloc(&scratch, 16));
    if (strcmp(what, "constant") == 0)
        counted_constant();
    else
        counted_variable(size);
    vesta_scratch_destroy(&scratch);
}

void scratch_rows(void) {
    double constant = count_instructions("scratch constant"), variable = count_instructions("scratch variable");
    if (constant < 0) {
        row_missing("scratch an allocation", "no valgrind");
        return;
    }
    /* The loop around 64 allocations and what leads to it is less than a tenth of an instruction for each. */
    row_at_most("scratch an allocation of constant size", constant / LOOPS / 64, 5.1, "instructions");
    row_at_most("scratch an allocation of variable size, rounded", variable / LOOPS / 64, 6.1, "instructions");
}
