/* Patterns of allocation, from one thread to as many as there are processors, with the peak memory beside the time.
 * It calls plain malloc and free, so it measures whatever allocator it is linked with or started under. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pattern.h"

static const Pattern *const patterns[] = {
    &pattern_local, &pattern_larson, &pattern_handoff, &pattern_mixed,
    &pattern_large, &pattern_growth, &pattern_phases,  &pattern_lifetimes,
};

enum { PATTERNS = sizeof(patterns) / sizeof(*patterns), FULL_SCALE = 20, QUICK_SCALE = 2 };

/* What the pattern's process says about itself. */
typedef struct Report {
    uint64_t allocated;
    double seconds;
    double resident_mib; /* after everything was freed */
} Report;

typedef struct Result {
    Report report;
    double cpu_seconds;
    double peak_mib;
} Result;

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double resident_mib(void) {
    unsigned long total, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm == NULL || fscanf(statm, "%lu %lu", &total, &resident) != 2)
        resident = 0;
    if (statm != NULL)
        fclose(statm);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / (1024 * 1024);
}

static void child(const Pattern *pattern, unsigned threads, unsigned scale, int out) {
    Report report;
    double start = now_seconds();
    report.allocated = pattern->run(threads, scale);
    report.seconds = now_seconds() - start;
    report.resident_mib = resident_mib();
    _exit(write(out, &report, sizeof(report)) == sizeof(report) ? 0 : 1);
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static bool measure(const Pattern *pattern, unsigned threads, unsigned scale, Result *result) {
    int ends[2], status = 0;
    struct rusage usage;
    if (pipe(ends) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        child(pattern, threads, scale, ends[1]);
    close(ends[1]);
    bool reported = pid > 0 && read(ends[0], &result->report, sizeof(result->report)) == sizeof(result->report);
    close(ends[0]);
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid || status != 0)
        return false;
    result->cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    result->peak_mib = (double)usage.ru_maxrss / 1024;
    return reported;
}

static void print(const Pattern *pattern, unsigned threads, const Result *r, bool csv) {
    const char *format = csv ? "%s,%u,%.2f,%.4f,%.4f,%.2f,%.2f\n" : "%-10s %7u %9.2f %9.3f %9.3f %9.1f %9.1f\n";
    printf(format, pattern->name, threads, r->report.seconds * 1e9 / (double)r->report.allocated, r->report.seconds,
           r->cpu_seconds, r->peak_mib, r->report.resident_mib);
    fflush(stdout);
}

static int usage(const char *program) {
    fprintf(stderr, "usage: %s [--csv] [--quick] [--threads N] [PATTERN ...]\n", program);
    for (int i = 0; i < PATTERNS; i++)
        fprintf(stderr, "  %-10s %s\n", patterns[i]->name, patterns[i]->what);
    return 2;
}

static const Pattern *pattern_named(const char *name) {
    for (int i = 0; i < PATTERNS; i++)
        if (strcmp(patterns[i]->name, name) == 0)
            return patterns[i];
    return NULL;
}

int main(int argc, char **argv) {
    bool csv = false;
    unsigned scale = FULL_SCALE, least = 1, most = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    const Pattern *chosen[PATTERNS];
    int count = 0;
    if (most < 2)
        most = 2;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--csv") == 0) {
            csv = true;
        } else if (strcmp(argv[i], "--quick") == 0) {
            scale = QUICK_SCALE;
        } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            least = most = (unsigned)strtoul(argv[++i], NULL, 10);
        } else if (count < PATTERNS && (chosen[count] = pattern_named(argv[i])) != NULL) {
            count++;
        } else {
            return usage(argv[0]);
        }
    }
    if (least == 0)
        return usage(argv[0]);
    if (count == 0) {
        count = PATTERNS;
        memcpy(chosen, patterns, sizeof(patterns));
    }

    puts(csv ? "pattern,threads,ns_per_block,seconds,cpu_seconds,peak_mib,left_mib"
             : "pattern    threads  ns/block   seconds       cpu  peak MiB  left MiB");
    fflush(stdout);
    for (int i = 0; i < count; i++) {
        for (unsigned threads = least; threads <= most; threads *= 2) {
            Result result;
            if (threads < chosen[i]->min_threads)
                continue;
            if (!measure(chosen[i], threads, scale, &result)) {
                fprintf(stderr, "%s with %u threads failed\n", chosen[i]->name, threads);
                return 1;
            }
            print(chosen[i], threads, &result, csv);
        }
    }
    return 0;
}
