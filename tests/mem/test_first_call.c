/* Threads that make the first call of the process together. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <pthread.h>
#include <cmocka.h>

#include <vesta/mem.h>

enum { THREADS = 8, SIZE = 3000 };

static pthread_barrier_t start;
static unsigned char source[SIZE];
static unsigned char copies[THREADS][SIZE], fills[THREADS][SIZE];

static void *call(void *argument) {
    size_t i = (size_t)(uintptr_t)argument;
    pthread_barrier_wait(&start);
    vesta_memcpy_noinline(copies[i], source, SIZE);
    vesta_memset_noinline(fills[i], (int)i + 1, SIZE);
    return NULL;
}

static void every_thread_gets_a_path(void **state) {
    (void)state;
    for (size_t i = 0; i < SIZE; i++)
        source[i] = (unsigned char)(i * 7);
    pthread_t threads[THREADS];
    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, call, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < THREADS; i++) {
        assert_memory_equal(copies[i], source, SIZE);
        for (size_t j = 0; j < SIZE; j++)
            assert_int_equal(fills[i][j], i + 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_thread_gets_a_path)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
