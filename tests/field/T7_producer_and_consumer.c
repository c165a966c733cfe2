/* T7: one thread allocates, another frees, and each round ends nearly empty. The peak is reached early. */
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
    size_t early = 0, late = 0;
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
            size_t *peak = round < ROUNDS / 5 ? &early : &late;
            *peak = held > *peak ? held : *peak;
        }
        pthread_barrier_wait(&handed_over);
    }
    pthread_join(consumer, NULL);
    NOTE("peak of the first fifth %zu KiB, later %zu KiB\n", early / KIB, late / KIB);
    CHECK(late < early + early / 10, "%zu KiB early, %zu KiB later", early / KIB, late / KIB);
    return 0;
}
