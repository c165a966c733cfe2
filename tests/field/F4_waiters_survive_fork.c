/* F4: threads that wait for an allocator lock while another thread forks are woken in the parent. */
#include "field.h"

enum { FORKERS = 2, ALLOCATORS = 4, FORKS = 200 };

static volatile int stop;

/* Large blocks, because small ones take no lock that anybody could wait for. */
static void *allocate_until_stopped(void *argument) {
    uint64_t random = (uintptr_t)argument;
    while (!stop) {
        void *block = malloc(64 * KIB + next_random(&random) % (8 * MIB));
        CHECK(block, "malloc failed");
        *(char *)block = 1;
        free(block);
    }
    return NULL;
}

static void *fork_and_exec(void *argument) {
    (void)argument;
    double end = now() + 4;
    for (int i = 0; i < FORKS && now() < end; i++) {
        char *held = (char *)malloc(100 * KIB);
        CHECK(held, "malloc failed");
        mark(held, 100 * KIB, (unsigned)i);
        pid_t child = fork();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            alarm(60);
            free(held);
            execl("/bin/true", "true", (char *)NULL);
            _exit(1);
        }
        CHECK(marked(held, 100 * KIB, (unsigned)i), "the parent's block changed");
        free(held);
        expect_success(child, "a child");
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    alarm(120);
    pthread_t allocators[ALLOCATORS], forkers[FORKERS];
    for (uintptr_t i = 0; i < ALLOCATORS; i++) {
        allocators[i] = start_thread(allocate_until_stopped, (void *)(i + 1), 256 * KIB);
    }
    for (int i = 0; i < FORKERS; i++) {
        forkers[i] = start_thread(fork_and_exec, NULL, 256 * KIB);
    }
    for (int i = 0; i < FORKERS; i++) {
        pthread_join(forkers[i], NULL);
    }
    stop = 1;
    for (int i = 0; i < ALLOCATORS; i++) {
        pthread_join(allocators[i], NULL);
    }
    return 0;
}
