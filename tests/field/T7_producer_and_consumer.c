/* T7: one thread allocates, another frees, and each round ends nearly empty. Memory stays near what two rounds hold:
 * how much of the second is still live when it is measured is up to the scheduler, so one peak says nothing of the
 * next. */
#include "field.h"

enum { ROUNDS = 200, PER_ROUND = 20000, KEPT = 100 };

static void *round_blocks[2][PER_ROUND];
static pthread_barrier_t handed_over;

static void *free_rounds(void *argument) {
    (void)argument;
    static void *kept[KEPT];
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&handed_over);
        void **blocks = round_blocks[round % 2];
        for (int i = 0; i < PER_ROUND; i++) {
            if (i % (PER_ROUND / KEPT) == 0) {
                void **slot = &kept[i / (PER_ROUND / KEPT)];
                free(*slot);
                *slot = blocks[i];
            } else {
                free(blocks[i]);
            }
        }
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    pthread_barrier_init(&handed_over, NULL, 2);
    pthread_t consumer = start_thread(free_rounds, NULL, 256 * KIB);
    static const size_t sizes[] = {256, 512, 4096};
    uint64_t random = 1;
    size_t peak = 0;
    const size_t live = 2 * PER_ROUND * (size_t)(256 + 512 + 4096) / 3;
    for (int round = 0; round < ROUNDS; round++) {
        void **blocks = round_blocks[round % 2];
        for (int i = 0; i < PER_ROUND; i++) {
            size_t size = sizes[next_random(&random) % 3];
            blocks[i] = malloc(size);
            CHECK(blocks[i], "malloc failed");
            mark(blocks[i], size < 512 ? size : 512, (unsigned)i);
        }
        if (round % 5 == 4) {
            size_t held = resident_bytes();
            peak = held > peak ? held : peak;
        }
        pthread_barrier_wait(&handed_over);
    }
    pthread_join(consumer, NULL);
    NOTE("peak %zu KiB, two rounds are %zu KiB\n", peak / KIB, live / KIB);
    CHECK(peak < live + live / 4, "a peak of %zu KiB where two rounds are %zu KiB", peak / KIB, live / KIB);
    return 0;
}
