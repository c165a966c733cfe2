/* T13: a new thread that gets the id, stack and thread variables of an ended one does not get its blocks. */
#include "field.h"

enum { ROUNDS = 3000, BLOCKS = 60, KEPT_ROUNDS = 8 };

static char *kept[KEPT_ROUNDS][BLOCKS];
static pthread_t last;
static int same;

static size_t size_of(int index) {
    return (size_t)16 << (index % 12);
}

static void *take_over(void *argument) {
    int round = (int)(uintptr_t)argument;
    char **mine = kept[round % KEPT_ROUNDS];
    same += pthread_equal(pthread_self(), last) != 0;
    last = pthread_self();
    for (int i = 0; i < BLOCKS; i++) {
        if (mine[i]) {
            CHECK(marked(mine[i], size_of(i), (unsigned)(round - KEPT_ROUNDS + i)), "an ended thread's block changed");
            free(mine[i]);
        }
        mine[i] = (char *)malloc(size_of(i));
        CHECK(mine[i], "malloc failed");
        mark(mine[i], size_of(i), (unsigned)(round + i));
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    for (uintptr_t round = 0; round < ROUNDS; round++) {
        pthread_join(start_thread(take_over, (void *)round, 128 * KIB), NULL);
    }
    CHECK(same > ROUNDS / 2, "only %d of %d threads had the id of the one before", same, ROUNDS);
    return 0;
}
