/* T8: ten thousand threads come and go, each leaving half of its blocks to be freed by another. What the heaps of ended
 * threads hold is used again. */
#include "field.h"

enum { THREADS = 10000, FIRST = 100, BLOCKS = 100 };

static void *blocks[BLOCKS];

static void *allocate_and_leave_half(void *argument) {
    uint64_t random = (uintptr_t)argument;
    for (int i = 0; i < BLOCKS; i++) {
        size_t size = 16 + next_random(&random) % 1300;
        blocks[i] = malloc(size);
        CHECK(blocks[i], "malloc failed");
        memset(blocks[i], 1, size);
    }
    for (int i = 0; i < BLOCKS; i += 2) {
        free(blocks[i]);
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    size_t before = 0;
    for (uintptr_t i = 0; i < THREADS; i++) {
        pthread_join(start_thread(allocate_and_leave_half, (void *)(i + 1), 64 * KIB), NULL);
        for (int j = 1; j < BLOCKS; j += 2) {
            free(blocks[j]);
        }
        if (i == FIRST) {
            before = resident_bytes();
        }
    }
    size_t after = resident_bytes();
    NOTE("%zu KiB after %d threads, %zu KiB after %d\n", before / KIB, FIRST, after / KIB, THREADS);
    CHECK(after < before + 512 * KIB, "%zu KiB after %d threads, %zu KiB after %d", before / KIB, FIRST, after / KIB,
          THREADS);
    return 0;
}
