/* M19: allocating and freeing the only block of its size is as fast as with one more of that size live. */
#include "field.h"

enum { PAIRS = 3000, REPEATS = 15 };

static double pairs(size_t size) {
    double start = now();
    for (int i = 0; i < PAIRS; i++) {
        char *volatile block = (char *)malloc(size);
        CHECK(block, "malloc failed");
        block[0] = 1;
        free(block);
    }
    return (now() - start) / PAIRS;
}

static void lower(double *best, double time) {
    *best = time < *best ? time : *best;
}

int main(void) {
    expect_allocator();
    double worst = 0;
    size_t where = 0;
    for (size_t size = 16; size <= 32 * KIB; size += size < 128 ? 16 : size / 8) {
        double alone = 1, beside = 1;
        for (int i = 0; i < REPEATS; i++) {
            lower(&alone, pairs(size));
            char *volatile other = (char *)malloc(size);
            CHECK(other, "malloc failed");
            lower(&beside, pairs(size));
            free(other);
        }
        double ratio = alone / beside;
        if (ratio > worst) {
            worst = ratio;
            where = size;
        }
        CHECK(alone < 2 * beside + 5e-9, "%zu bytes: %.1f ns alone, %.1f ns beside another", size, alone * 1e9,
              beside * 1e9);
    }
    NOTE("at worst %.2f times as slow alone, at %zu bytes\n", worst, where);
    return 0;
}
