/* What the programs of this folder share. Nothing here allocates unless it says so. */
#ifndef FIELD_H
#define FIELD_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)

#define FIELD_UNUSED __attribute__((unused))

/* The exit status by which CTest tells "cannot be tried on this machine" from a pass. */
#define FIELD_SKIPPED 77

/* Ends the program with a line that says where, what had to hold, and more. */
FIELD_UNUSED __attribute__((noreturn, format(printf, 4, 5))) static void
fail(const char *file, int line, const char *condition, const char *format, ...) {
    char text[640];
    int start = snprintf(text, sizeof text / 2, "%s:%d: %s: ", file, line, condition);
    start = start < (int)sizeof text / 2 ? start : (int)sizeof text / 2 - 1;
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(text + start, sizeof text / 2 - 1, format, arguments);
    va_end(arguments);
    more = more < (int)sizeof text / 2 - 1 ? more : (int)sizeof text / 2 - 2;
    text[start + more] = '\n';
    ssize_t written = write(STDERR_FILENO, text, (size_t)(start + more) + 1);
    (void)written;
    _exit(1);
}

/* CHECK(condition, "message", ...) ends the program unless the condition holds. */
#define CHECK(condition, ...)                                                                                          \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                                         \
        }                                                                                                              \
    } while (0)

/* What a program measured, for the reader of the test's log; written at once, for a failure does not flush. */
#define NOTE(...) dprintf(STDOUT_FILENO, __VA_ARGS__)

/* Ends the program unless its malloc is the library's. FIELD_LINKED: it was linked in. Else VESTA_EXPECT says whether
 * it was to be preloaded, so that the same program also runs under other allocators. */
#ifdef FIELD_LINKED
#ifdef __cplusplus
extern "C"
#endif
    int
    vesta_host_alloc_active(void);
#endif

FIELD_UNUSED static void expect_allocator(void) {
#ifdef FIELD_LINKED
    CHECK(vesta_host_alloc_active() == 1, "the library is linked in but is not malloc");
#else
    const char *expected = getenv("VESTA_EXPECT");
    if (expected && expected[0] == '1') {
        int (*active)(void);
        *(void **)&active = dlsym(RTLD_DEFAULT, "vesta_host_alloc_active");
        CHECK(active, "the library is not loaded");
        CHECK(active() == 1, "the library is loaded but is not malloc");
    }
#endif
}

FIELD_UNUSED static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

FIELD_UNUSED static void pause_seconds(double seconds) {
    struct timespec t = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

/* The next of a sequence of numbers that is the same in every run. */
FIELD_UNUSED static uint32_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

/* Calls `line` for each line of a /proc file, with a buffer of its own. */
FIELD_UNUSED static void each_line(const char *path, void (*line)(const char *text, void *context), void *context) {
    char buffer[4096];
    size_t held = 0;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    CHECK(file >= 0, "%s: %s", path, strerror(errno));
    for (;;) {
        ssize_t got = read(file, buffer + held, sizeof buffer - 1 - held);
        CHECK(got >= 0, "%s: %s", path, strerror(errno));
        held += (size_t)got;
        buffer[held] = 0;
        char *start = buffer;
        for (char *end; (end = strchr(start, '\n')); start = end + 1) {
            *end = 0;
            line(start, context);
        }
        held = (size_t)(buffer + held - start);
        memmove(buffer, start, held);
        if (got == 0) {
            break;
        }
    }
    close(file);
}

FIELD_UNUSED static void add_anonymous(const char *line, void *context) {
    if (strncmp(line, "Anonymous:", 10) == 0) {
        *(size_t *)context += strtoul(line + 10, NULL, 10) * KIB;
    }
}

/* Resident memory that belongs to no file: what the heap, the stacks and the variables hold. Exact. */
FIELD_UNUSED static size_t resident_bytes(void) {
    size_t bytes = 0;
    each_line("/proc/self/smaps_rollup", add_anonymous, &bytes);
    return bytes;
}

FIELD_UNUSED static void add_one(const char *line, void *context) {
    (void)line;
    ++*(size_t *)context;
}

FIELD_UNUSED static size_t map_count(void) {
    size_t count = 0;
    each_line("/proc/self/maps", add_one, &count);
    return count;
}

/* Marks a block from end to end, and says whether the marks are still there. */
FIELD_UNUSED static void mark(void *block, size_t size, unsigned seed) {
    unsigned char *bytes = (unsigned char *)block;
    for (size_t i = 0; i < size; i += i < 64 ? 1 : 61) {
        bytes[i] = (unsigned char)(seed + i);
    }
}

FIELD_UNUSED static int marked(const void *block, size_t size, unsigned seed) {
    const unsigned char *bytes = (const unsigned char *)block;
    for (size_t i = 0; i < size; i += i < 64 ? 1 : 61) {
        if (bytes[i] != (unsigned char)(seed + i)) {
            return 0;
        }
    }
    return 1;
}

FIELD_UNUSED static pthread_t start_thread(void *(*body)(void *), void *argument, size_t stack) {
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack);
    int error = pthread_create(&thread, &attributes, body, argument);
    CHECK(error == 0, "pthread_create: %s", strerror(error));
    pthread_attr_destroy(&attributes);
    return thread;
}

/* Runs this program again as `program mode argument`, in a process whose id is returned. */
FIELD_UNUSED static pid_t start_self(const char *mode, const char *argument) {
    pid_t child = fork();
    CHECK(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        execl("/proc/self/exe", "field", mode, argument, (char *)NULL);
        fail(__FILE__, __LINE__, "exec", "%s", strerror(errno));
    }
    return child;
}

/* Waits for a child and dies unless it exited with 0. */
FIELD_UNUSED static void expect_success(pid_t child, const char *what) {
    int status;
    CHECK(waitpid(child, &status, 0) == child, "waitpid: %s", strerror(errno));
    CHECK(!WIFSIGNALED(status), "%s: signal %d", what, WTERMSIG(status));
    CHECK(WEXITSTATUS(status) == 0, "%s: exit status %d", what, WEXITSTATUS(status));
}

#endif
