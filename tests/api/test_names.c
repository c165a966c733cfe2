/* Every name under which a program may reach the entries. */
#include "door.h"

#include <stdlib.h>
#include <string.h>

/* Weak: the C library may not have these, and a preloaded library is not there yet when the program is linked. */
__attribute__((weak)) void cfree(void *block);
__attribute__((weak)) void free_sized(void *block, size_t size);
__attribute__((weak)) void free_aligned_sized(void *block, size_t alignment, size_t size);

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);

static void names_of_glibc(void **state) {
    (void)state;
    void *blocks[] = {__libc_malloc(10), __libc_calloc(2, 10), __libc_realloc(NULL, 10),    __libc_memalign(4096, 10),
                      __libc_valloc(10), __libc_pvalloc(10),   __libc_realloc(malloc(5), 9)};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        assert_true(door_owns(blocks[i]));
        if (i % 2 == 0)
            __libc_free(blocks[i]);
        else
            free(blocks[i]);
    }
    cfree(malloc(10));
}

/* Sizes and alignments that are wrong do no harm: the heap knows the right ones. */
static void sized_frees(void **state) {
    (void)state;
    for (size_t size = 1; size <= (size_t)2 << 20; size += size / 3 + 1) {
        char *right = malloc(size), *wrong = malloc(size), *guard = malloc(size);
        memset(guard, 7, size);
        free_sized(right, size);
        free_sized(wrong, size / 2);
        free_aligned_sized(aligned_alloc(64, size), 64, size);
        free_aligned_sized(aligned_alloc(64, size), 16, 1);
        for (int i = 0; i < 8; i++)
            free(memset(malloc(size), 1, size));
        assert_int_equal(guard[0], 7);
        assert_int_equal(guard[size - 1], 7);
        free(guard);
    }
    free_sized(NULL, 10);
    free_aligned_sized(NULL, 64, 10);
    cfree(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_glibc),
        cmocka_unit_test(sized_frees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
