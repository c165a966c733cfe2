#include "rows.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include <vesta/mem.h>

#include "measure.h"
#include "workload.h"

/* Against the C library: the call at any fixed size, the inline form at fixed sizes that it does without a loop, and
 * the geometric mean of the call over random sizes. */
#define CALL_TARGET 1.05
#define INLINE_TARGET 0.80
#define RANDOM_TARGET 1.0

static const char *const operation_names[OPERATIONS] = {"copy", "fill"};

/* The columns of a row: what the others are compared with, the floor of that comparison, then ours. */
enum { LIBC, LIBC_AGAIN, CALL, INLINE, FIRST_PATH, MAX_COLUMNS = FIRST_PATH + MAX_PATHS };

typedef struct Row {
    Operation operation;
    Placement placement;
    bool cold;
    const char *label; /* of the sizes */
    const Block *blocks;
    size_t block_count; /* 1: again and again */
    double ns[MAX_COLUMNS];
} Row;

typedef struct Table {
    const Subject *columns[MAX_COLUMNS];
    size_t column_count;
    unsigned missed;
    double floors[4096]; /* what the C library's time over its own was, a measure of the noise */
    size_t row_count;
} Table;

static void miss(Table *table, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("missed: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    table->missed++;
}

static double ratio(const Row *row, size_t column) {
    return row->ns[column] / row->ns[LIBC];
}

/* Slower than the target allows by both measurements of the C library: what lies between them is noise. */
static bool misses(const Row *row, size_t column, double target) {
    return row->ns[column] > target * fmax(row->ns[LIBC], row->ns[LIBC_AGAIN]);
}

static void measure_row(Row *row, const Table *table, size_t columns, unsigned rounds) {
    if (row->block_count == 1 && !row->cold)
        measure_block(table->columns, columns, row->operation, row->blocks[0], rounds, row->ns);
    else
        measure_blocks(table->columns, columns, row->operation, row->blocks, row->block_count, row->cold, rounds,
                       row->ns);
}

static unsigned rounds_for(const Row *row) {
    size_t bytes = 0;
    for (size_t i = 0; i < row->block_count; i++)
        bytes += row->blocks[i].size;
    return bytes < (4 << 20) ? 15 : bytes < (32 << 20) ? 9 : 5;
}

/* Measures and prints the row. A target that is missed is measured further before it counts as missed: noise passes,
 * and both sides gain from more rounds. */
static void do_row(Table *table, Row *row, double call_target, double inline_target) {
    for (size_t i = 0; i < MAX_COLUMNS; i++)
        row->ns[i] = HUGE_VAL;
    unsigned rounds = rounds_for(row);
    measure_row(row, table, table->column_count, rounds);
    for (int again = 0; again < 4 && (misses(row, CALL, call_target) || misses(row, INLINE, inline_target)); again++)
        measure_row(row, table, INLINE + 1, 2 * rounds);

    printf("%-5s %-5s %-10s %10s %12.2f", operation_names[row->operation], row->cold ? "cold" : "hot",
           placement_names[row->placement], row->label, row->ns[LIBC]);
    for (size_t i = 1; i < table->column_count; i++)
        printf(" %10.3f", ratio(row, i));
    putchar('\n');
    fflush(stdout);
    table->floors[table->row_count++] = ratio(row, LIBC_AGAIN);

    const char *heat = row->cold ? "cold" : "hot";
    if (misses(row, CALL, call_target))
        miss(table, "%s %s %s %s: call %.3f of the C library's time, at most %.2f", operation_names[row->operation],
             heat, placement_names[row->placement], row->label, ratio(row, CALL), call_target);
    if (misses(row, INLINE, inline_target))
        miss(table, "%s %s %s %s: inline %.3f of the C library's time, at most %.2f", operation_names[row->operation],
             heat, placement_names[row->placement], row->label, ratio(row, INLINE), inline_target);
}

static void fixed_rows(Table *table, Operation operation, Placement placement) {
    for (size_t i = 0; i < fixed_size_count; i++) {
        char label[32];
        snprintf(label, sizeof label, "%zu", fixed_sizes[i]);
        Block block = fixed_block(fixed_sizes[i], placement);
        Row row = {operation, placement, false, label, &block, 1, {0}};
        do_row(table, &row, CALL_TARGET, block.size <= VESTA_MEM_INLINE_MAX ? INLINE_TARGET : HUGE_VAL);
    }
}

#define MAX_BLOCKS ((size_t)32768)

static void cold_rows(Table *table, Operation operation, Placement placement) {
    static const size_t sizes[] = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, 1 << 20, 4 << 20, 16 << 20, 64 << 20};
    static Block blocks[MAX_BLOCKS];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char label[32];
        snprintf(label, sizeof label, "%zu", sizes[i]);
        size_t count = spread_blocks(blocks, 2000, sizes[i], placement);
        Row row = {operation, placement, true, label, blocks, count, {0}};
        do_row(table, &row, CALL_TARGET, HUGE_VAL);
    }
}

/* Adds the logarithms of the call's ratios up. */
static void random_rows(Table *table, Operation operation, Placement placement, bool cold, double *logarithms,
                        unsigned *count) {
    static const size_t spans[DISTRIBUTIONS] = {16 << 10, 8 << 10, 16 << 10, 2 << 20, AREA_SIZE};
    static Block blocks[MAX_BLOCKS];
    for (Distribution distribution = 0; distribution < DISTRIBUTIONS; distribution++) {
        size_t n = random_blocks(blocks, cold ? 2000 : MAX_BLOCKS, operation, distribution, placement,
                                 cold ? AREA_SIZE : spans[distribution]);
        Row row = {operation, placement, cold, distribution_names[distribution], blocks, n, {0}};
        do_row(table, &row, HUGE_VAL, HUGE_VAL);
        *logarithms += log(ratio(&row, CALL));
        ++*count;
    }
}

static void print_floor(Table *table) {
    size_t beyond[3] = {0};
    for (size_t i = 0; i < table->row_count; i++) {
        double off = fabs(table->floors[i] - 1);
        beyond[0] += off > 0.01;
        beyond[1] += off > 0.02;
        beyond[2] += off > 0.05;
    }
    printf("The C library against itself: %zu rows, of which %zu are off by more than 1 %%, %zu by 2 %%, %zu by 5 %%\n",
           table->row_count, beyond[0], beyond[1], beyond[2]);
}

unsigned measure_rows(bool paths) {
    static Table table = {.columns = {&libc, &libc_again, &call, &in_place}, .column_count = FIRST_PATH};
    if (paths)
        table.column_count += path_subjects(table.columns + FIRST_PATH);
    printf("%-5s %-5s %-10s %10s %12s", "what", "cache", "placement", "bytes", "libc ns");
    for (size_t i = 1; i < table.column_count; i++)
        printf(" %10s", table.columns[i]->name);
    putchar('\n');
    for (Operation operation = 0; operation < OPERATIONS; operation++) {
        for (Placement placement = 0; placement < PLACEMENTS; placement++)
            fixed_rows(&table, operation, placement);
        for (Placement placement = 0; placement < PLACEMENTS; placement += UNALIGNED)
            cold_rows(&table, operation, placement);
    }
    for (Operation operation = 0; operation < OPERATIONS; operation++) {
        double logarithms = 0;
        unsigned count = 0;
        for (Placement placement = 0; placement < PLACEMENTS; placement += UNALIGNED) {
            random_rows(&table, operation, placement, false, &logarithms, &count);
            random_rows(&table, operation, placement, true, &logarithms, &count);
        }
        double mean = exp(logarithms / count);
        printf("%s, geometric mean of the call over random sizes: %.3f\n", operation_names[operation], mean);
        if (mean >= RANDOM_TARGET)
            miss(&table, "%s: geometric mean over random sizes %.3f, below %.2f", operation_names[operation], mean,
                 RANDOM_TARGET);
    }
    print_floor(&table);
    return table.missed;
}
