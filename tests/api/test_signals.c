/* A signal handler that allocates while malloc is interrupted. POSIX does not promise that; the heap survives it, and
 * no handler hangs inside it. */
#define _GNU_SOURCE
#include "door.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void allocate_in_handler(int signal) {
    (void)signal;
    char *small = malloc(40), *large = malloc(100000);
    if (small == NULL || large == NULL)
        _exit(3);
    memset(small, 0xaa, 40);
    large[0] = large[99999] = 1;
    free(large);
    free(small);
    time_t now = 0;
    localtime(&now);
    handled++;
}

static void interrupted_loop(void *unused) {
    (void)unused;
    enum { COUNT = 64 };
    unsigned char *blocks[COUNT] = {NULL};
    size_t sizes[COUNT] = {0};
    struct sigaction action = {.sa_handler = allocate_in_handler};
    sigaction(SIGALRM, &action, NULL);
    const struct itimerval every_100_us = {{0, 100}, {0, 100}};
    setitimer(ITIMER_REAL, &every_100_us, NULL);
    unsigned random = 1;
    while (handled < 5000) {
        random = random * 1103515245u + 12345u;
        size_t i = random >> 16 & (COUNT - 1);
        for (size_t at = 0; at < sizes[i]; at += sizes[i] / 4 + 1)
            if (blocks[i][at] != (unsigned char)i)
                _exit(2);
        free(blocks[i]);
        sizes[i] = random >> 8 & 255 ? random >> 20 & 511 : 50000;
        blocks[i] = malloc(sizes[i]);
        memset(blocks[i], (int)i, sizes[i]);
    }
    _exit(0);
}

static void handlers_may_allocate(void **state) {
    (void)state;
    DoorChild child = door_run_child(interrupted_loop, NULL);
    assert_string_equal(child.error, "");
    assert_int_equal(child.signal, 0);
    assert_int_equal(child.status, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handlers_may_allocate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
