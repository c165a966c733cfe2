/* F2: fork in several threads at once while others trim and free, so that the fork handlers meet every lock a purge
 * takes. A wrong lock order stops here for good; the alarm turns that into a failure. */
#include <malloc.h>

#include "field.h"

enum { FORKERS = 3, PURGERS = 3, FORKS = 150 };

static volatile int stop;

static void allocate_and_free(uint64_t *random) {
    void *blocks[32];
    for (int i = 0; i < 32; i++) {
        uint32_t r = next_random(random);
        size_t size = r % 4 == 0 ? 16 * KIB + r % (2 * MIB) : 16 + r % 8192;
        blocks[i] = malloc(size);
        CHECK(blocks[i], "malloc failed");
        memset(blocks[i], 1, size < 4096 ? size : 4096);
    }
    for (int i = 0; i < 32; i++) {
        free(blocks[i]);
    }
}

static void *purge_until_stopped(void *argument) {
    uint64_t random = (uintptr_t)argument;
    while (!stop) {
        allocate_and_free(&random);
        malloc_trim(0);
    }
    return NULL;
}

static void *fork_often(void *argument) {
    uint64_t random = (uintptr_t)argument;
    double end = now() + 4;
    for (int i = 0; i < FORKS && now() < end; i++) {
        pid_t child = fork();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            alarm(30);
            allocate_and_free(&random);
            malloc_trim(0);
            allocate_and_free(&random);
            _exit(0);
        }
        allocate_and_free(&random);
        expect_success(child, "a child");
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    alarm(120);
    pthread_t purgers[PURGERS], forkers[FORKERS];
    for (uintptr_t i = 0; i < PURGERS; i++) {
        purgers[i] = start_thread(purge_until_stopped, (void *)(i + 1), 256 * KIB);
    }
    for (uintptr_t i = 0; i < FORKERS; i++) {
        forkers[i] = start_thread(fork_often, (void *)(i + 100), 256 * KIB);
    }
    for (int i = 0; i < FORKERS; i++) {
        pthread_join(forkers[i], NULL);
    }
    stop = 1;
    for (int i = 0; i < PURGERS; i++) {
        pthread_join(purgers[i], NULL);
    }
    return 0;
}
