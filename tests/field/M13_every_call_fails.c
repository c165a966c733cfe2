/* M13: from some point on every system call for memory fails. What is there goes on being used, the rest is NULL and
 * ENOMEM. Then the same through a limit that is raised again: the heap recovers. */
#include <sys/resource.h>

#include "memory_calls.h"
#include "seccomp.h"

enum { LIVE = 2000 };

static struct block {
    char *data;
    size_t size;
} live[LIVE];

/* Returns how many requests were met. */
static int churn(uint64_t *random, int steps) {
    int met = 0;
    for (int i = 0; i < steps; i++) {
        unsigned index = next_random(random) % LIVE;
        struct block *block = &live[index];
        uint32_t r = next_random(random);
        size_t size = 1 + (r % 64 ? r % 3000 : r % (8 * MIB));
        CHECK(!block->data || marked(block->data, block->size, index), "a live block changed");
        errno = 0;
        char *data =
            (char *)(r % 5 ? (free(block->data), block->data = NULL, malloc(size)) : realloc(block->data, size));
        CHECK(data || errno == ENOMEM, "no memory with errno %d", errno);
        if (data) {
            mark(data, size, index);
            *block = (struct block){data, size};
            met++;
        }
    }
    return met;
}

static void refuse_calls(void) {
    static const long calls[] = {MEMORY_CALLS};
    uint64_t random = 1;
    churn(&random, 8000);
    filter_calls(calls, sizeof calls / sizeof *calls, SECCOMP_RET_ERRNO | ENOMEM, SECCOMP_RET_ALLOW);
    int met = churn(&random, 8000);
    CHECK(met > 6000, "only %d of 8000 requests were met by what is there", met);
    errno = 0;
    CHECK(!malloc(1 * GIB) && errno == ENOMEM, "a block of 1 GiB although the system gives nothing");
    void *first = NULL;
    for (void **block; (block = (void **)malloc(500)); first = block) {
        *block = first;
    }
    for (void **block = (void **)first, **next; block; block = next) {
        next = (void **)*block;
        free(block);
    }
    CHECK(churn(&random, 8000) > 6000, "the heap does not work after it was exhausted");
}

static void limit_and_raise(void) {
    uint64_t random = 1;
    churn(&random, 8000);
    struct rlimit limit;
    getrlimit(RLIMIT_DATA, &limit);
    limit.rlim_cur = 1 * MIB; /* less than there is: nothing more can be made writable */
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0, "setrlimit: %s", strerror(errno));
    churn(&random, 8000);
    errno = 0;
    CHECK(!malloc(1 * GIB) && errno == ENOMEM, "a block of 1 GiB beyond the limit");
    limit.rlim_cur = limit.rlim_max;
    CHECK(setrlimit(RLIMIT_DATA, &limit) == 0, "setrlimit: %s", strerror(errno));
    CHECK(churn(&random, 8000) == 8000, "requests fail after the limit was raised");
    char *large = (char *)malloc(1 * GIB);
    CHECK(large, "1 GiB fails after the limit was raised");
    large[GIB - 1] = 1;
    free(large);
}

int main(void) {
    expect_allocator();
    void (*const parts[])(void) = {refuse_calls, limit_and_raise};
    for (int i = 0; i < 2; i++) {
        pid_t child = fork();
        CHECK(child >= 0, "fork: %s", strerror(errno));
        if (child == 0) {
            alarm(60);
            parts[i]();
            _exit(0);
        }
        expect_success(child, i ? "with a limit" : "with refused calls");
    }
    return 0;
}
