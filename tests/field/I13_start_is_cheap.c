/* I13: what the library adds to a short program that allocates once, beside the C library's allocator with an empty
 * preloaded library: system calls, opened files, page faults. Usage: program LIBRARY EMPTY_LIBRARY */
#include <limits.h>
#include <sys/resource.h>

#include "trace.h"

enum { STARTS = 15, CALLS = 15, FAULTS = 25 };

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

/* The fewest of some starts: the kernel maps around a fault what happens to be in its cache. */
static long count_faults(const char *library) {
    long fewest = LONG_MAX;
    setenv("LD_PRELOAD", library, 1);
    for (int i = 0; i < STARTS; i++) {
        struct rusage usage;
        int status;
        pid_t child = start_self("once", NULL);
        CHECK(wait4(child, &status, 0, &usage) == child && status == 0, "a start failed under %s", library);
        fewest = usage.ru_minflt < fewest ? usage.ru_minflt : fewest;
    }
    return fewest;
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
    long faults = count_faults(library) - count_faults(empty);
    NOTE("added: %ld system calls, %ld opened files, %ld page faults\n", with.all - without.all,
         with.opened - without.opened, faults);
    CHECK(with.all - without.all < CALLS, "%ld system calls more than an empty library", with.all - without.all);
    CHECK(with.opened == without.opened, "%ld files opened", with.opened - without.opened);
    CHECK(faults < FAULTS, "%ld page faults more", faults);
    return 0;
}
