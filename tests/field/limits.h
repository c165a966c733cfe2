/* A program that starts under a limit on its memory, takes all it can get, and goes on afterwards. */
#ifndef FIELD_LIMITS_H
#define FIELD_LIMITS_H

#include <sys/resource.h>

#include "field.h"

/* Allocates blocks of `size` bytes, linked through their first word, until that fails. Returns how many. */
FIELD_UNUSED static size_t take_all(size_t size, void **first) {
    size_t count = 0;
    for (;;) {
        errno = 0;
        void **block = (void **)malloc(size);
        if (!block) {
            CHECK(errno == ENOMEM, "malloc failed with errno %d", errno);
            return count;
        }
        ((char *)block)[size - 1] = 1;
        *block = *first;
        *first = block;
        count++;
    }
}

FIELD_UNUSED static void give_all(void **first) {
    for (void **block = (void **)*first, **next; block; block = next) {
        next = (void **)*block;
        free(block);
    }
    *first = NULL;
}

FIELD_UNUSED static void *use_little(void *argument) {
    uint64_t random = (uintptr_t)argument;
    for (int i = 0; i < 1000; i++) {
        size_t size = 1 + next_random(&random) % 20000;
        char *block = (char *)malloc(size);
        CHECK(block, "a thread gets no memory");
        mark(block, size, 1);
        free(block);
    }
    return NULL;
}

/* What a program does that knows nothing of its limit. `share`: the part of the limit it must be able to use. */
FIELD_UNUSED static void live_under_limit(int resource, size_t limit, double share, size_t stack) {
    expect_allocator();
    alarm(60);
    pthread_t threads[4];
    for (uintptr_t i = 0; i < 4; i++) {
        threads[i] = start_thread(use_little, (void *)(i + 1), stack);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
    }
    static const size_t sizes[] = {100 << 10, 3 << 20, 1000};
    for (int i = 0; i < (limit > GIB ? 2 : 3); i++) { /* small blocks are touched whole, which takes its time */
        void *first = NULL;
        size_t got = take_all(sizes[i], &first) * sizes[i];
        CHECK((double)got >= share * (double)limit, "blocks of %zu bytes: only %zu of %zu KiB", sizes[i], got / KIB,
              limit / KIB);
        CHECK(!realloc(first, limit), "realloc beyond the limit did not fail");
        CHECK(!calloc(1, limit), "calloc beyond the limit did not fail");
        give_all(&first);
        use_little((void *)1);
        pthread_join(start_thread(use_little, (void *)2, stack), NULL);
    }
    struct rlimit raised;
    getrlimit((__rlimit_resource_t)resource, &raised);
    raised.rlim_cur = raised.rlim_max;
    CHECK(setrlimit((__rlimit_resource_t)resource, &raised) == 0, "setrlimit: %s", strerror(errno));
    char *block = (char *)malloc(limit);
    CHECK(block, "no more memory after the limit was raised");
    block[limit - 1] = 1;
    free(block);
}

/* Runs this program again with `resource` limited to `limit` bytes. */
FIELD_UNUSED static void run_limited(int resource, size_t limit) {
    struct rlimit old, low;
    char text[32];
    getrlimit((__rlimit_resource_t)resource, &old);
    low = old;
    low.rlim_cur = limit;
    snprintf(text, sizeof text, "%zu", limit);
    pid_t child = fork();
    CHECK(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        CHECK(setrlimit((__rlimit_resource_t)resource, &low) == 0, "setrlimit: %s", strerror(errno));
        execl("/proc/self/exe", "field", text, (char *)NULL);
        fail(__FILE__, __LINE__, "exec", "%s", strerror(errno));
    }
    expect_success(child, text);
}

#endif
