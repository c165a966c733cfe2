/* F11: fork copies the charge of every private writable mapping, and the kernel refuses one that exceeds the machine's
 * memory. A program that had allocated more than that and freed it can fork again. Most of it is never touched. */
#include <sys/sysinfo.h>

#include "field.h"

enum { BLOCK = 256 << 20, SMALL = 4096 };

static void fork_once(const char *when) {
    pid_t child = fork();
    CHECK(child >= 0, "fork %s: %s", when, strerror(errno));
    if (child == 0) {
        _exit(0);
    }
    expect_success(child, when);
}

struct charge {
    size_t mapping, sum;
};

static void add_charged(const char *line, void *context) {
    struct charge *charge = (struct charge *)context;
    if (strncmp(line, "Size:", 5) == 0) {
        charge->mapping = strtoul(line + 5, NULL, 10) * KIB;
    }
    if (strncmp(line, "VmFlags:", 8) == 0 && strstr(line, " ac")) {
        charge->sum += charge->mapping;
    }
}

static size_t charged_bytes(void) {
    struct charge charge = {0, 0};
    each_line("/proc/self/smaps", add_charged, &charge);
    return charge.sum;
}

int main(void) {
    expect_allocator();
    struct sysinfo machine;
    sysinfo(&machine);
    size_t memory = (machine.totalram + machine.totalswap) * machine.mem_unit;
    size_t blocks = memory / BLOCK + memory / BLOCK / 5;
    void **held = (void **)malloc(blocks * sizeof *held);
    size_t before = charged_bytes();
    size_t got = 0;
    while (got < blocks && (held[got] = malloc(BLOCK))) {
        *(volatile char *)held[got] = 1;
        got++;
    }
    for (size_t i = 0; i < got; i++) {
        free(held[i]);
    }
    fork_once("after large blocks were freed");

    enum { COUNT = 100000 };
    void **small = (void **)malloc(COUNT * sizeof *small);
    for (int i = 0; i < COUNT; i++) {
        small[i] = malloc(SMALL);
        CHECK(small[i], "malloc failed");
        memset(small[i], 1, SMALL);
    }
    for (int i = 0; i < COUNT; i++) {
        free(small[i]);
    }
    fork_once("after small blocks were freed");
    size_t after = charged_bytes();
    NOTE("%zu MiB of %zu MiB allocated; charged %zu MiB before, %zu MiB after\n", got * BLOCK / MIB, memory / MIB,
         before / MIB, after / MIB);
    CHECK(after < before + memory / 5, "charged %zu MiB before, %zu MiB after", before / MIB, after / MIB);
    return 0;
}
