/* F5: threads that allocate and fork before main, and even before the library's own constructors ran. */
#include "field.h"

enum { STARTS = 400 };

static volatile int stop;

static void *allocate_until_stopped(void *argument) {
    uint64_t random = (uintptr_t)argument;
    while (!stop) {
        void *block = malloc(16 + next_random(&random) % (64 * KIB));
        CHECK(block, "malloc failed");
        *(char *)block = 1;
        free(block);
    }
    return NULL;
}

static void *fork_at_once(void *argument) {
    (void)argument;
    for (int i = 0; i < 4; i++) {
        pid_t child = fork();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            alarm(30);
            for (size_t size = 1; size < 128 * KIB; size *= 2) {
                free(malloc(size));
            }
            _exit(0);
        }
        expect_success(child, "a child forked before main");
    }
    return NULL;
}

static void run_threads(void) {
    alarm(60);
    pthread_t allocators[2], forker;
    stop = 0;
    allocators[0] = start_thread(allocate_until_stopped, (void *)1, 256 * KIB);
    allocators[1] = start_thread(allocate_until_stopped, (void *)2, 256 * KIB);
    forker = start_thread(fork_at_once, NULL, 256 * KIB);
    pthread_join(forker, NULL);
    stop = 1;
    pthread_join(allocators[0], NULL);
    pthread_join(allocators[1], NULL);
}

static void before_constructors(int count, char **values, char **environment) {
    (void)environment;
    if (count > 1 && strcmp(values[1], "before-constructors") == 0) {
        run_threads();
    }
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
                                                                              char **) = before_constructors;

__attribute__((constructor(101))) static void in_constructor(int count, char **values, char **environment) {
    (void)environment;
    if (count > 1 && strcmp(values[1], "in-constructor") == 0) {
        run_threads();
    }
}

int main(int count, char **values) {
    (void)values;
    expect_allocator();
    double end = now() + 5;
    for (int i = 0; count == 1 && i < STARTS && now() < end; i++) {
        const char *mode = i % 2 ? "before-constructors" : "in-constructor";
        expect_success(start_self(mode, NULL), mode);
    }
    return 0;
}
