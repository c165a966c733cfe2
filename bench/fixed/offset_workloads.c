#include "offset_workloads.h"

#include <stdlib.h>

#define GOLDEN 0x9E3779B97F4A7C15u
#define MIB (1u << 20)

uint64_t xorshift(uint64_t *state) {
    uint64_t s = *state;
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return *state = s;
}

uint32_t xorshift_range(uint64_t *state, uint32_t low, uint32_t high) {
    return low + (uint32_t)((xorshift(state) >> 32) * (high - low + 1) >> 32);
}

uint32_t xorshift_below(uint64_t *state, uint32_t count) {
    return (uint32_t)((xorshift(state) >> 32) * count >> 32);
}

static void ranges(uint32_t *sizes, uint32_t count, uint32_t low, uint32_t high, uint64_t *state) {
    for (uint32_t i = 0; i < count; i++)
        sizes[i] = xorshift_range(state, low, high);
}

static void setup(Workload *w, uint32_t size, uint32_t slot) {
    w->setup[w->setup_count++] = (Operation){size, slot};
}

static void timed(Workload *w, uint32_t size, uint32_t slot) {
    w->timed[w->timed_count++] = (Operation){size, slot};
}

static Workload make(const char *name, const char *what, uint64_t capacity, uint32_t slots) {
    Workload w = {name, what, capacity, 1, slots, NULL, 0, NULL, 0};
    w.setup = malloc(2 * slots * sizeof *w.setup);
    w.timed = malloc(2 * slots * sizeof *w.timed);
    if (w.setup == NULL || w.timed == NULL)
        abort();
    return w;
}

static Workload random_order(const uint32_t *sizes, uint64_t state) {
    Workload w = make("W1", "allocate 2000, free in random order", 256 * MIB, 2000);
    uint32_t order[2000];
    for (uint32_t i = 0; i < 2000; i++) {
        order[i] = i;
        timed(&w, sizes[i], i);
    }
    for (uint32_t i = 1999; i >= 1; i--) {
        uint32_t j = xorshift_below(&state, i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (uint32_t i = 0; i < 2000; i++)
        timed(&w, 0, order[i]);
    return w;
}

static Workload last_first(const uint32_t *sizes) {
    Workload w = make("W2", "allocate 2000, free last to first", 256 * MIB, 2000);
    for (uint32_t i = 0; i < 2000; i++)
        timed(&w, sizes[i], i);
    for (uint32_t i = 2000; i-- > 0;)
        timed(&w, 0, i);
    return w;
}

static Workload transients(const uint32_t *sizes) {
    Workload w = make("W3", "10 frames of 200, freed at the frame's end", 256 * MIB, 2000);
    for (uint32_t frame = 0; frame < 10; frame++) {
        for (uint32_t i = 200 * frame; i < 200 * frame + 200; i++)
            timed(&w, sizes[i], i);
        for (uint32_t i = 200 * frame; i < 200 * frame + 200; i++)
            timed(&w, 0, i);
    }
    return w;
}

static Workload assets(const uint32_t *sizes) {
    Workload w = make("W4", "8 assets with 100 transients each", 256 * MIB, 808);
    uint32_t assets[8];
    uint64_t state = GOLDEN + 4;
    ranges(assets, 8, MIB, 8 * MIB, &state);
    for (uint32_t f = 0; f < 8; f++) {
        timed(&w, assets[f], 800 + f);
        for (uint32_t i = 100 * f; i < 100 * f + 100; i++)
            timed(&w, sizes[i], i);
        for (uint32_t i = 100 * f; i < 100 * f + 100; i++)
            timed(&w, 0, i);
    }
    for (uint32_t f = 0; f < 8; f++)
        timed(&w, 0, 800 + f);
    return w;
}

static Workload allocate_only(const char *name, const char *what, uint64_t capacity) {
    Workload w = make(name, what, capacity, 5000);
    uint64_t state = GOLDEN + 5;
    for (uint32_t i = 0; i < 5000; i++)
        timed(&w, xorshift_range(&state, 64, 65536), i);
    return w;
}

static Workload aligned(void) {
    Workload w = make("W7", "500 blocks aligned to 4096", 16 * MIB, 500);
    uint64_t state = GOLDEN + 7;
    w.alignment = 4096;
    for (uint32_t i = 0; i < 500; i++)
        timed(&w, xorshift_range(&state, 64, 1024), i);
    return w;
}

Workload offset_workload(unsigned number) {
    uint32_t sizes[2000];
    uint64_t state = GOLDEN;
    ranges(sizes, 2000, 64, 65536, &state);
    switch (number) {
    case 1:
        return random_order(sizes, state);
    case 2:
        return last_first(sizes);
    case 3:
        return transients(sizes);
    case 4:
        return assets(sizes);
    case 5:
        return allocate_only("W5", "allocate 5000, no frees", 256 * MIB);
    case 6:
        return allocate_only("W6", "the same into a full heap", 16 * MIB);
    default:
        return aligned();
    }
}

Workload offset_workload_coalescing(uint32_t count) {
    Workload w = make("W8", "free between free neighbours", 64 * MIB, count);
    for (uint32_t i = 0; i < count; i++)
        setup(&w, 64, i);
    for (uint32_t i = 1; i < count; i += 2)
        setup(&w, 0, i);
    for (uint32_t i = 0; i < count; i += 2)
        timed(&w, 0, i);
    return w;
}

void offset_workload_free(Workload *w) {
    free(w->setup);
    free(w->timed);
}
