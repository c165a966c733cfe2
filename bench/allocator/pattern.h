/* A pattern: a way programs use malloc. Each is run in a process of its own, so that its peak memory is its own. */
#ifndef VESTA_BENCH_PATTERN_H
#define VESTA_BENCH_PATTERN_H

#include <stddef.h>
#include <stdint.h>

typedef struct Pattern {
    const char *name;
    const char *what;
    unsigned min_threads;
    /* Does `scale` units of work in each thread, frees everything and returns the blocks that were allocated. */
    uint64_t (*run)(unsigned threads, unsigned scale);
} Pattern;

extern const Pattern pattern_local, pattern_larson, pattern_handoff, pattern_mixed, pattern_large, pattern_growth,
    pattern_phases, pattern_lifetimes;

/* Runs `body(index, argument)` in `threads` threads at once and waits for them; returns the sum of their results. */
typedef uint64_t (*ThreadBody)(unsigned index, void *argument);
uint64_t in_threads(unsigned threads, ThreadBody body, void *argument);

/* malloc and realloc that write to every OS page they give, as a program would, and abort when memory runs out. */
void *allocate(size_t size);
void *resize(void *block, size_t size);

/* xorshift; the state must not be 0. */
static inline uint32_t random_next(uint32_t *state) {
    uint32_t x = *state;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return *state = x;
}

static inline uint32_t random_below(uint32_t *state, uint32_t bound) {
    return (uint32_t)(((uint64_t)random_next(state) * bound) >> 32);
}

/* A size of min to max, both powers of two, each doubling as likely as the next. */
static inline size_t random_size(uint32_t *state, unsigned min_bits, unsigned max_bits) {
    size_t base = (size_t)1 << (min_bits + random_below(state, max_bits - min_bits));
    return base + random_below(state, (uint32_t)base);
}

#endif
