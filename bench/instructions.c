/* Counts the instructions that malloc and free take, by stepping through them one at a time. It counts what runs
 * outside this program's own code, so the allocator has to be in a shared library: start it under the one to be
 * measured. Unlike a clock, the count is the same on a busy machine. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if !defined(__x86_64__)
#error "the instruction pointer is read the x86-64 way"
#endif

enum { LIVE = 256, OPERATIONS = 512, WARM_UP = 4096 };

typedef struct Case {
    const char *name;
    size_t size;
    bool churn; /* keep LIVE blocks and replace them at random, else take and free one */
} Case;

static const Case cases[] = {
    {"pair 16 B", 16, false},    {"pair 64 B", 64, false},        {"pair 1 KiB", 1024, false},
    {"pair 8 KiB", 8192, false}, {"pair 256 KiB", 262144, false}, {"churn 64 B", 64, true},
};

/* The child passes these on its way; the parent knows them by address. What they say keeps them apart. */
__attribute__((noinline)) static void malloc_next(void) {
    __asm__ volatile("# malloc");
}

__attribute__((noinline)) static void free_next(void) {
    __asm__ volatile("# free");
}

__attribute__((noinline)) static void nothing_next(void) {
    __asm__ volatile("# neither");
}

static uint32_t random_next(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void *live[LIVE];

static void replace(size_t slot, size_t size) {
    void *old = live[slot];
    malloc_next();
    void *block = malloc(size);
    free_next();
    free(old);
    nothing_next();
    live[slot] = block;
}

static void pair(size_t size) {
    malloc_next();
    void *block = malloc(size);
    __asm__ volatile("" : "+r"(block) : : "memory");
    free_next();
    free(block);
    nothing_next();
}

static void work(const Case *c, unsigned operations, uint32_t random) {
    for (unsigned i = 0; i < operations; i++) {
        if (c->churn)
            replace(random_next(&random) % LIVE, c->size);
        else
            pair(c->size);
    }
}

static void child(const Case *c) {
    work(c, WARM_UP, 1);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    work(c, OPERATIONS, 2);
    _exit(0);
}

typedef struct Counts {
    unsigned each[OPERATIONS];
    unsigned calls;
} Counts;

extern const char __executable_start, etext;

static bool in_this_program(uint64_t address) {
    return address >= (uintptr_t)&__executable_start && address < (uintptr_t)&etext;
}

static bool count(const Case *c, Counts *mallocs, Counts *frees) {
    int status;
    Counts *current = NULL;
    pid_t pid = fork();
    if (pid == 0)
        child(c);
    mallocs->calls = frees->calls = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return false;
    while (WIFSTOPPED(status)) {
        struct user_regs_struct registers;
        if (ptrace(PTRACE_GETREGS, pid, NULL, &registers) != 0)
            return false;
        uint64_t at = registers.rip;
        if (at == (uintptr_t)malloc_next || at == (uintptr_t)free_next) {
            current = at == (uintptr_t)malloc_next ? mallocs : frees;
            if (current->calls < OPERATIONS)
                current->each[current->calls++] = 0;
        } else if (at == (uintptr_t)nothing_next) {
            current = NULL;
        } else if (current != NULL && !in_this_program(at)) {
            current->each[current->calls - 1]++;
        }
        if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) != 0 || waitpid(pid, &status, 0) != pid)
            return false;
    }
    return status == 0 && mallocs->calls == OPERATIONS && frees->calls == OPERATIONS;
}

static int compare(const void *a, const void *b) {
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

static unsigned median(Counts *counts) {
    qsort(counts->each, counts->calls, sizeof(*counts->each), compare);
    return counts->each[counts->calls / 2];
}

static double mean(const Counts *counts) {
    double sum = 0;
    for (unsigned i = 0; i < counts->calls; i++)
        sum += counts->each[i];
    return sum / counts->calls;
}

int main(int argc, char **argv) {
    bool csv = argc == 2 && strcmp(argv[1], "--csv") == 0;
    if (argc > 1 && !csv) {
        fprintf(stderr, "usage: [LD_PRELOAD=ALLOCATOR] %s [--csv]\n", argv[0]);
        return 2;
    }
    if (csv)
        printf("case,malloc_median,malloc_mean,free_median,free_mean\n");
    else
        printf("%-14s %8s %8s %8s %8s\n", "instructions", "malloc", "(mean)", "free", "(mean)");
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        static Counts mallocs, frees;
        fflush(stdout);
        if (!count(&cases[i], &mallocs, &frees)) {
            fprintf(stderr, "%s: stepping through it failed\n", cases[i].name);
            return 1;
        }
        printf(csv ? "%s,%u,%.1f,%u,%.1f\n" : "%-14s %8u %8.1f %8u %8.1f\n", cases[i].name, median(&mallocs),
               mean(&mallocs), median(&frees), mean(&frees));
    }
    return 0;
}
