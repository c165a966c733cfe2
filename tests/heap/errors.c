/* What a caller must not do: one line on standard error, then abort; or the line alone. */
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#include "inside.h"

static const char free_not_in_use[] = "free of a block that is not in use";
static const char realloc_not_in_use[] = "realloc of a block that is not in use";
static const char size_not_in_use[] = "size of a block that is not in use";
static const char free_foreign[] = "free of a block that was never allocated here";
static const char use_foreign[] = "use of a block that was never allocated here";

/* The bad call comes last in each body; the address goes where the parent can read it. */
static void **bad_address;

static void *bad(const void *address) {
    *bad_address = (void *)(uintptr_t)address;
    return *bad_address;
}

static void expect_line(const Outcome *outcome, const char *what) {
    char line[256];
    snprintf(line, sizeof line, "vesta_alloc: %s: 0x%lx\n", what, (unsigned long)*bad_address);
    assert_string_equal(outcome->text, line);
}

static void expect_abort(void (*body)(void), const char *what) {
    Outcome outcome = outcome_of(body);
    expect_line(&outcome, what);
    assert_int_equal(outcome.signal, SIGABRT);
}

/* ---- Freed twice ---- */

static size_t current_size;

static void free_large_twice(void) {
    void *block = vesta_host_alloc(current_size);
    vesta_host_free(block);
    vesta_host_free(bad(block));
}

static void a_large_block_is_freed_twice(void **state) {
    (void)state;
    const size_t sizes[] = {16385, 100000, MIB, 5 * MIB, 64 * MIB};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        current_size = sizes[i];
        expect_abort(free_large_twice, free_not_in_use);
    }
}

/* A block whose slab was released. */
static void *block_of_released_slab(void) {
    void *blocks[17];
    for (int i = 0; i < 17; i++)
        blocks[i] = vesta_host_alloc(1024); /* 16 fill a slab */
    for (int i = 0; i < 16; i++)
        vesta_host_free(blocks[i]);
    assert_ptr_not_equal(slab_of(blocks[16]), vesta_page_of(blocks[5]));
    return bad(blocks[5]);
}

static void free_block_of_released_slab(void) {
    vesta_host_free(block_of_released_slab());
}

static void realloc_block_of_released_slab(void) {
    vesta_host_realloc(block_of_released_slab(), 10);
}

static void ask_size_of_block_of_released_slab(void) {
    vesta_host_usable_size(block_of_released_slab());
}

static void a_block_of_a_released_slab_is_used(void **state) {
    (void)state;
    expect_abort(free_block_of_released_slab, free_not_in_use);
    expect_abort(realloc_block_of_released_slab, realloc_not_in_use);
    expect_abort(ask_size_of_block_of_released_slab, size_not_in_use);
}

static void realloc_freed_large(void) {
    void *block = vesta_host_alloc(MIB);
    vesta_host_free(block);
    vesta_host_realloc(bad(block), 2 * MIB);
}

static void ask_size_of_freed_large(void) {
    void *block = vesta_host_alloc(MIB);
    vesta_host_free(block);
    vesta_host_usable_size(bad(block));
}

static void free_where_moved_from(void) {
    void *block = vesta_host_alloc(2 * MIB);
    vesta_host_alloc(2 * MIB);
    assert_ptr_not_equal(vesta_host_realloc(block, 16 * MIB), block);
    vesta_host_free(bad(block));
}

static void a_large_block_is_used_after_it_was_freed(void **state) {
    (void)state;
    expect_abort(realloc_freed_large, realloc_not_in_use);
    expect_abort(ask_size_of_freed_large, size_not_in_use);
    expect_abort(free_where_moved_from, free_not_in_use);
}

/* ---- Inside a block ---- */

static size_t current_offset;

static void free_inside_large(void) {
    vesta_host_free(bad((char *)vesta_host_alloc(MIB) + current_offset));
}

static void realloc_inside_large(void) {
    vesta_host_realloc(bad((char *)vesta_host_alloc(MIB) + current_offset), 1);
}

static void ask_size_inside_large(void) {
    vesta_host_usable_size(bad((char *)vesta_host_alloc(MIB) + current_offset));
}

static void a_pointer_goes_into_a_large_block(void **state) {
    (void)state;
    const size_t offsets[] = {1, 16, 4096, 16384, 500000, MIB - 16};
    for (size_t i = 0; i < LENGTH(offsets); i++) {
        current_offset = offsets[i];
        expect_abort(free_inside_large, free_not_in_use);
        expect_abort(realloc_inside_large, realloc_not_in_use);
        expect_abort(ask_size_inside_large, size_not_in_use);
    }
}

static void free_behind_large(void) {
    char *block = vesta_host_alloc(3 * MIB);
    vesta_host_free(bad(block + vesta_host_usable_size(block)));
}

static void a_pointer_goes_behind_everything(void **state) {
    (void)state;
    expect_abort(free_behind_large, free_not_in_use);
}

static char *small;

static void free_misaligned(unsigned index) {
    (void)index;
    vesta_host_free(bad(small + 8));
}

static void free_misaligned_elsewhere(void) {
    small = vesta_host_alloc(100);
    run_thread(free_misaligned);
}

static void realloc_misaligned(void) {
    vesta_host_realloc(bad((char *)vesta_host_alloc(100) + 4), 1000);
}

static void ask_size_misaligned(void) {
    vesta_host_usable_size(bad((char *)vesta_host_alloc(100) + 1));
}

static void a_pointer_into_a_slab_is_misaligned(void **state) {
    (void)state;
    expect_abort(free_misaligned_elsewhere, free_not_in_use);
    expect_abort(realloc_misaligned, realloc_not_in_use);
    expect_abort(ask_size_misaligned, size_not_in_use);
}

/* ---- Not ours ---- */

static const void *foreign;

static void free_foreign_block(void) {
    vesta_host_free(bad(foreign));
}

static void free_foreign_block_later(void) {
    vesta_host_alloc(1);
    vesta_host_free(bad(foreign));
}

static void free_foreign_sized(void) {
    vesta_host_free_sized(bad(foreign), 10);
}

static void free_foreign_aligned(void) {
    vesta_host_free_aligned(bad(foreign));
}

static void realloc_foreign_block(void) {
    vesta_host_realloc(bad(foreign), 1);
}

static void ask_size_of_foreign_block(void) {
    vesta_host_usable_size(bad(foreign));
}

static void a_foreign_pointer_is_used(void **state) {
    (void)state;
    static int variable;
    int local;
    void *unmapped = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(unmapped, 4096);
    void *block = malloc(10);
    const void *addresses[] = {
        &variable,
        &local,
        block,
        unmapped,
        (void *)1,
        (void *)16,
        (void *)4096,
        (void *)((uintptr_t)1 << 47),
        (void *)((uintptr_t)1 << 63),
        (void *)((uintptr_t)1 << 63 | 4096),
        (void *)UINTPTR_MAX,
        (void *)(UINTPTR_MAX - 15),
    };
    for (size_t i = 0; i < LENGTH(addresses); i++) {
        foreign = addresses[i];
        expect_abort(free_foreign_block, free_foreign);
        expect_abort(free_foreign_block_later, free_foreign);
        expect_abort(free_foreign_sized, free_foreign);
        expect_abort(free_foreign_aligned, free_foreign);
        expect_abort(realloc_foreign_block, use_foreign);
        expect_abort(ask_size_of_foreign_block, use_foreign);
    }
    free(block);
}

/* In a region, but no block: the records, a heap, what was never handed out. */
static uintptr_t region_start(void) {
    return (uintptr_t)vesta_host_alloc(1) & ~(VESTA_REGION_ALIGNMENT - 1);
}

static void free_record(void) {
    vesta_host_free(bad((void *)region_start()));
}

static void free_what_was_never_handed_out(void) {
    uintptr_t region = region_start();
    vesta_host_free(bad((void *)(region + host_stats().reserved_bytes / 2)));
}

static void free_the_heap_itself(void) {
    void *block = vesta_host_alloc(1);
    vesta_host_free(bad(heap_of(block)));
}

static void a_pointer_goes_to_what_is_no_block(void **state) {
    (void)state;
    expect_abort(free_the_heap_itself, free_not_in_use);
    expect_abort(free_what_was_never_handed_out, free_not_in_use);
    /* Which of the two is said of a record depends on whether the region is of full size. */
    Outcome outcome = outcome_of(free_record);
    assert_int_equal(outcome.signal, SIGABRT);
    assert_non_null(strstr(outcome.text, "vesta_alloc: free of a block that "));
}

/* ---- Carrying on ---- */

static void carry_on(void) {
    put_in_environment("VESTA_HOST_ALLOC_ON_ERROR=report");
    void *large = vesta_host_alloc(MIB);
    fill_pattern(large, MIB, 1);
    void *freed = vesta_host_alloc(2 * MIB);
    vesta_host_free(freed);
    errno = 0;
    vesta_host_free(bad(freed));
    vesta_host_free((char *)large + 16);
    vesta_host_free(&large);
    assert_int_equal(errno, 0);
    assert_null(vesta_host_realloc(&large, 10));
    assert_int_equal(errno, EINVAL);
    assert_null(vesta_host_realloc((char *)large + 4096, 10));
    assert_int_equal(vesta_host_usable_size(&large), 0);
    assert_int_equal(vesta_host_usable_size(freed), 0);
    /* All is as it was. */
    assert_true(has_pattern(large, MIB, 1));
    vesta_host_free(large);
    for (int i = 0; i < 1000; i++)
        vesta_host_free(vesta_host_alloc((size_t)i * 100));
    exit(42);
}

static void with_report_it_carries_on(void **state) {
    (void)state;
    Outcome outcome = outcome_of(carry_on);
    assert_int_equal(outcome.signal, 0);
    assert_int_equal(outcome.status, 42);
    unsigned lines = 0;
    for (const char *line = outcome.text; (line = strchr(line, '\n')) != NULL; line++)
        lines++;
    assert_int_equal(lines, 7);
    char first[256];
    snprintf(first, sizeof first, "vesta_alloc: %s: 0x%lx\n", free_not_in_use, (unsigned long)*bad_address);
    assert_memory_equal(outcome.text, first, strlen(first));
}

/* ---- What is no error ---- */

ISOLATED(null_is_ignored) {
    vesta_host_free(NULL);
    vesta_host_free_sized(NULL, 10);
    vesta_host_free_aligned(NULL);
    assert_int_equal(vesta_host_usable_size(NULL), 0);
    vesta_host_free(vesta_host_alloc(1));
    vesta_host_free(NULL);
}

ISOLATED(errno_is_left_alone_by_frees_and_set_by_failures) {
    const size_t sizes[] = {1, 5000, 100000, 64 * MIB};
    for (size_t i = 0; i < LENGTH(sizes); i++) {
        void *block = vesta_host_alloc(sizes[i]);
        memset(block, 1, sizes[i]);
        errno = 77;
        vesta_host_free(block);
        assert_int_equal(errno, 77);
    }
    errno = 0;
    assert_null(vesta_host_alloc(SIZE_MAX));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(vesta_host_calloc(SIZE_MAX, 2));
    assert_int_equal(errno, ENOMEM);
    errno = 0;
    assert_null(vesta_host_alloc_aligned(1, 3));
    assert_int_equal(errno, EINVAL);
    errno = 0;
    assert_null(vesta_host_realloc(vesta_host_alloc(1), PTRDIFF_MAX));
    assert_int_equal(errno, ENOMEM);
}

ISOLATED(a_wrong_size_does_no_harm) {
    const size_t sizes[] = {1, 100, 5000, 20000, MIB};
    for (size_t i = 0; i < LENGTH(sizes); i++)
        for (size_t j = 0; j < LENGTH(sizes); j++) {
            vesta_host_free_sized(vesta_host_alloc(sizes[i]), sizes[j]);
            vesta_host_free_sized(vesta_host_alloc(sizes[i]), 0);
        }
    vesta_host_trim(0);
    assert_int_equal(host_stats().slabs, 0);
}

ISOLATED(owns_what_it_gave_and_nothing_else) {
    int local;
    assert_false(vesta_host_owns(NULL));
    void *block = vesta_host_alloc(10), *large = vesta_host_alloc(MIB), *other = malloc(10);
    assert_true(vesta_host_owns(block));
    assert_true(vesta_host_owns((char *)block + 9));
    assert_true(vesta_host_owns(large));
    assert_true(vesta_host_owns((char *)large + MIB - 1));
    assert_false(vesta_host_owns(other));
    assert_false(vesta_host_owns(&local));
    assert_false(vesta_host_owns(NULL));
    assert_false(vesta_host_owns((void *)UINTPTR_MAX));
    assert_int_equal(vesta_host_alloc_active(), 0);
    free(other);
}

static int share_address(void **state) {
    (void)state;
    bad_address = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return bad_address == MAP_FAILED;
}

int main(int count, char **arguments, char **environment) {
    (void)count;
    (void)arguments;
    environment_block = environment;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_block_is_freed_twice),
        cmocka_unit_test(a_block_of_a_released_slab_is_used),
        cmocka_unit_test(a_large_block_is_used_after_it_was_freed),
        cmocka_unit_test(a_pointer_goes_into_a_large_block),
        cmocka_unit_test(a_pointer_goes_behind_everything),
        cmocka_unit_test(a_pointer_into_a_slab_is_misaligned),
        cmocka_unit_test(a_foreign_pointer_is_used),
        cmocka_unit_test(a_pointer_goes_to_what_is_no_block),
        cmocka_unit_test(with_report_it_carries_on),
        cmocka_unit_test(null_is_ignored),
        cmocka_unit_test(errno_is_left_alone_by_frees_and_set_by_failures),
        cmocka_unit_test(a_wrong_size_does_no_harm),
        cmocka_unit_test(owns_what_it_gave_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, share_address, NULL);
}
