/* F10: what the allocator adds to fork stays small when a thousand threads have allocated. _Fork runs no handlers, so
 * it is what the kernel takes for the same process; glibc's own part is measured in a run without the library. */
#include "field.h"

enum { THREADS = 1000, FORKS = 40 };

static pthread_barrier_t allocated;

static void *allocate_and_stay(void *argument) {
    (void)argument;
    void *block = malloc(1000);
    CHECK(block, "malloc failed");
    *(volatile char *)block = 1;
    pthread_barrier_wait(&allocated);
    pause();
    return NULL;
}

static double fastest(pid_t (*forking)(void)) {
    double best = 1e9;
    for (int i = 0; i < FORKS; i++) {
        double start = now();
        pid_t child = forking();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            _exit(0);
        }
        double time = now() - start;
        expect_success(child, "a child");
        best = time < best ? time : best;
    }
    return best;
}

int main(void) {
    expect_allocator();
    pthread_barrier_init(&allocated, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        start_thread(allocate_and_stay, NULL, 64 * KIB);
    }
    pthread_barrier_wait(&allocated);
    double kernel = fastest(_Fork);
    double whole = fastest(fork);
    NOTE("fork %.0f us, without handlers %.0f us\n", whole * 1e6, kernel * 1e6);
    CHECK(whole <= kernel * 1.5 + 300e-6, "fork %.0f us, without handlers %.0f us", whole * 1e6, kernel * 1e6);
    return 0;
}
