#include "offset_rows.h"

#include "measure.h"
#include "offset_subject.h"
#include "rows.h"

#include <vesta/offset.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const OffsetSubject *const subjects[] = {&ours, &original};
enum { SUBJECTS = 2, ROUNDS = 60, SEEDS = 20 };

static Workload workload(unsigned number) {
    return number < 8 ? offset_workload(number) : offset_workload_coalescing(number);
}

void offset_count(unsigned subject, unsigned number) {
    Workload w = workload(number);
    const OffsetSubject *s = subjects[subject];
    s->create(w.capacity);
    for (const Operation *o = w.setup; o != w.setup + w.setup_count; o++)
        if (o->size != 0)
            s->allocate(o->size, o->slot);
        else
            s->free(o->slot);
    s->run(w.timed, w.timed + w.timed_count, w.alignment);
    s->destroy();
    offset_workload_free(&w);
}

static double instructions(unsigned subject, unsigned number, uint32_t operations) {
    char what[64];
    snprintf(what, sizeof what, "offset %u %u", subject, number);
    double count = count_instructions(what);
    return count < 0 ? -1 : count / operations;
}

static void instruction_row(unsigned number, double bound) {
    Workload w = workload(number);
    char name[96];
    double own = instructions(0, number, w.timed_count);
    snprintf(name, sizeof name, "offset %s %s", w.name, w.what);
    if (own < 0) {
        row_missing(name, "no valgrind");
    } else {
        row_at_most(name, own, bound, "instructions");
        row_info("    original policy", instructions(1, number, w.timed_count), "instructions");
    }
    offset_workload_free(&w);
}

static void coalescing_rows(void) {
    const uint32_t counts[] = {10000, 20000, 40000};
    double low = 1e9, high = 0;
    for (int i = 0; i < 3; i++) {
        double own = instructions(0, counts[i], counts[i] / 2);
        char name[96];
        snprintf(name, sizeof name, "offset W8 free between free neighbours, %u blocks", counts[i]);
        if (own < 0) {
            row_missing(name, "no valgrind");
            return;
        }
        row_at_most(name, own, 120, "instructions");
        low = own < low ? own : low;
        high = own > high ? own : high;
    }
    row_at_most("offset W8 does not grow with the number of blocks", high / low, 1.02, "times");
}

/* The best time per operation of each subject, in rounds of alternating order. */
static void time_row(unsigned number) {
    Workload w = workload(number);
    double best[SUBJECTS] = {1e18, 1e18};
    char name[96];
    for (int s = 0; s < SUBJECTS; s++)
        subjects[s]->create(w.capacity);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SUBJECTS; i++) {
            int s = (round + i) % SUBJECTS;
            subjects[s]->reset();
            double start = nanoseconds();
            subjects[s]->run(w.timed, w.timed + w.timed_count, w.alignment);
            double time = (nanoseconds() - start) / w.timed_count;
            best[s] = time < best[s] ? time : best[s];
        }
    }
    for (int s = 0; s < SUBJECTS; s++)
        subjects[s]->destroy();
    snprintf(name, sizeof name, "    %s time, ours / original policy", w.name);
    row_info(name, best[0] / best[1], "times");
    offset_workload_free(&w);
}

/* W9: failures in percent of attempts, over a million iterations at 90 % occupancy. */
static double failure_rate(const OffsetSubject *s, uint32_t capacity, double range, uint64_t seed) {
    static uint32_t live[OFFSET_SLOTS], sizes[OFFSET_SLOTS], free_slots[OFFSET_SLOTS];
    uint64_t state = seed * 0x9E3779B97F4A7C15u, victims = seed * 0xD1B54A32D192ED03u, used = 0;
    uint32_t count = 0, free_count = 0;
    double attempts = 0, failures = 0;
    for (uint32_t i = 0; i < OFFSET_SLOTS; i++)
        free_slots[free_count++] = OFFSET_SLOTS - 1 - i;
    s->reset();
    for (int i = 0; i < 1000000; i++) {
        if (used < capacity / 10 * 9) {
            double u = (double)(xorshift(&state) >> 11) * 0x1p-53;
            uint32_t size = (uint32_t)floor(64 * exp2(u * range)), slot = free_slots[free_count - 1];
            attempts++;
            if (s->allocate(size, slot)) {
                free_count--;
                live[count] = slot;
                sizes[count++] = size;
                used += size;
                continue;
            }
            failures++;
        }
        if (count == 0)
            continue;
        uint32_t victim = xorshift_below(&victims, count);
        s->free(live[victim]);
        free_slots[free_count++] = live[victim];
        used -= sizes[victim];
        live[victim] = live[--count];
        sizes[victim] = sizes[count];
    }
    return 100 * failures / attempts;
}

static double mean_failure_rate(const OffsetSubject *s, uint32_t capacity, double range) {
    double sum = 0;
    s->create(capacity);
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        sum += failure_rate(s, capacity, range, seed);
    s->destroy();
    return sum / SEEDS;
}

static void failure_rows(void) {
    row_at_most("offset W9 failures, 64 MiB", mean_failure_rate(&ours, 64 << 20, 10), 0.0031, "%");
    row_info("    original policy", mean_failure_rate(&original, 64 << 20, 10), "%");
    row_at_most("offset W9 failures, 256 MiB", mean_failure_rate(&ours, 256 << 20, 16), 18.80, "%");
    row_info("    original policy", mean_failure_rate(&original, 256 << 20, 16), "%");
}

static void constant_time_rows(void) {
    enum { NODES = 128 << 10, REPEATS = 1000 };
    void *memory = malloc(vesta_offset_footprint(NODES));
    double creating = 1e18, resetting = 1e18;
    VestaOffsetAllocator *allocator = NULL;
    for (int round = 0; round < ROUNDS; round++) {
        double start = nanoseconds();
        for (int i = 0; i < REPEATS; i++)
            allocator = vesta_offset_create(256 << 20, NODES, memory);
        double middle = nanoseconds();
        for (int i = 0; i < REPEATS; i++)
            vesta_offset_reset(allocator);
        double end = nanoseconds();
        creating = middle - start < creating ? middle - start : creating;
        resetting = end - middle < resetting ? end - middle : resetting;
    }
    row_at_most("offset creating with 128 Ki nodes", creating / REPEATS, 200, "ns");
    row_at_most("offset reset", resetting / REPEATS, 50, "ns");
    vesta_offset_destroy(allocator);
    free(memory);
}

static void whole_capacity_row(void) {
    const uint64_t capacities[] = {1000003, (3 << 20) + 12345, (5ull << 30) + 7, 1ull << 63};
    int succeeded = 0;
    for (int i = 0; i < 4; i++) {
        VestaOffsetAllocator *allocator = vesta_offset_create(capacities[i], 16, NULL);
        VestaOffsetAllocation all;
        succeeded += allocator != NULL && vesta_offset_alloc(allocator, capacities[i], &all) == VESTA_OK;
        vesta_offset_destroy(allocator);
    }
    row_at_least("offset whole capacity in one request, of 4", succeeded, 4, "");
}

void offset_rows(void) {
    /* 0.70 of what the original takes on W1 to W5, no more than it on W6. */
    const double bounds[] = {0.70 * 151, 0.70 * 162, 0.70 * 161, 0.70 * 163, 0.70 * 158, 69, 200};
    for (unsigned number = 1; number <= 7; number++) {
        instruction_row(number, bounds[number - 1]);
        time_row(number);
    }
    coalescing_rows();
    failure_rows();
    constant_time_rows();
    whole_capacity_row();
}
