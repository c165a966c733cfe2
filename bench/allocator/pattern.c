#define _POSIX_C_SOURCE 200809L
#include "pattern.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Thread {
    pthread_t id;
    pthread_barrier_t *start;
    ThreadBody body;
    void *argument;
    uint64_t result;
    unsigned index;
} Thread;

static void *thread_main(void *argument) {
    Thread *thread = argument;
    pthread_barrier_wait(thread->start);
    thread->result = thread->body(thread->index, thread->argument);
    return NULL;
}

static void fail(const char *what) {
    perror(what);
    abort();
}

uint64_t in_threads(unsigned threads, ThreadBody body, void *argument) {
    Thread *all = calloc(threads, sizeof(*all));
    pthread_barrier_t start;
    uint64_t sum = 0;
    if (all == NULL || pthread_barrier_init(&start, NULL, threads) != 0)
        fail("in_threads");
    for (unsigned i = 0; i < threads; i++) {
        all[i] = (Thread){.start = &start, .body = body, .argument = argument, .index = i};
        if (pthread_create(&all[i].id, NULL, thread_main, &all[i]) != 0)
            fail("pthread_create");
    }
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(all[i].id, NULL);
        sum += all[i].result;
    }
    pthread_barrier_destroy(&start);
    free(all);
    return sum;
}

/* Writes what is there: the content of a resized block must stay. */
static void touch(volatile char *byte) {
    *byte = *byte;
}

static void *touched(char *block, size_t size) {
    if (block == NULL)
        fail("out of memory");
    for (size_t i = 0; i < size; i += 4096)
        touch(block + i);
    touch(block + size - 1);
    return block;
}

void *allocate(size_t size) {
    return touched(malloc(size), size);
}

void *resize(void *block, size_t size) {
    return touched(realloc(block, size), size);
}
