#include "pattern.h"

#include <semaphore.h>
#include <stdlib.h>

enum { BATCH = 128, RING = 16, BATCHES = 4000 };

/* One producer, one consumer, batches of blocks. Who has to wait sleeps, or the waiting would be measured. */
typedef struct Ring {
    sem_t written, taken;
    void *batches[RING][BATCH];
} Ring;

typedef struct Handoff {
    Ring *rings;
    unsigned scale;
} Handoff;

static uint64_t produce(Ring *ring, unsigned batches, uint32_t random) {
    for (unsigned i = 0; i < batches; i++) {
        sem_wait(&ring->taken);
        for (unsigned j = 0; j < BATCH; j++)
            ring->batches[i % RING][j] = allocate(random_size(&random, 4, 9));
        sem_post(&ring->written);
    }
    return (uint64_t)batches * BATCH;
}

static void consume(Ring *ring, unsigned batches) {
    for (unsigned i = 0; i < batches; i++) {
        sem_wait(&ring->written);
        for (unsigned j = 0; j < BATCH; j++)
            free(ring->batches[i % RING][j]);
        sem_post(&ring->taken);
    }
}

static uint64_t body(unsigned index, void *argument) {
    Handoff *handoff = argument;
    Ring *ring = &handoff->rings[index / 2];
    if (index % 2 == 0)
        return produce(ring, BATCHES * handoff->scale, index + 1);
    consume(ring, BATCHES * handoff->scale);
    return 0;
}

static uint64_t run(unsigned threads, unsigned scale) {
    unsigned pairs = threads / 2;
    Handoff handoff = {calloc(pairs, sizeof(Ring)), scale};
    if (handoff.rings == NULL)
        abort();
    for (unsigned i = 0; i < pairs; i++) {
        sem_init(&handoff.rings[i].written, 0, 0);
        sem_init(&handoff.rings[i].taken, 0, RING);
    }
    uint64_t allocated = in_threads(2 * pairs, body, &handoff);
    free(handoff.rings);
    return allocated;
}

const Pattern pattern_handoff = {"handoff", "pairs of a producer and a consumer: every block is freed elsewhere", 2,
                                 run};
