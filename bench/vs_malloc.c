/* The heap against the C library's malloc, head to head in one process. Both are called through pointers.
 *
 * Every row first measures its own floor: their malloc in both columns, where the true ratio is 1. A row whose
 * difference does not clear the floor names no winner. */
#include "vs_malloc_system.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPEATS 11
#define CLEAN_HALF ((REPEATS + 1) / 2)
#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

/* Runs at least `count` operations of a row and returns how many they were. */
typedef size_t (*Work)(const Allocator *a, size_t count);

typedef struct Row {
    const char *name;
    Work work;
    double target;                 /* the ratio to reach, or 0 */
    double seed_ours, seed_theirs; /* ns on another machine, for orientation, or 0 */
} Row;

typedef struct Result {
    double ours, theirs, floor;
} Result;

/* The compiler must take the block for used, or it could drop the pair. */
static inline void *used(void *block) {
    __asm__ volatile("" : "+r"(block) : : "memory");
    return block;
}

/* ---- The rows ---- */

static size_t pairs(const Allocator *a, size_t count, size_t size) {
    for (size_t i = 0; i < count; i++)
        a->free(used(a->malloc(size)));
    return count;
}

static size_t pair_64(const Allocator *a, size_t count) {
    return pairs(a, count, 64);
}

static size_t pair_4k(const Allocator *a, size_t count) {
    return pairs(a, count, 4 * KIB);
}

static size_t pair_1m(const Allocator *a, size_t count) {
    return pairs(a, count, MIB);
}

static size_t burst(const Allocator *a, size_t count) {
    enum { BLOCKS = 512 };
    void *blocks[BLOCKS];
    size_t done = 0;
    for (; done < count; done += BLOCKS) {
        for (size_t i = 0; i < BLOCKS; i++)
            blocks[i] = used(a->malloc(64));
        for (size_t i = 0; i < BLOCKS; i++)
            a->free(blocks[i]);
    }
    return done;
}

/* Replaces blocks in an order that is random but the same for everybody. The new block comes before the old one goes,
 * so that the allocator cannot hand back the very same one. */
static size_t churn(const Allocator *a, size_t count) {
    enum { LIVE = 1024, ORDER = 4 * LIVE };
    static uint16_t order[ORDER];
    if (order[0] == order[1]) {
        uint32_t random = 1;
        for (size_t i = 0; i < ORDER; i++) {
            random = random * 1664525u + 1013904223u;
            order[i] = (uint16_t)(random >> 22);
        }
    }
    void *live[LIVE];
    for (size_t i = 0; i < LIVE; i++)
        live[i] = used(a->malloc(64));
    for (size_t i = 0; i < count; i++) {
        void **slot = &live[order[i % ORDER]], *old = *slot;
        *slot = used(a->malloc(64));
        a->free(old);
    }
    for (size_t i = 0; i < LIVE; i++)
        a->free(live[i]);
    return count;
}

/* Grows a block from `from` to `to` bytes, `factor`-fold at a time, writing the last byte each time; one operation is
 * one realloc, with its share of the malloc and free around. */
static inline size_t grow(const Allocator *a, size_t count, size_t from, size_t to, size_t factor) {
    size_t done = 0;
    while (done < count) {
        char *block = used(a->malloc(from));
        for (size_t size = from * factor; size <= to; size *= factor, done++) {
            block = used(a->realloc(block, size));
            block[size - 1] = 1;
        }
        a->free(block);
    }
    return done;
}

static size_t grow_1m(const Allocator *a, size_t count) {
    return grow(a, count, 64, MIB, MIB / 64);
}

static size_t grow_64m(const Allocator *a, size_t count) {
    return grow(a, count, MIB, 64 * MIB, 64);
}

static size_t double_1m(const Allocator *a, size_t count) {
    return grow(a, count, 64, MIB, 2);
}

static size_t double_64m(const Allocator *a, size_t count) {
    return grow(a, count, MIB, 64 * MIB, 2);
}

/* Inlined into its two callers, so that each has a place of its own that calls calloc. */
static inline __attribute__((always_inline)) size_t zeroed(const Allocator *a, size_t count, size_t read) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t *words = used(a->calloc(1, 8 * MIB));
        uint64_t sum = 0;
        for (size_t w = 0; w < read / sizeof(*words); w++)
            sum |= words[w];
        if (sum != 0) {
            fprintf(stderr, "calloc: the block is not zero\n");
            abort();
        }
        a->free((void *)words);
    }
    return count;
}

static size_t zeroed_whole(const Allocator *a, size_t count) {
    return zeroed(a, count, 8 * MIB);
}

static size_t zeroed_start(const Allocator *a, size_t count) {
    return zeroed(a, count, 8 * MIB / 64);
}

#if defined(_WIN32) /* seeds against msvcrt, and no targets */
#define ROW(name, work, target, linux_ours, glibc, windows_ours, msvcrt)                                               \
    { name, work, 0, windows_ours, msvcrt }
#else
#define ROW(name, work, target, linux_ours, glibc, windows_ours, msvcrt)                                               \
    { name, work, target, linux_ours, glibc }
#endif

static const Row rows[] = {
    ROW("malloc+free, 64 B", pair_64, 0.75, 1.26, 1.72, 1.33, 11.92),
    ROW("malloc+free, 4 KiB", pair_4k, 0.25, 1.25, 6.02, 1.34, 11.73),
    ROW("malloc+free, 1 MiB", pair_1m, 0.35, 2.19, 6.42, 3.80, 3527.90),
    ROW("burst of 512, 64 B", burst, 0.45, 1.40, 3.23, 1.46, 17.56),
    ROW("churn, 1,024 live, 64 B", churn, 0.60, 1.08, 2.04, 1.15, 13.15),
    ROW("realloc 64 B to 1 MiB", grow_1m, 0.50, 22.65, 44.59, 23.77, 8023),
    ROW("realloc 1 to 64 MiB", grow_64m, 0.60, 0, 0, 0, 0),
    ROW("calloc 8 MiB, read whole", zeroed_whole, 1.02, 170670, 170657, 169532, 921714),
    ROW("calloc 8 MiB, read 1/64", zeroed_start, 0.35, 85720, 85742, 82707, 25149),
    ROW("realloc 64 B to 1 MiB, doubling", double_1m, 0, 0, 0, 0, 0),
    ROW("realloc 1 to 64 MiB, doubling", double_64m, 0, 0, 0, 0, 0),
};

enum { ROWS = sizeof(rows) / sizeof(*rows) };

/* ---- Measuring ---- */

static double ns_per_operation(Work work, const Allocator *a, size_t count) {
    double start = now_ns();
    size_t done = work(a, count);
    return (now_ns() - start) / (double)done;
}

/* How many operations take about `sample_ns`; it also brings the allocator into the row's steady state. */
static size_t calibrate(Work work, const Allocator *a, double sample_ns) {
    size_t count = 1;
    for (;;) {
        double each = ns_per_operation(work, a, count);
        if (each * (double)count >= sample_ns / 4) {
            double fitting = sample_ns / each;
            return fitting > 1 ? (size_t)fitting : 1;
        }
        count *= 2;
    }
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double clean_mean(double *samples) {
    double sum = 0;
    qsort(samples, REPEATS, sizeof(*samples), compare);
    for (int i = 0; i < CLEAN_HALF; i++)
        sum += samples[i];
    return sum / CLEAN_HALF;
}

/* Two allocators in turns, each first as often as second. */
static void measure(Work work, const Allocator *a, const Allocator *b, double sample_ns, double *a_ns, double *b_ns) {
    double a_samples[REPEATS], b_samples[REPEATS];
    size_t a_count = calibrate(work, a, sample_ns), b_count = calibrate(work, b, sample_ns);
    for (int i = 0; i < REPEATS; i++) {
        if (i % 2 == 0)
            a_samples[i] = ns_per_operation(work, a, a_count);
        b_samples[i] = ns_per_operation(work, b, b_count);
        if (i % 2 != 0)
            a_samples[i] = ns_per_operation(work, a, a_count);
    }
    *a_ns = clean_mean(a_samples);
    *b_ns = clean_mean(b_samples);
}

/* ---- The table ---- */

static const char *verdict(const Result *r, double floor) {
    double difference = fabs(log(r->ours / r->theirs));
    if (difference <= floor)
        return "too close";
    return r->ours < r->theirs ? "faster" : "SLOWER";
}

static void print_seed(const Row *row) {
    if (row->seed_ours > 0)
        printf("%10.2f %10.2f %6.2f", row->seed_ours, row->seed_theirs, row->seed_ours / row->seed_theirs);
    else
        printf("%10s %10s %6s", "-", "-", "-");
}

static void print_row(const Row *row, const Result *r, double floor) {
    double ratio = r->ours / r->theirs;
    printf("%-32s %11.2f %11.2f %6.2f %6.3f  %-9s ", row->name, r->ours, r->theirs, ratio, floor, verdict(r, floor));
    if (row->target > 0)
        printf("%6.2f %-6s ", row->target, ratio <= row->target ? "met" : "missed");
    else
        printf("%6s %-6s ", "-", "");
    print_seed(row);
    printf("\n");
}

static void print_csv(const Row *row, const Result *r, double floor) {
    printf("\"%s\",%.4f,%.4f,%.4f,%.4f,%s,%.2f,%.2f,%.2f\n", row->name, r->ours, r->theirs, r->ours / r->theirs, floor,
           verdict(r, floor), row->target, row->seed_ours, row->seed_theirs);
}

/* A row's own floor may be small by luck, so the median of all is the least that counts. */
static double median_floor(const Result *results) {
    double floors[ROWS];
    for (int i = 0; i < ROWS; i++)
        floors[i] = results[i].floor;
    qsort(floors, ROWS, sizeof(*floors), compare);
    return floors[ROWS / 2];
}

static Result measure_row(const Row *row, const Allocator *ours, const Allocator *theirs, double sample_ns) {
    Result result;
    double first, second;
    measure(row->work, theirs, theirs, sample_ns, &first, &second);
    result.floor = fabs(log(first / second));
    measure(row->work, ours, theirs, sample_ns, &result.ours, &result.theirs);
    return result;
}

int main(int argc, char **argv) {
    bool csv = false;
    double sample_ms = 40;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--csv") == 0) {
            csv = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            sample_ms = 5;
        } else {
            fprintf(stderr, "usage: %s [--csv] [--quick]\n", argv[0]);
            return 2;
        }
    }
    Allocator ours, theirs;
    const char *their_name = find_allocators(&ours, &theirs);

    Result results[ROWS];
    for (int i = 0; i < ROWS; i++) {
        if (isatty(STDERR_FILENO))
            fprintf(stderr, "\r%2d/%d %-40s\r", i + 1, ROWS, rows[i].name);
        results[i] = measure_row(&rows[i], &ours, &theirs, sample_ms * 1e6);
    }

    double least = median_floor(results);
    if (!csv)
        printf("theirs: %s\n", their_name);
    if (csv)
        printf("row,ours_ns,theirs_ns,ratio,floor,verdict,target,seed_ours_ns,seed_theirs_ns\n");
    else
        printf("%-32s %11s %11s %6s %6s  %-9s %6s %-6s %10s %10s %6s\n", "ns per operation", "ours", "theirs", "ratio",
               "floor", "verdict", "target", "", "seed:ours", "theirs", "ratio");
    for (int i = 0; i < ROWS; i++)
        (csv ? print_csv : print_row)(&rows[i], &results[i], fmax(results[i].floor, least));
    return 0;
}
