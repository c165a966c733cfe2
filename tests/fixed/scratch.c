/* The scratch arena: what its interface promises, point by point. */
#include "unit.h"

#include <vesta/scratch.h>

#include <string.h>

static void blocks_are_aligned_and_apart(void **state) {
    (void)state;
    VestaScratch scratch;
    vesta_scratch_init(&scratch, 0);
    char *constant = vesta_scratch_alloc(&scratch, 40), *behind = vesta_scratch_alloc(&scratch, 1);
    assert_int_equal((uintptr_t)constant % 16, 0);
    assert_ptr_equal(behind, constant - 16); /* from the end downwards */
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        volatile size_t size = 100;
        char *block = vesta_scratch_alloc_aligned(&scratch, size, alignment);
        assert_int_equal((uintptr_t)block % (alignment < 16 ? 16 : alignment), 0);
        memset(block, 1, size);
    }
    vesta_scratch_destroy(&scratch);
    assert_int_equal(host_blocks(), 0);
}

static void chunks_are_kept_over_a_reset(void **state) {
    (void)state;
    VestaScratch scratch;
    vesta_scratch_init(&scratch, 4096);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 100; i++)
            assert_non_null(vesta_scratch_alloc(&scratch, 400));
        assert_int_equal(host_blocks(), 10); /* ten blocks of 400 in each */
        vesta_scratch_reset(&scratch);
    }
    vesta_scratch_destroy(&scratch);
    assert_int_equal(host_blocks(), 0);
}

static void rewinding_gives_the_same_memory_again(void **state) {
    (void)state;
    VestaScratch scratch;
    vesta_scratch_init(&scratch, 4096);
    char *kept = vesta_scratch_alloc(&scratch, 64);
    memset(kept, 7, 64);
    VestaScratchMark mark = vesta_scratch_mark(&scratch);
    char *first = vesta_scratch_alloc(&scratch, 64);
    for (int i = 0; i < 50; i++)
        memset(vesta_scratch_alloc(&scratch, 1000), 1, 1000);
    size_t chunks = host_blocks();
    vesta_scratch_rewind(&scratch, mark);
    assert_ptr_equal(vesta_scratch_alloc(&scratch, 64), first);
    for (int i = 0; i < 50; i++)
        vesta_scratch_alloc(&scratch, 1000);
    assert_int_equal(host_blocks(), chunks);
    for (int i = 0; i < 64; i++)
        assert_int_equal(kept[i], 7);
    vesta_scratch_destroy(&scratch);
}

static void a_large_request_gets_a_chunk_of_its_own_size(void **state) {
    (void)state;
    VestaScratch scratch;
    vesta_scratch_init(&scratch, 4096);
    char *large = vesta_scratch_alloc(&scratch, 1 << 20);
    memset(large, 1, 1 << 20);
    vesta_scratch_reset(&scratch);
    assert_ptr_equal(vesta_scratch_alloc(&scratch, 1 << 20), large);
    vesta_scratch_destroy(&scratch);
}

static void a_fixed_buffer_never_grows(void **state) {
    (void)state;
    _Alignas(16) char buffer[256 + 1];
    VestaScratch scratch;
    vesta_scratch_init_buffer(&scratch, buffer + 1, 256, 0); /* 15 bytes are lost at each end */
    for (int i = 0; i < 15; i++) {
        char *block = vesta_scratch_alloc(&scratch, 16);
        assert_true(block >= buffer + 1 && block + 16 <= buffer + 257);
        memset(block, 1, 16);
    }
    assert_null(vesta_scratch_alloc(&scratch, 1));
    assert_null(vesta_scratch_alloc_aligned(&scratch, 1, 64));
    assert_non_null(vesta_scratch_alloc(&scratch, 0));
    vesta_scratch_reset(&scratch);
    assert_non_null(vesta_scratch_alloc(&scratch, 240));
    assert_int_equal(host_blocks(), 0);
    vesta_scratch_destroy(&scratch);
    vesta_scratch_init_buffer(&scratch, buffer + 1, 3, 0);
    assert_null(vesta_scratch_alloc(&scratch, 1));
    vesta_scratch_destroy(&scratch);
}

static void a_buffer_comes_before_chunks(void **state) {
    (void)state;
    _Alignas(16) char buffer[256];
    VestaScratch scratch;
    vesta_scratch_init_buffer(&scratch, buffer, sizeof buffer, 4096);
    assert_ptr_equal(vesta_scratch_alloc(&scratch, 256), buffer);
    VestaScratchMark mark = vesta_scratch_mark(&scratch);
    assert_non_null(vesta_scratch_alloc(&scratch, 256));
    assert_int_equal(host_blocks(), 1);
    vesta_scratch_rewind(&scratch, mark);
    vesta_scratch_reset(&scratch);
    assert_ptr_equal(vesta_scratch_alloc(&scratch, 256), buffer);
    vesta_scratch_destroy(&scratch);
}

static void a_failed_request_changes_nothing(void **state) {
    (void)state;
    VestaScratch scratch;
    vesta_scratch_init(&scratch, 4096);
    fail_request(1);
    assert_null(vesta_scratch_alloc(&scratch, 100));
    char *first = vesta_scratch_alloc(&scratch, 100);
    assert_non_null(first);
    volatile size_t huge = SIZE_MAX;
    for (size_t less = 0; less < 64; less++) {
        assert_null(vesta_scratch_alloc(&scratch, huge - less));
        assert_null(vesta_scratch_alloc_aligned(&scratch, huge - less, 4096));
        assert_null(vesta_scratch_alloc_aligned(&scratch, PTRDIFF_MAX - less, 4096));
    }
    fail_request(1);
    assert_null(vesta_scratch_alloc(&scratch, 8192));
    assert_ptr_equal(vesta_scratch_alloc(&scratch, 16), first - 16);
    vesta_scratch_destroy(&scratch);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_apart),
        cmocka_unit_test(chunks_are_kept_over_a_reset),
        cmocka_unit_test(rewinding_gives_the_same_memory_again),
        cmocka_unit_test(a_large_request_gets_a_chunk_of_its_own_size),
        cmocka_unit_test(a_fixed_buffer_never_grows),
        cmocka_unit_test(a_buffer_comes_before_chunks),
        cmocka_unit_test(a_failed_request_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
