/* M13: makes the n-th system call for memory fail, for every n that the workload reaches. Each request is answered by a
 * block or by NULL and ENOMEM, nothing that is live changes, and the heap works afterwards.
 * Usage: program [FILE]; with FILE (the library, or the program it is linked into) the calls counted are those made by
 * code of that file from the very start; without, those of anybody during the workload. */
#include <malloc.h>

#include "memory_calls.h"
#include "trace.h"

enum { LIVE = 60, STEPS = 700, MOST = 200 };

struct block {
    char *data;
    size_t size;
};

static struct block live[LIVE];

static size_t any_size(uint64_t *random) {
    uint32_t r = next_random(random);
    switch (r % 16) {
    case 0:
        return 1 + next_random(random) % (10 * MIB);
    case 1:
    case 2:
        return 1 + next_random(random) % (300 * KIB);
    default:
        return 1 + next_random(random) % 5000;
    }
}

static void check(const struct block *block, unsigned seed) {
    CHECK(!block->data || marked(block->data, block->size, seed), "a live block changed");
}

static void step(uint64_t *random) {
    unsigned index = next_random(random) % LIVE;
    struct block *block = &live[index];
    size_t size = any_size(random);
    check(block, index);
    errno = 0;
    char *data;
    switch (next_random(random) % 4) {
    case 0: {
        size_t kept = block->data && block->size < size ? block->size : block->data ? size : 0;
        data = (char *)realloc(block->data, size);
        CHECK(data || errno == ENOMEM, "realloc failed with errno %d", errno);
        if (!data) {
            check(block, index);
            return;
        }
        CHECK(marked(data, kept, index), "realloc lost the content");
        break;
    }
    case 1:
        free(block->data);
        data = (char *)calloc(1, size);
        for (size_t i = 0; data && i < size; i += 4096) {
            CHECK(data[i] == 0, "calloc gave a block that is not zero");
        }
        break;
    case 2:
        free(block->data);
        data = (char *)memalign(256, size);
        break;
    default:
        free(block->data);
        data = (char *)malloc(size);
    }
    CHECK(data || errno == ENOMEM, "no memory with errno %d", errno);
    *block = (struct block){data, size};
    if (data) {
        mark(data, size, index);
    }
}

static void work(void) {
    uint64_t random = 1;
    trace_begin();
    for (int i = 0; i < STEPS; i++) {
        step(&random);
    }
    malloc_trim(0);
    trace_end();
    for (unsigned i = 0; i < LIVE; i++) {
        check(&live[i], i);
        free(live[i].data);
    }
    for (int i = 0; i < LIVE; i++) {
        live[i].data = (char *)malloc(any_size(&random));
        CHECK(live[i].data, "the heap does not recover");
        live[i].data[0] = 1;
    }
    for (int i = 0; i < LIVE; i++) {
        free(live[i].data);
    }
}

struct failing {
    const char *file;
    pid_t child;
    long count, failing;
    unsigned long address;
    int found;
};

static void find_address(const char *line, void *context) {
    struct failing *failing = (struct failing *)context;
    unsigned long start, end;
    if (sscanf(line, "%lx-%lx", &start, &end) == 2 && start <= failing->address && failing->address < end) {
        failing->found |= strstr(line, failing->file) != NULL;
    }
}

static int made_by_file(struct failing *failing, unsigned long address) {
    char maps[32];
    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)failing->child);
    failing->address = address;
    failing->found = 0;
    each_line(maps, find_address, failing);
    return failing->found;
}

static int fail_nth(long call, int inside, unsigned long address, void *context) {
    struct failing *failing = (struct failing *)context;
    if (!is_memory_call(call) || !(failing->file ? made_by_file(failing, address) : inside)) {
        return 0;
    }
    return ++failing->count == failing->failing ? ENOMEM : 0;
}

int main(int count, char **values) {
    if (count == 2 && strcmp(values[1], "work") == 0) {
        alarm(60);
        work();
        return 0;
    }
    expect_allocator();
    char *file = count > 1 ? realpath(values[1], NULL) : NULL;
    CHECK(count == 1 || file, "%s: %s", values[1], strerror(errno));
    for (long n = 1;; n++) {
        struct failing failing = {file, start_traced("/proc/self/exe", "work", NULL), 0, n, 0, 0};
        trace_child(failing.child, fail_nth, &failing);
        if (n > failing.count || n == MOST) {
            NOTE("%ld of %ld calls failed in turn\n", n > failing.count ? failing.count : n, failing.count);
            CHECK(n > 3, "hardly a call to fail");
            break;
        }
    }
    free(file);
    return 0;
}
