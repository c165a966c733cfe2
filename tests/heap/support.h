/* What the tests of the heap share. The heap is linked beside the C library's malloc, so a test's own bookkeeping does
 * not disturb what it looks at. */
#ifndef HEAP_TESTS_SUPPORT_H
#define HEAP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "vesta/host_alloc.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define GIB ((size_t)1 << 30)
#define LENGTH(array) (sizeof(array) / sizeof *(array))

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define UNDER_TSAN 1
#elif __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define UNDER_TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#endif
#ifndef UNDER_TSAN
#define UNDER_TSAN 0
#endif
#ifndef UNDER_ASAN
#define UNDER_ASAN 0
#endif

/* ---- Processes ---- */

/* The environment block that the kernel gave the process. */
extern char **environment_block;

/* Makes `entry` ("NAME=value") the first one in the environment block, as if the process had been started with it. */
void put_in_environment(const char *entry);

/* Runs `body` in a process of its own, whose heap nobody has used; a failed assertion there fails the test. */
void run_isolated(void (*body)(void));

#define ISOLATED(name)                                                                                                 \
    static void name##_body(void);                                                                                     \
    static void name(void **state) {                                                                                   \
        (void)state;                                                                                                   \
        run_isolated(name##_body);                                                                                     \
    }                                                                                                                  \
    static void name##_body(void)

/* How a process ended and what it wrote to standard error. */
typedef struct Outcome {
    int signal; /* or 0 */
    int status; /* where it was no signal */
    char text[1024];
} Outcome;

Outcome outcome_of(void (*body)(void));

/* Where there is no fork: runs the body that the command line names, if it does, and ends the process. */
#if defined(_WIN32)
void become_body(int count, char **arguments);
#else
static inline void become_body(int count, char **arguments) {
    (void)count;
    (void)arguments;
}
#endif

#define TESTS(...)                                                                                                     \
    int main(int count, char **arguments, char **environment) {                                                        \
        environment_block = environment;                                                                               \
        become_body(count, arguments);                                                                                 \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                                               \
        return cmocka_run_group_tests(tests, NULL, NULL);                                                              \
    }

/* `count`, or less of it where everything takes longer: under a sanitizer or valgrind. */
unsigned scaled(unsigned count);
bool under_valgrind(void);

/* Limits the process's address space; false where a sanitizer needs more of it than any limit allows. */
bool limit_address_space(size_t bytes);

/* ---- Threads ---- */

/* Runs `body(0)` to `body(count - 1)`, each in its own thread, and waits for all. */
void run_threads(unsigned count, void (*body)(unsigned index));

/* Runs `body` in a new thread and waits for its end. */
void run_thread(void (*body)(unsigned index));

/* Two sides that take turns. */
void wait_for_turn(const unsigned *turn, unsigned value);
void give_turn(unsigned *turn, unsigned value);

/* ---- Numbers ---- */

/* A small generator with a state of one word (xorshift64*); never 0. */
typedef struct Random {
    uint64_t state;
} Random;

uint64_t random_next(Random *random);

/* 0 to `limit` - 1. */
uint64_t random_below(Random *random, uint64_t limit);

/* Bytes of memory that the process has now; and whether they are the program's alone, for sanitizers and valgrind keep
 * their books in memory too. */
size_t resident_bytes(void);
bool resident_bytes_mean_something(void);

/* Milliseconds of a monotonic clock. */
uint64_t milliseconds(void);

/* Fills memory with what depends on `seed` and the place; and looks whether it is still there. */
void fill_pattern(void *memory, size_t size, uint64_t seed);
bool has_pattern(const void *memory, size_t size, uint64_t seed);
bool is_zero(const void *memory, size_t size);

#endif
