/* T5: sixteen threads replace blocks of their fixed live sets; what they replace is freed by one thread that never
 * allocates. Memory stays near what is live. */
#include "field.h"

enum { PRODUCERS = 16, LIVE = 8192, SIZE = 592, BATCH = 32, QUEUE = 512 };

static void *queue[QUEUE];
static unsigned head, tail;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int stop;

static void push(void **blocks, unsigned count) {
    pthread_mutex_lock(&lock);
    while (head - tail + count > QUEUE && !stop) {
        pthread_cond_wait(&changed, &lock);
    }
    for (unsigned i = 0; i < count && !stop; i++) {
        queue[head++ % QUEUE] = blocks[i];
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static unsigned pop(void **blocks, unsigned most) {
    pthread_mutex_lock(&lock);
    while (head == tail && !stop) {
        pthread_cond_wait(&changed, &lock);
    }
    unsigned count = 0;
    while (count < most && head != tail) {
        blocks[count++] = queue[tail++ % QUEUE];
    }
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return count;
}

static void *new_block(unsigned seed) {
    void *block = malloc(SIZE);
    CHECK(block, "malloc failed");
    mark(block, SIZE, seed);
    return block;
}

static void *replace_until_stopped(void *argument) {
    unsigned seed = (unsigned)(uintptr_t)argument;
    uint64_t random = seed;
    static __thread void *live[LIVE];
    for (int i = 0; i < LIVE; i++) {
        live[i] = new_block(seed);
    }
    while (!stop) {
        void *replaced[BATCH];
        for (int i = 0; i < BATCH; i++) {
            void **slot = &live[next_random(&random) % LIVE];
            replaced[i] = *slot;
            *slot = new_block(seed);
        }
        push(replaced, BATCH);
    }
    for (int i = 0; i < LIVE; i++) {
        CHECK(marked(live[i], SIZE, seed), "a block changed");
    }
    return NULL;
}

static void *free_until_stopped(void *argument) {
    void *blocks[256];
    while (!stop) {
        unsigned count = pop(blocks, 256);
        for (unsigned i = 0; i < count; i++) {
            free(blocks[i]);
        }
        *(unsigned long *)argument += count;
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    unsigned long freed = 0;
    size_t start = resident_bytes();
    pthread_t threads[PRODUCERS + 1];
    threads[PRODUCERS] = start_thread(free_until_stopped, &freed, 256 * KIB);
    for (uintptr_t i = 0; i < PRODUCERS; i++) {
        threads[i] = start_thread(replace_until_stopped, (void *)(i + 1), 256 * KIB);
    }
    size_t early = 0, peak = 0;
    for (int i = 0; i < 40; i++) {
        pause_seconds(0.1);
        size_t held = resident_bytes() - start;
        peak = held > peak ? held : peak;
        early = i < 15 ? peak : early;
    }
    stop = 1;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i <= PRODUCERS; i++) {
        pthread_join(threads[i], NULL);
    }
    /* The threads' arrays of pointers and their stacks are resident beside the blocks. */
    size_t live = (size_t)PRODUCERS * LIVE * (SIZE + sizeof(void *)) + (size_t)QUEUE * SIZE + PRODUCERS * 32 * KIB;
    NOTE("live %zu KiB, peak %zu KiB, of it in the first part %zu KiB, %lu freed\n", live / KIB, peak / KIB,
         early / KIB, freed);
    CHECK(freed > 20UL * PRODUCERS * LIVE / 10, "only %lu blocks were replaced", freed);
    CHECK(peak < live + live * 3 / 10, "live %zu KiB, peak %zu KiB", live / KIB, peak / KIB);
    CHECK(peak < early + early / 20, "%zu KiB early, %zu KiB later", early / KIB, peak / KIB);
    return 0;
}
