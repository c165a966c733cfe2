/* F8: a program's own fork handlers take the program's lock and allocate, while a thread allocates under that lock. */
#include "field.h"

enum { FORKS = 3000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int stop;
static void *of_prepare, *of_parent, *of_child;

static void replace(void **block, size_t size) {
    free(*block);
    *block = malloc(size);
    CHECK(*block, "malloc failed in a fork handler");
    memset(*block, 1, size);
}

static void prepare(void) {
    pthread_mutex_lock(&lock);
    replace(&of_prepare, 100);
    replace(&of_prepare, 300 * KIB);
}

static void parent(void) {
    replace(&of_parent, 100);
    replace(&of_parent, 300 * KIB);
    pthread_mutex_unlock(&lock);
}

static void child(void) {
    alarm(30);
    replace(&of_child, 100);
    replace(&of_child, 300 * KIB);
    pthread_mutex_unlock(&lock);
}

static void *allocate_under_lock(void *argument) {
    uint64_t random = (uintptr_t)argument;
    while (!stop) {
        pthread_mutex_lock(&lock);
        void *block = malloc(next_random(&random) % (128 * KIB));
        pthread_mutex_unlock(&lock);
        free(block);
    }
    return NULL;
}

static void *allocate_freely(void *argument) {
    uint64_t random = (uintptr_t)argument;
    while (!stop) {
        free(malloc(next_random(&random) % (128 * KIB)));
    }
    return NULL;
}

int main(void) {
    expect_allocator();
    alarm(120);
    CHECK(pthread_atfork(prepare, parent, child) == 0, "pthread_atfork failed");
    pthread_t under_lock = start_thread(allocate_under_lock, (void *)1, 256 * KIB);
    pthread_t freely = start_thread(allocate_freely, (void *)2, 256 * KIB);
    double end = now() + 3;
    for (int i = 0; i < FORKS && now() < end; i++) {
        pid_t id = fork();
        CHECK(id >= 0, "fork: %s", strerror(errno));
        if (id == 0) {
            replace(&of_child, 1000);
            _exit(0);
        }
        expect_success(id, "a child");
    }
    stop = 1;
    pthread_join(under_lock, NULL);
    pthread_join(freely, NULL);
    return 0;
}
