/* I13: what the library adds to a short program that allocates once, beside the C library's allocator with an empty
 * preloaded library: system calls, opened files, page faults, time. Usage: program LIBRARY EMPTY_LIBRARY */
#include <sys/resource.h>

#include "trace.h"

enum { STARTS = 150, CALLS = 15, FAULTS = 25 };

struct calls {
    long all, opened;
};

static int count_call(long call, int inside, unsigned long address, void *context) {
    (void)inside, (void)address;
    struct calls *calls = (struct calls *)context;
    calls->all++;
    calls->opened += call == SYS_openat || call == SYS_open;
    return 0;
}

static struct calls count_calls(const char *library) {
    struct calls calls = {0, 0};
    trace_child(start_traced("/proc/self/exe", "once", library), count_call, &calls);
    return calls;
}

struct cost {
    double seconds;
    long faults;
};

static void lower(struct cost *best, const char *library) {
    struct rusage usage;
    int status;
    double start = now();
    pid_t child = vfork();
    if (child == 0) {
        char preload[1024];
        snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
        char *environment[] = {preload, NULL};
        execle("/proc/self/exe", "field", "once", (char *)NULL, environment);
        _exit(127);
    }
    CHECK(wait4(child, &status, 0, &usage) == child && status == 0, "a start failed under %s", library);
    double seconds = now() - start;
    best->seconds = seconds < best->seconds ? seconds : best->seconds;
    best->faults = usage.ru_minflt < best->faults ? usage.ru_minflt : best->faults;
}

int main(int count, char **values) {
    if (count == 2) {
        char *volatile block = (char *)malloc(100);
        block[0] = 1;
        free(block);
        return 0;
    }
    CHECK(count == 3, "which libraries?");
    const char *library = values[1], *empty = values[2];
    struct calls with = count_calls(library), without = count_calls(empty);
    struct cost cost_with = {1e9, 1 << 30}, cost_without = {1e9, 1 << 30};
    for (int i = 0; i < STARTS; i++) {
        lower(&cost_with, library);
        lower(&cost_without, empty);
    }
    double microseconds = (cost_with.seconds - cost_without.seconds) * 1e6;
    NOTE("added: %ld system calls, %ld opened files, %ld page faults, %.0f us\n", with.all - without.all,
         with.opened - without.opened, cost_with.faults - cost_without.faults, microseconds);
    CHECK(with.all - without.all < CALLS, "%ld system calls more than an empty library", with.all - without.all);
    CHECK(with.opened == without.opened, "%ld files opened", with.opened - without.opened);
    CHECK(cost_with.faults - cost_without.faults < FAULTS, "%ld page faults more",
          cost_with.faults - cost_without.faults);
    CHECK(microseconds < 100, "%.0f us more", microseconds);
    return 0;
}
