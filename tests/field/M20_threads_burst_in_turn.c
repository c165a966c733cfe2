/* M20: many threads, of which one at a time uses a lot of memory, hold what one uses, not what all of them did. */
#include "field.h"

enum { THREADS = 32, BURST = 16 << 20 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t done;

static void *burst(void *argument) {
    uint64_t random = (uintptr_t)argument;
    pthread_mutex_lock(&lock);
    for (int round = 0; round < 3; round++) {
        void *first = NULL;
        for (size_t got = 0; got < BURST;) {
            size_t size = 16 + next_random(&random) % 2000;
            void **block = (void **)malloc(size);
            CHECK(block, "malloc failed");
            memset(block, 1, size);
            *block = first;
            first = block;
            got += size;
        }
        for (void **block = (void **)first, **next; block; block = next) {
            next = (void **)*block;
            free(block);
        }
    }
    pthread_mutex_unlock(&lock);
    pthread_barrier_wait(&done);
    pthread_barrier_wait(&done);
    return NULL;
}

int main(void) {
    expect_allocator();
    pthread_t threads[THREADS];
    pthread_barrier_init(&done, NULL, THREADS + 1);
    size_t start = resident_bytes();
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = start_thread(burst, (void *)(i + 1), 128 * KIB);
    }
    pthread_barrier_wait(&done);
    size_t held = resident_bytes() - start;
    pthread_barrier_wait(&done);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    NOTE("%zu MiB held after %d bursts of %d MiB\n", held / MIB, THREADS, BURST >> 20);
    /* The last burst, and 3 MiB that each thread may keep ready: cached spans and a slab per class. */
    CHECK(held < BURST + BURST / 2 + (size_t)THREADS * 3 * MIB, "%zu MiB held", held / MIB);
    return 0;
}
