/* F1: a child forked while other threads are inside malloc and free can allocate. */
#include "field.h"

enum { THREADS = 8, FORKS = 2000, HELD = 64 };

static volatile int stop;

static size_t any_size(uint64_t *random) {
    uint32_t r = next_random(random);
    return r % 64 == 0 ? 32 * KIB + r % (1 * MIB) : (size_t)1 << (r % 15);
}

static void churn(uint64_t *random, void **held, int rounds) {
    for (int i = 0; i < rounds; i++) {
        void **slot = &held[next_random(random) % HELD];
        free(*slot);
        *slot = malloc(any_size(random));
        CHECK(*slot, "malloc failed");
        *(char *)*slot = 1;
    }
}

static void *allocate_until_stopped(void *argument) {
    uint64_t random = (uintptr_t)argument;
    void *held[HELD] = {0};
    while (!stop) {
        churn(&random, held, 100);
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        threads[i] = start_thread(allocate_until_stopped, (void *)(i + 1), 256 * KIB);
    }
    static void *held[HELD];
    uint64_t random = 99;
    churn(&random, held, HELD);
    double end = now() + 4;
    for (int i = 0; i < FORKS && now() < end; i++) {
        pid_t child = fork();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            alarm(30);
            churn(&random, held, 1000);
            _exit(0);
        }
        next_random(&random);
        expect_success(child, "a child");
    }
    stop = 1;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    return 0;
}
