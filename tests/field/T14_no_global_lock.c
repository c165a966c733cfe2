/* T14: sixty-four threads allocate in one and free in another while short threads come and go. Waiting for a lock is a
 * voluntary context switch, so those are counted against the operations. */
#include <sys/resource.h>

#include "field.h"

enum { THREADS = 64, SLOTS = 4096, BATCHES = 400, BATCH = 200, SHORT_THREADS = 300 };

static void *slots[SLOTS];

/* Takes a slot's block and puts its own there: nearly every free is of another thread's block. */
static void exchange(uint64_t *random, int count) {
    for (int i = 0; i < count; i++) {
        size_t size = 16 + next_random(random) % 2000;
        void *block = malloc(size);
        CHECK(block, "malloc failed");
        *(char *)block = 1;
        free(__atomic_exchange_n(&slots[next_random(random) % SLOTS], block, __ATOMIC_ACQ_REL));
    }
}

static void *exchange_batches(void *argument) {
    uint64_t random = (uintptr_t)argument;
    for (int i = 0; i < BATCHES; i++) {
        exchange(&random, BATCH);
    }
    return NULL;
}

static void *exchange_once(void *argument) {
    uint64_t random = (uintptr_t)argument;
    exchange(&random, BATCH);
    return NULL;
}

static long waits(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_nvcsw;
}

int main(void) {
    expect_allocator();
    long before = waits();
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = start_thread(exchange_batches, (void *)(i + 1), 128 * KIB);
    }
    for (uintptr_t i = 0; i < SHORT_THREADS; i++) {
        pthread_join(start_thread(exchange_once, (void *)(i + 1000), 128 * KIB), NULL);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    long waited = waits() - before;
    long operations = (long)THREADS * BATCHES * BATCH;
    /* Joining a thread waits too. */
    long allowed = operations / 1000 + 4 * (SHORT_THREADS + THREADS);
    NOTE("%ld waits in %ld operations\n", waited, operations);
    CHECK(waited < allowed, "%ld waits in %ld operations", waited, operations);
    return 0;
}
