/* M7: a pool of threads allocates a lot, frees it and goes to sleep. After malloc_trim, or by further use of little,
 * the process is near what it held at first. */
#include <malloc.h>

#include "field.h"

enum { THREADS = 20, PER_THREAD = 50 << 20 };

static pthread_barrier_t step;

static void *burst_and_sleep(void *argument) {
    uint64_t random = (uintptr_t)argument;
    for (int round = 0; round < 2; round++) {
        pthread_barrier_wait(&step);
        void *first = NULL;
        for (size_t got = 0; got < PER_THREAD;) {
            size_t size = 16 + next_random(&random) % (got % 64 == 0 ? 200 * KIB : 3000);
            void **block = (void **)malloc(size);
            CHECK(block, "malloc failed");
            memset(block, 1, size);
            *block = first;
            first = block;
            got += size;
        }
        pthread_barrier_wait(&step); /* full */
        pthread_barrier_wait(&step); /* measured */
        for (void **block = (void **)first, **next; block; block = next) {
            next = (void **)*block;
            free(block);
        }
        pthread_barrier_wait(&step);
    }
    pthread_barrier_wait(&step);
    return NULL;
}

static void use_little(uint64_t *random) {
    void *blocks[20];
    for (int i = 0; i < 20; i++) {
        blocks[i] = malloc(1 + next_random(random) % (200 * KIB));
        CHECK(blocks[i], "malloc failed");
        *(char *)blocks[i] = 1;
    }
    for (int i = 0; i < 20; i++) {
        free(blocks[i]);
    }
}

int main(void) {
    expect_allocator();
    uint64_t random = 99;
    pthread_t threads[THREADS];
    pthread_barrier_init(&step, NULL, THREADS + 1);
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = start_thread(burst_and_sleep, (void *)(i + 1), 128 * KIB);
    }
    size_t start = resident_bytes();
    for (int round = 0; round < 2; round++) {
        pthread_barrier_wait(&step);
        pthread_barrier_wait(&step);
        size_t peak = resident_bytes();
        CHECK(peak > start + (size_t)THREADS * PER_THREAD, "a peak of only %zu MiB", peak / MIB);
        pthread_barrier_wait(&step);
        pthread_barrier_wait(&step);
        if (round == 0) {
            malloc_trim(0);
        } else {
            for (int i = 0; i < 150; i++) { /* one and a half seconds of little use, by this thread alone */
                use_little(&random);
                pause_seconds(0.01);
            }
        }
        size_t after = resident_bytes();
        NOTE("%zu MiB at first, %zu MiB at peak, %zu MiB after %s\n", start / MIB, peak / MIB, after / MIB,
             round ? "little use" : "malloc_trim");
        CHECK(after - start < (peak - start) / 10, "%zu MiB at first, %zu MiB at peak, %zu MiB after", start / MIB,
              peak / MIB, after / MIB);
    }
    pthread_barrier_wait(&step);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
