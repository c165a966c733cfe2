/* The shape of a game that loads its shaders: 78,000 units of work, each with a few staging buffers of 4 to 100 KiB,
 * some of which are kept. The heap is built once per number of linear bits of its span classes and loaded as a module;
 * the C library's malloc runs the same. Shows the share of the time that goes into allocating, and whether an
 * allocation costs more the more is live.
 *
 * The work on a unit is to fill its buffers and to read them twice, as a translator would that writes what it reads. */
#define _GNU_SOURCE
#include "measure.h"
#include "offset_workloads.h"
#include "rows.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 78000, BUFFERS = 4, KEPT_ONE_IN = 64, PARTS = 10 };

typedef struct Subject {
    char name[32];
    void *(*alloc)(size_t size);
    void (*free)(void *block);
} Subject;

typedef struct Result {
    double allocating, total; /* ns */
    double first, last; /* ns per allocation and free, typically, in the first and in the last tenth of the units */
} Result;

static uint64_t sum;
static void *kept[UNITS * BUFFERS / KEPT_ONE_IN + 1];

static void work(unsigned char *buffer, size_t size, unsigned unit) {
    uint64_t *words = (uint64_t *)(void *)buffer;
    memset(buffer, (int)unit, size);
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < size / sizeof *words; i++)
            sum = (sum ^ words[i]) * 0x100000001B3u;
}

static int compare(const void *left, const void *right) {
    double difference = *(const double *)left - *(const double *)right;
    return (difference > 0) - (difference < 0);
}

/* The mean of the middle half: unlike the median it does not come in steps of the clock. */
static double typical(double *times, size_t count) {
    double total = 0;
    qsort(times, count, sizeof *times, compare);
    for (size_t i = count / 4; i < count - count / 4; i++)
        total += times[i];
    return total / (double)(count - count / 4 - count / 4);
}

static Result run(const Subject *s) {
    Result result = {0, 0, 0, 0};
    static double times[UNITS];
    uint64_t state = 0x9E3779B97F4A7C15u;
    size_t kept_count = 0;
    double start = nanoseconds();
    for (unsigned unit = 0; unit < UNITS; unit++) {
        unsigned char *buffers[BUFFERS];
        uint32_t sizes[BUFFERS];
        for (int i = 0; i < BUFFERS; i++)
            sizes[i] = xorshift_range(&state, 4 << 10, 100 << 10);
        double before = nanoseconds();
        for (int i = 0; i < BUFFERS; i++)
            buffers[i] = s->alloc(sizes[i]);
        double behind = nanoseconds();
        for (int i = 0; i < BUFFERS; i++)
            work(buffers[i], sizes[i], unit);
        double again = nanoseconds();
        for (int i = 0; i < BUFFERS; i++)
            if (xorshift_below(&state, KEPT_ONE_IN) == 0 && kept_count < sizeof kept / sizeof *kept)
                kept[kept_count++] = buffers[i];
            else
                s->free(buffers[i]);
        double end = nanoseconds();
        times[unit] = behind - before + end - again;
        result.allocating += times[unit];
    }
    result.total = nanoseconds() - start;
    result.first = typical(times, UNITS / PARTS) / BUFFERS;
    result.last = typical(times + UNITS - UNITS / PARTS, UNITS / PARTS) / BUFFERS;
    while (kept_count != 0)
        s->free(kept[--kept_count]);
    return result;
}

/* What reading the clock adds to each measured allocation: the best of many short tries, which nothing interrupts. */
static double clock_cost(void) {
    double best = 1e18;
    for (int i = 0; i < 1000; i++) {
        double start = nanoseconds(), cost;
        for (int j = 0; j < 100; j++)
            (void)nanoseconds();
        cost = (nanoseconds() - start) / 101;
        best = cost < best ? cost : best;
    }
    return 2 * best / BUFFERS;
}

static int load(Subject *s, const char *directory, int bits) {
    char path[1024];
    void *pointer;
    snprintf(path, sizeof path, "%s/libvesta_spans_%d.so", directory, bits);
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (module == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 0;
    }
    snprintf(s->name, sizeof s->name, "%d linear bits", bits);
    pointer = dlsym(module, "vesta_host_alloc");
    memcpy(&s->alloc, &pointer, sizeof pointer);
    pointer = dlsym(module, "vesta_host_free");
    memcpy(&s->free, &pointer, sizeof pointer);
    return s->alloc != NULL && s->free != NULL;
}

int main(int argc, char **argv) {
    int check = argc > 1 && strcmp(argv[1], "--check") == 0;
    Subject subjects[] = {
        {"", NULL, NULL}, {"", NULL, NULL}, {"", NULL, NULL}, {"", NULL, NULL}, {"C library", malloc, free}};
    double clock = clock_cost();
    for (int i = 0; i < 4; i++)
        if (!load(&subjects[i], MODULES, i))
            return 2;
    for (int i = 0; i < 5; i++) {
        Result r = run(&subjects[i]);
        double first = r.first - clock, last = r.last - clock;
        char name[96];
        snprintf(name, sizeof name, "%s: share of the time in allocation", subjects[i].name);
        row_info(name, 100 * (r.allocating - clock * UNITS * BUFFERS) / r.total, "%");
        snprintf(name, sizeof name, "%s: an allocation and its free, first tenth", subjects[i].name);
        row_info(name, first, "ns");
        snprintf(name, sizeof name, "%s: last tenth", subjects[i].name);
        row_info(name, last, "ns");
        snprintf(name, sizeof name, "%s: last tenth / first tenth", subjects[i].name);
        if (i < 4)
            row_at_most(name, last / first, 1.5, "times");
        else
            row_info(name, last / first, "times");
    }
    return rows_missed() != 0 && check;
}
