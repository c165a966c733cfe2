/* The page pool on a budget of 8 MiB. A task is a record of 64 bytes with its payload right behind it, in one block. */
#define _GNU_SOURCE
#include "other_rows.h"

#include "measure.h"
#include "offset_workloads.h"
#include "plain_pool.h"
#include "rows.h"

#include <vesta/host_alloc.h>
#include <vesta/pool.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { RECORD = 64, MOST = 1 << 17 };

static void *tasks[MOST];

static VestaPool *make(bool with_control) {
    VestaPoolConfig config = vesta_pool_defaults(8 << 20);
    if (!with_control)
        config.control_pages = 0;
    VestaPool *pool = vesta_pool_create(&config);
    if (pool == NULL)
        abort();
    return pool;
}

/* How many tasks fit. */
static unsigned flood(VestaPool *pool, size_t payload, unsigned count) {
    unsigned from = count;
    while ((tasks[count] = vesta_pool_alloc(pool, RECORD + payload)) != NULL)
        memset(tasks[count++], 1, RECORD + payload);
    return count - from;
}

static void capacity_rows(void) {
    VestaPool *pool = make(true);
    row_at_least("pool tasks of 100 B that fit, with 3 control pages", flood(pool, 100, 0), 46593, "");
    vesta_pool_destroy(pool);
    pool = make(false);
    row_at_least("pool tasks of 100 B that fit, without", flood(pool, 100, 0), 46872, "");
    vesta_pool_destroy(pool);
    pool = make(false);
    unsigned count = flood(pool, 40, 0);
    row_at_least("pool tasks of 900 B after a flood of 40 B", flood(pool, 900, count), 16, "");
    vesta_pool_destroy(pool);
}

/* A flood of 100 B tasks of which every 20th stays, with a hint that it will; all others are freed. */
static void pinning_row(void) {
    VestaPool *pool = make(false);
    unsigned count = 0;
    for (;; count++) {
        VestaPoolLifetime lifetime = count % 20 == 0 ? VESTA_POOL_LONG : VESTA_POOL_SHORT;
        tasks[count] = vesta_pool_alloc_hint(pool, RECORD + 100, lifetime);
        if (tasks[count] == NULL)
            break;
    }
    for (unsigned i = 0; i < count; i++)
        if (i % 20 != 0)
            vesta_pool_free(pool, tasks[i]);
    row_at_least("pool tasks of 900 B with 1 in 20 pinned", flood(pool, 900, 0), 7648, "");
    vesta_pool_destroy(pool);
}

/* Whether a queue of so many tasks can turn over ten times. Payloads are 1 to 400 bytes, all equally likely: their
 * blocks are 272 bytes in the mean, what the 30,720 tasks of the seed's pool without pages leave of 8 MiB. */
static bool queue_holds(unsigned depth) {
    VestaPool *pool = make(false);
    uint64_t state = 0x9E3779B97F4A7C15u;
    bool holds = true;
    for (unsigned i = 0; i < 10 * depth && holds; i++) {
        if (i >= depth)
            vesta_pool_free(pool, tasks[i % depth]);
        tasks[i % depth] = vesta_pool_alloc(pool, RECORD + xorshift_range(&state, 1, 400));
        holds = tasks[i % depth] != NULL;
    }
    vesta_pool_destroy(pool);
    return holds;
}

static void queue_row(void) {
    unsigned depth = 16384;
    while (queue_holds(depth + 64))
        depth += 64;
    row_at_least("pool deepest mixed queue, in steps of 64", depth, 29952, "");
}

static void drain_row(void) {
    static unsigned char in_core[(8 << 20) / 4096 + 1];
    VestaPool *pool = make(true);
    VestaPoolReport report;
    for (int i = 0; i < 3; i++)
        memset(vesta_pool_alloc_control(pool, 200 + 100 * (size_t)i), 1, 200);
    unsigned count = flood(pool, 100, 0);
    for (unsigned i = 0; i < count; i++)
        vesta_pool_free(pool, tasks[i]);
    vesta_pool_report(pool, &report);
    /* One os page in front holds the pool itself. */
    char *start = (char *)(uintptr_t)report.memory - 4096;
    double held = 0;
    if (mincore(start, sizeof in_core * 4096, in_core) != 0)
        abort();
    for (size_t i = 0; i < sizeof in_core; i++)
        held += 4.0 * (in_core[i] & 1);
    row_at_most("pool held after a drain", held, 1104, "KB");
    vesta_pool_destroy(pool);
}

static void count_overwritten(void *context, void *block) {
    (void)block;
    ++*(int *)context;
}

static void hardening_rows(void) {
    int overwritten = 0;
    VestaPoolConfig config = vesta_pool_defaults(0);
    config.on_overwritten = count_overwritten;
    config.context = &overwritten;
    VestaPool *pool = vesta_pool_create(&config);
    void *block = vesta_pool_alloc(pool, 100);
    vesta_pool_free(pool, block);
    row_at_least("pool double free is caught", vesta_pool_free(pool, block) == VESTA_DOUBLE_FREE, 1, "");
    *(char *)block ^= 1;
    vesta_pool_alloc(pool, 100);
    row_at_least("pool overwritten link is caught", overwritten, 1, "");
    vesta_pool_destroy(pool);
}

/* ---- Time ---- */

typedef struct Task {
    struct Task *next;
    size_t size;
    void *fields[6];
} Task;

typedef struct Queue {
    Task *first, **last;
} Queue;

static char payload[100];
static uint64_t sum;

static inline void enqueue(Queue *queue, Task *task) {
    *task = (Task){NULL, sizeof payload, {queue}};
    memcpy(task + 1, payload, sizeof payload);
    *queue->last = task;
    queue->last = &task->next;
}

static inline Task *dequeue(Queue *queue) {
    Task *task = queue->first;
    queue->first = task->next;
    if (task->next == NULL)
        queue->last = &queue->first;
    for (size_t i = 0; i < sizeof payload / sizeof(uint64_t); i++)
        sum += ((const uint64_t *)(task + 1))[i];
    return task;
}

static VestaPool *pool, *plain;

#define RUN(name, ALLOC, FREE)                                                                                         \
    MEASURED static void name##_tasks(Queue *queue, int count) {                                                       \
        for (int i = 0; i < count; i++) {                                                                              \
            enqueue(queue, ALLOC(RECORD + sizeof payload));                                                            \
            FREE(dequeue(queue));                                                                                      \
        }                                                                                                              \
    }                                                                                                                  \
    MEASURED static void name##_pairs(Queue *queue, int count) {                                                       \
        (void)queue;                                                                                                   \
        for (int i = 0; i < count; i++) {                                                                              \
            void *block = ALLOC(RECORD + sizeof payload);                                                              \
            __asm__ volatile("" : : "r"(block) : "memory");                                                            \
            FREE(block);                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void *name##_alloc(void) {                                                                                  \
        return ALLOC(RECORD + sizeof payload);                                                                         \
    }

#define POOL_ALLOC(size) vesta_pool_alloc(pool, size)
#define POOL_FREE(block) vesta_pool_free(pool, block)
#define PLAIN_ALLOC(size) plain_pool_alloc(plain, size)
#define PLAIN_FREE(block) plain_pool_free(plain, block)
RUN(pool, POOL_ALLOC, POOL_FREE)
RUN(plain, PLAIN_ALLOC, PLAIN_FREE)
RUN(heap, vesta_host_alloc, vesta_host_free)

static void time_rows(void) {
    enum { SUBJECTS = 3, ROUNDS = 300, COUNT = 5000, DEPTH = 256 };
    void (*const run_tasks[])(Queue *, int) = {pool_tasks, plain_tasks, heap_tasks};
    void (*const run_pairs[])(Queue *, int) = {pool_pairs, plain_pairs, heap_pairs};
    void *(*const allocs[])(void) = {pool_alloc, plain_alloc, heap_alloc};
    double task[SUBJECTS] = {1e18, 1e18, 1e18}, pair[SUBJECTS] = {1e18, 1e18, 1e18};
    static Queue queues[SUBJECTS];
    VestaPoolConfig config = vesta_pool_defaults(0);
    pool = vesta_pool_create(&config);
    plain = plain_pool_create(&config);
    for (int s = 0; s < SUBJECTS; s++) {
        queues[s].last = &queues[s].first;
        for (int i = 0; i < DEPTH; i++)
            enqueue(&queues[s], allocs[s]());
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SUBJECTS; i++) {
            int s = (round + i) % SUBJECTS;
            double start = nanoseconds();
            run_tasks[s](&queues[s], COUNT);
            double middle = nanoseconds();
            run_pairs[s](&queues[s], COUNT);
            double end = nanoseconds();
            task[s] = middle - start < task[s] ? middle - start : task[s];
            pair[s] = end - middle < pair[s] ? end - middle : pair[s];
        }
    }
    row_at_most("pool time of a task, hardened / the heap", task[0] / task[2], 1.0, "times");
    row_at_most("pool time of a task, built without hardening / the heap", task[1] / task[2], 1.0, "times");
    row_info("    the heap, a task: allocated, filled, queued, read, freed", task[2] / COUNT, "ns");
    row_info("    alloc and free alone, hardened / the heap", pair[0] / pair[2], "times");
    row_info("    alloc and free alone, without hardening / the heap", pair[1] / pair[2], "times");
    vesta_pool_destroy(pool);
    plain_pool_destroy(plain);
}

void pool_rows(void) {
    capacity_rows();
    pinning_row();
    queue_row();
    drain_row();
    hardening_rows();
    time_rows();
}
