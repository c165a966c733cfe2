/* Runs a command and writes to a file what it took: wall, user and system seconds, peak KiB, page
 * faults, wait status. It exists
 * because the peak that the system reports for a process includes what its parent had when it started it, so the parent
 * must be small. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: %s RESULT PRELOADED COMMAND [ARGUMENT ...]\n", argv[0]);
        return 2;
    }
    double start = now_seconds();
    pid_t pid = fork();
    if (pid == 0) {
        if (argv[2][0] != '\0' && setenv("LD_PRELOAD", argv[2], 1) != 0)
            _exit(126);
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (pid < 0 || wait4(pid, &status, 0, &usage) != pid)
        return fail(argv[3]);
    double wall = now_seconds() - start;
    FILE *result = fopen(argv[1], "w");
    if (result == NULL)
        return fail(argv[1]);
    fprintf(result, "%.6f %.6f %.6f %ld %ld %d\n", wall, seconds_of(usage.ru_utime), seconds_of(usage.ru_stime),
            usage.ru_maxrss, usage.ru_minflt + usage.ru_majflt, status);
    return fclose(result) == 0 ? 0 : fail(argv[1]);
}
