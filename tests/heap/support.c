#define _GNU_SOURCE
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

char **environment_block;

/* The heap's regions are not scanned for pointers to the C library's blocks, so these would seem lost. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

/* Children of threads start threads themselves. */
const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
    return "die_after_fork=0:halt_on_error=1";
}

/* ---- Processes ---- */

void put_in_environment(const char *entry) {
    static unsigned next;
    assert_non_null(environment_block[next]);
    environment_block[next++] = (char *)(uintptr_t)entry;
}

/* A hang fails, too. */
enum { SECONDS_AT_MOST = 300 };

static void become_child(void) {
    const int handled_by_cmocka[] = {SIGFPE, SIGILL, SIGSEGV, SIGBUS, SIGSYS};
    for (size_t i = 0; i < LENGTH(handled_by_cmocka); i++)
        signal(handled_by_cmocka[i], SIG_DFL);
    setenv("CMOCKA_TEST_ABORT", "1", 1);
    alarm(SECONDS_AT_MOST);
    /* Valgrind keeps a record for every 64 KiB of a mapping: a region of 1 TiB would take it half a minute. */
    if (under_valgrind())
        limit_address_space(64 * GIB);
}

static pid_t fork_flushed(void) {
    fflush(stdout);
    fflush(stderr);
    pid_t child = fork();
    assert_return_code(child, 0);
    return child;
}

void run_isolated(void (*body)(void)) {
    pid_t child = fork_flushed();
    if (child == 0) {
        become_child();
        body();
        exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        fail_msg("the test's process was ended by signal %d", WTERMSIG(status));
    if (WEXITSTATUS(status) != 0)
        fail_msg("the test's process ended with %d", WEXITSTATUS(status));
}

Outcome outcome_of(void (*body)(void)) {
    Outcome outcome = {.signal = 0};
    int ends[2];
    assert_return_code(pipe(ends), 0);
    pid_t child = fork_flushed();
    if (child == 0) {
        become_child();
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        body();
        exit(0);
    }
    close(ends[1]);
    size_t length = 0;
    for (ssize_t part; (part = read(ends[0], outcome.text + length, sizeof outcome.text - 1 - length)) > 0;)
        length += (size_t)part;
    close(ends[0]);
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return outcome;
}

bool under_valgrind(void) {
    const char *preloaded = getenv("LD_PRELOAD");
    return preloaded != NULL && strstr(preloaded, "vgpreload") != NULL;
}

bool limit_address_space(size_t bytes) {
    if (UNDER_TSAN || UNDER_ASAN)
        return false;
    assert_return_code(setrlimit(RLIMIT_AS, &(struct rlimit){bytes, bytes}), 0);
    return true;
}

unsigned scaled(unsigned count) {
    unsigned share = under_valgrind() ? 100 : UNDER_TSAN || UNDER_ASAN ? 10 : 1;
    return count / share != 0 ? count / share : 1;
}

/* ---- Memory ---- */

size_t resident_bytes(void) {
    char text[128] = {0};
    int file = open("/proc/self/statm", O_RDONLY);
    assert_return_code(file, 0);
    assert_true(read(file, text, sizeof text - 1) > 0);
    close(file);
    unsigned long all, resident;
    assert_int_equal(sscanf(text, "%lu %lu", &all, &resident), 2);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

bool resident_bytes_mean_something(void) {
    return !UNDER_TSAN && !UNDER_ASAN && !under_valgrind();
}
