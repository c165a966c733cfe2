#define _GNU_SOURCE
#include "measure.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static unsigned char *map_area(void) {
    unsigned char *area = mmap(NULL, AREA_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area == MAP_FAILED) {
        perror("mmap");
        exit(2);
    }
    memset(area, 1, AREA_SIZE);
    return area;
}

unsigned char *destination_area(void) {
    static unsigned char *area;
    return area != NULL ? area : (area = map_area());
}

unsigned char *source_area(void) {
    static unsigned char *area;
    return area != NULL ? area : (area = map_area());
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void keep_smaller(double *minimum, double value) {
    if (value < *minimum)
        *minimum = value;
}

static size_t times_for(size_t size) {
    const size_t batch = 1 << 20; /* bytes, at some tens per nanosecond */
    size_t times = batch / (size + 64);
    return times > 8000 ? 8000 : times + 1;
}

void measure_block(const Subject *const *subjects, size_t count, Operation operation, Block block, unsigned rounds,
                   double *ns) {
    size_t times = times_for(block.size);
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            size_t turn = (i + round) % count;
            const Loops *loops = &subjects[turn]->loops[operation];
            loops->repeat(block, times / 8 + 1);
            double start = now();
            loops->repeat(block, times);
            keep_smaller(&ns[turn], (now() - start) / (double)times);
        }
    }
}

#if defined(__x86_64__)

static void flush(const unsigned char *begin, size_t size) {
    for (size_t i = 0; i < size + 63; i += 64)
        __asm__ volatile("clflush %0" : : "m"(begin[i < size ? i : size - 1]) : "memory");
}

static void make_cold(const Block *blocks, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (blocks[i].size != 0) {
            flush(blocks[i].dst, blocks[i].size);
            flush(blocks[i].src, blocks[i].size);
        }
    }
    __asm__ volatile("mfence" : : : "memory");
}

#else

static void make_cold(const Block *blocks, size_t count) {
    (void)blocks, (void)count;
    static unsigned char *other;
    if (other == NULL)
        other = map_area();
    memset(other, 2, AREA_SIZE);
}

#endif

void measure_blocks(const Subject *const *subjects, size_t count, Operation operation, const Block *blocks,
                    size_t block_count, bool cold, unsigned rounds, double *ns) {
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < count; i++) {
            size_t turn = (i + round) % count;
            if (cold)
                make_cold(blocks, block_count);
            double start = now();
            subjects[turn]->loops[operation].sequence(blocks, block_count);
            keep_smaller(&ns[turn], (now() - start) / (double)block_count);
        }
    }
}
