/* M16: a large buffer that grows step by step is not copied each time: as fast as under the C library's allocator,
 * within half as much again. The comparison is a run of this program without the library. */
#include <sys/resource.h>

#include "field.h"

enum { REPEATS = 3, KINDS = 3 };

static size_t next_size(int kind, size_t size) {
    switch (kind) {
    case 0:
        return size + 4 * KIB;
    case 1:
        return size + size / 10 + 1;
    default:
        return size * 2;
    }
}

static double grow(int kind) {
    static const size_t ends[KINDS] = {128 << 20, 256 << 20, 256 << 20};
    double start = now();
    size_t size = 1 * KIB, touched = 0;
    char *block = (char *)malloc(size);
    CHECK(block, "malloc failed");
    for (;;) {
        for (; touched < size; touched += 4096) {
            block[touched] = (char)(touched >> 12);
        }
        if (size >= ends[kind]) {
            break;
        }
        size = next_size(kind, size);
        block = (char *)realloc(block, size);
        CHECK(block, "realloc to %zu bytes failed", size);
    }
    double time = now() - start;
    for (size_t i = 0; i < touched; i += 4096) {
        CHECK(block[i] == (char)(i >> 12), "realloc lost the content at %zu", i);
    }
    free(block);
    return time;
}

static void measure_self(const char *preload, double best[KINDS]) {
    int results[2];
    double times[KINDS];
    CHECK(pipe(results) == 0, "pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        if (!preload) {
            unsetenv("LD_PRELOAD");
            unsetenv("VESTA_EXPECT");
        }
        dup2(results[1], STDOUT_FILENO);
        execl("/proc/self/exe", "field", "measure", (char *)NULL);
        _exit(1);
    }
    expect_success(child, "a run");
    CHECK(read(results[0], times, sizeof times) == sizeof times, "no result");
    close(results[0]);
    close(results[1]);
    for (int kind = 0; kind < KINDS; kind++) {
        best[kind] = times[kind] < best[kind] ? times[kind] : best[kind];
    }
}

int main(int count, char **values) {
    expect_allocator();
    (void)values;
    if (count > 1) {
        double times[KINDS];
        for (int kind = 0; kind < KINDS; kind++) {
            times[kind] = grow(kind);
        }
        return write(STDOUT_FILENO, times, sizeof times) != sizeof times;
    }
    static const char *const names[KINDS] = {"by 4 KiB", "by a tenth", "by doubling"};
    double with[KINDS] = {1e9, 1e9, 1e9}, without[KINDS] = {1e9, 1e9, 1e9};
    for (int i = 0; i < REPEATS; i++) {
        measure_self("yes", with);
        measure_self(NULL, without);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        NOTE("%s: %.0f ms, without %.0f ms\n", names[kind], with[kind] * 1e3, without[kind] * 1e3);
    }
    for (int kind = 0; kind < KINDS; kind++) {
        CHECK(with[kind] < without[kind] * 1.5 + 0.005, "%s: %.0f ms, without %.0f ms", names[kind], with[kind] * 1e3,
              without[kind] * 1e3);
    }
    return 0;
}
