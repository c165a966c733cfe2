#include "pattern.h"

#include <sched.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { RING = 1024, MESSAGES = 500000 };

/* One producer, one consumer. */
typedef struct Ring {
    alignas(64) atomic_uint written;
    alignas(64) atomic_uint taken;
    alignas(64) void *slots[RING];
} Ring;

typedef struct Handoff {
    Ring *rings;
    unsigned scale;
} Handoff;

static uint64_t produce(Ring *ring, unsigned count, uint32_t random) {
    for (unsigned i = 0; i < count; i++) {
        void *message = allocate(random_size(&random, 4, 9));
        while (i - atomic_load_explicit(&ring->taken, memory_order_acquire) == RING)
            sched_yield();
        ring->slots[i % RING] = message;
        atomic_store_explicit(&ring->written, i + 1, memory_order_release);
    }
    return count;
}

static void consume(Ring *ring, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        while (i == atomic_load_explicit(&ring->written, memory_order_acquire))
            sched_yield();
        free(ring->slots[i % RING]);
        atomic_store_explicit(&ring->taken, i + 1, memory_order_release);
    }
}

static uint64_t body(unsigned index, void *argument) {
    Handoff *handoff = argument;
    Ring *ring = &handoff->rings[index / 2];
    unsigned count = MESSAGES * handoff->scale;
    if (index % 2 == 0)
        return produce(ring, count, index + 1);
    consume(ring, count);
    return 0;
}

static uint64_t run(unsigned threads, unsigned scale) {
    unsigned pairs = threads / 2;
    Handoff handoff = {aligned_alloc(64, pairs * sizeof(Ring)), scale};
    if (handoff.rings == NULL)
        abort();
    for (unsigned i = 0; i < pairs; i++) {
        atomic_init(&handoff.rings[i].written, 0);
        atomic_init(&handoff.rings[i].taken, 0);
    }
    uint64_t allocated = in_threads(2 * pairs, body, &handoff);
    free(handoff.rings);
    return allocated;
}

const Pattern pattern_handoff = {"handoff", "pairs of a producer and a consumer: every block is freed elsewhere", 2,
                                 run};
