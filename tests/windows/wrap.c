/* The door of renaming reaches the calls of this link, and nothing that a DLL does. */
#include "../heap/support.h"

#include <malloc.h>

__declspec(dllimport) void *other_malloc(size_t size);
__declspec(dllimport) void other_free(void *block);

static void calls_of_this_program_are_served(void **state) {
    (void)state;
    assert_int_equal(vesta_host_alloc_active(), 1);
    char *block = malloc(100);
    assert_true(vesta_host_owns(block));
    block = realloc(block, 1000);
    assert_true(vesta_host_owns(block));
    assert_true(_msize(block) >= 1000);
    free(block);
    block = calloc(10, 10);
    assert_true(vesta_host_owns(block));
    assert_ptr_equal(_expand(block, 90), block);
    free(block);
}

static void also_those_declared_dllimport(void **state) {
    (void)state;
    char *block = _aligned_malloc(100, 256);
    assert_true(vesta_host_owns(block));
    assert_int_equal((uintptr_t)block % 256, 0);
    block = _aligned_realloc(block, 1000, 256);
    assert_true(vesta_host_owns(block));
    _aligned_free(block);
    block = _aligned_offset_malloc(100, 256, 12);
    assert_int_equal(((uintptr_t)block + 12) % 256, 0);
    _aligned_free(_aligned_offset_realloc(block, 5000, 256, 12));
}

static void what_the_runtime_and_dlls_allocate_goes_back_there(void **state) {
    (void)state;
    char *block = _strdup("text");
    assert_false(vesta_host_owns(block));
    block = realloc(block, 1000);
    assert_false(vesta_host_owns(block));
    assert_string_equal(block, "text");
    assert_true(_msize(block) >= 1000);
    free(block);
    block = other_malloc(100);
    assert_false(vesta_host_owns(block));
    free(block);
}

TESTS(cmocka_unit_test(calls_of_this_program_are_served), cmocka_unit_test(also_those_declared_dllimport),
      cmocka_unit_test(what_the_runtime_and_dlls_allocate_goes_back_there))
