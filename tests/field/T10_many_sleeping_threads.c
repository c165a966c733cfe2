/* T10: what a thread costs that holds one small block and sleeps, beside its stack, with 100 to 10,000 of them. */
#include "field.h"

enum { BLOCK = 1000, COST = 32 << 10 };

static pthread_barrier_t step;

static void *allocate_and_stay(void *argument) {
    (void)argument;
    char frame[2 * BLOCK]; /* touches as much stack before the measurement as after */
    mark(frame, sizeof frame, 1);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    void *block = malloc(BLOCK);
    CHECK(block, "malloc failed");
    memset(block, 1, BLOCK);
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    free(block);
    return NULL;
}

static void measure(unsigned count) {
    pthread_t *threads = (pthread_t *)malloc(count * sizeof *threads);
    pthread_barrier_init(&step, NULL, count + 1);
    for (unsigned i = 0; i < count; i++) {
        threads[i] = start_thread(allocate_and_stay, NULL, 32 * KIB);
    }
    pthread_barrier_wait(&step);
    size_t before = resident_bytes();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    size_t held = resident_bytes() - before;
    pthread_barrier_wait(&step);
    for (unsigned i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    free(threads);
    NOTE("%u threads: %zu bytes each\n", count, held / count);
    CHECK(held / count <= COST, "%u threads: %zu bytes each", count, held / count);
}

int main(void) {
    expect_allocator();
    /* Each in its own process, so that one does not leave memory to the next. */
    static const unsigned counts[] = {100, 1000, 10000};
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            measure(counts[i]);
            _exit(0);
        }
        expect_success(child, "threads");
    }
    return 0;
}
