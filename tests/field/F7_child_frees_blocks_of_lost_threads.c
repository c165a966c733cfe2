/* F7: the threads that did not survive the fork own blocks; the child frees them and their memory serves it again. */
#include "field.h"

enum { THREADS = 16, BLOCK = 256, BLOCKS = (int)(1 * MIB / BLOCK) };

static char *held[THREADS][BLOCKS];
static pthread_barrier_t allocated;

static void *allocate_and_stay(void *argument) {
    char **blocks = (char **)argument;
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = (char *)malloc(BLOCK);
        CHECK(blocks[i], "malloc failed");
        mark(blocks[i], BLOCK, (unsigned)i);
    }
    pthread_barrier_wait(&allocated);
    pause();
    return NULL;
}

int main(void) {
    expect_allocator();
    pthread_barrier_init(&allocated, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        start_thread(allocate_and_stay, held[i], 256 * KIB);
    }
    pthread_barrier_wait(&allocated);
    pid_t child = fork();
    CHECK(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        alarm(60);
        size_t before = resident_bytes();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < THREADS; i++) {
                for (int j = 0; j < BLOCKS; j++) {
                    CHECK(marked(held[i][j], BLOCK, (unsigned)j), "a block changed");
                    free(held[i][j]);
                }
            }
            for (int i = 0; i < THREADS; i++) {
                for (int j = 0; j < BLOCKS; j++) {
                    held[i][j] = (char *)malloc(BLOCK);
                    CHECK(held[i][j], "malloc failed");
                    mark(held[i][j], BLOCK, (unsigned)j);
                }
            }
        }
        /* The same 16 MiB are live again; a tenth may be lost to what lies beside them. */
        size_t after = resident_bytes();
        CHECK(after <= before + 2 * MIB, "%zu KiB before, %zu KiB after", before / KIB, after / KIB);
        _exit(0);
    }
    expect_success(child, "the child");
    return 0;
}
