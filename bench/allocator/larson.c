#include "pattern.h"

#include <stdlib.h>

enum { SLOTS = 2000, REPLACED_PER_ROUND = 20000 };

typedef struct Server {
    void **slots; /* SLOTS per thread */
    unsigned round;
} Server;

/* Replaces blocks at random; most of those it meets at first are its predecessor's, who has ended. */
static uint64_t body(unsigned index, void *argument) {
    Server *server = argument;
    void **slots = server->slots + (size_t)index * SLOTS;
    uint32_t random = server->round * 1000 + index + 1;
    for (unsigned i = 0; i < REPLACED_PER_ROUND; i++) {
        unsigned slot = random_below(&random, SLOTS);
        free(slots[slot]);
        slots[slot] = allocate(16 + random_below(&random, 497));
    }
    return REPLACED_PER_ROUND;
}

/* After Larson and Krishnan's server: connections come and go, and threads hand their blocks on to the next one. */
static uint64_t run(unsigned threads, unsigned scale) {
    enum { ROUNDS = 40 };
    Server server = {calloc((size_t)threads * SLOTS, sizeof(void *)), 0};
    uint64_t allocated = 0;
    if (server.slots == NULL)
        abort();
    for (; server.round < ROUNDS * scale; server.round++)
        allocated += in_threads(threads, body, &server);
    for (size_t i = 0; i < (size_t)threads * SLOTS; i++)
        free(server.slots[i]);
    free(server.slots);
    return allocated;
}

const Pattern pattern_larson = {"larson", "a server: random replacement, blocks outlive the thread that took them", 1,
                                run};
