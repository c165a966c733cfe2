/* T11: a hundred idle threads that allocated a little cost the same whether or not the kernel hands out huge pages. */
#include "huge_pages.h"

enum { THREADS = 100 };

static pthread_barrier_t step;

static void *allocate_and_stay(void *argument) {
    (void)argument;
    for (size_t size = 16; size < 8 * KIB; size *= 2) {
        void *block = malloc(size);
        CHECK(block, "malloc failed");
        memset(block, 1, size);
    }
    pthread_barrier_wait(&step);
    pause();
    return NULL;
}

static size_t resident_with_threads(void) {
    pthread_barrier_init(&step, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        start_thread(allocate_and_stay, NULL, 64 * KIB);
    }
    pthread_barrier_wait(&step);
    return resident_bytes();
}

int main(void) {
    expect_allocator();
    size_t with = under_huge_pages("always", resident_with_threads);
    size_t without = under_huge_pages("never", resident_with_threads);
    NOTE("%zu KiB with huge pages, %zu KiB without\n", with / KIB, without / KIB);
    CHECK(with < without + 4 * MIB, "%zu KiB with huge pages, %zu KiB without", with / KIB, without / KIB);
    return 0;
}
