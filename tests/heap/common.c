/* The parts of support.h that are the same everywhere. */
#define _GNU_SOURCE
#include "support.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

/* ---- Threads ---- */

typedef struct Start {
    void (*body)(unsigned index);
    unsigned index;
} Start;

static void *start_thread(void *argument) {
    const Start *start = argument;
    start->body(start->index);
    return NULL;
}

void run_threads(unsigned count, void (*body)(unsigned index)) {
    pthread_t threads[64];
    Start starts[64];
    assert_true(count <= 64);
    for (unsigned i = 0; i < count; i++) {
        starts[i] = (Start){body, i};
        assert_int_equal(pthread_create(&threads[i], NULL, start_thread, &starts[i]), 0);
    }
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

void run_thread(void (*body)(unsigned index)) {
    run_threads(1, body);
}

void wait_for_turn(const unsigned *turn, unsigned value) {
    while (__atomic_load_n(turn, __ATOMIC_ACQUIRE) != value)
        sched_yield();
}

void give_turn(unsigned *turn, unsigned value) {
    __atomic_store_n(turn, value, __ATOMIC_RELEASE);
}

/* ---- Numbers ---- */

uint64_t random_next(Random *random) {
    uint64_t x = random->state != 0 ? random->state : 0x9E3779B97F4A7C15ull;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    random->state = x;
    return x * 0x2545F4914F6CDD1Dull;
}

uint64_t random_below(Random *random, uint64_t limit) {
    return (random_next(random) >> 11) % limit;
}

uint64_t milliseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

static uint64_t pattern_word(uint64_t seed, size_t index) {
    return (seed + index) * 0x9E3779B97F4A7C15ull;
}

void fill_pattern(void *memory, size_t size, uint64_t seed) {
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = pattern_word(seed, i);
        memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
    }
}

bool has_pattern(const void *memory, size_t size, uint64_t seed) {
    const unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = pattern_word(seed, i);
        if (memcmp(bytes + i, &word, size - i < 8 ? size - i : 8) != 0)
            return false;
    }
    return true;
}

bool is_zero(const void *memory, size_t size) {
    const unsigned char *bytes = memory;
    return size == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, size - 1) == 0);
}
