/* Pointers that are no blocks: a defined answer, in one line, from every way in. */
#define _GNU_SOURCE
#include "door.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define NOT_IN_USE "free of a block that is not in use"
#define NO_ALLOCATORS "free of a pointer that no allocator gave out"
#define NEVER_HERE "free of a block that was never allocated here"

static void act_free(void *block) {
    free(block);
}

static void act_host_free(void *block) {
    door_host_free(block);
}

static void act_realloc(void *block) {
    block = realloc(block, 123);
    _exit(block == NULL);
}

static void act_host_realloc(void *block) {
    block = door_host_realloc(block, 123);
    _exit(block == NULL);
}

static void act_usable_size(void *block) {
    _exit(malloc_usable_size(block) == 1);
}

static void act_host_usable_size(void *block) {
    _exit(door_host_usable_size(block) == 1);
}

static void *unmapped_page(void) {
    char *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(page != MAP_FAILED);
    munmap(page, 4096);
    return page + 64;
}

static void addresses_of_nobody(void **state) {
    (void)state;
    free(malloc(1)); /* the heap is in use */
    void *const addresses[] = {
        (void *)0xBADBEEF,       (void *)0xBADBEE0,          (void *)16,     (void *)-16, (void *)-4096,
        (void *)0x7fffffffffff0, (void *)0x8000000000000000, unmapped_page()};
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        door_assert_error(act_free, addresses[i], NO_ALLOCATORS);
        door_assert_error(act_realloc, addresses[i], "realloc of a pointer that no allocator gave out");
        door_assert_error(act_usable_size, addresses[i], "malloc_usable_size of a pointer that no allocator gave out");
        door_assert_error(act_host_free, addresses[i], NEVER_HERE);
        door_assert_error(act_host_realloc, addresses[i], "use of a block that was never allocated here");
        door_assert_error(act_host_usable_size, addresses[i], "use of a block that was never allocated here");
    }
}

/* Memory of the program that no allocator gave out may look like anything to the C library; it must not look like ours.
 */
static void memory_of_somebody_else(void **state) {
    (void)state;
    _Alignas(16) char on_stack[64] = {0};
    _Alignas(16) static char in_data[64];
    void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *const addresses[] = {on_stack + 16, in_data + 16, (char *)mapped + 64};
    for (size_t i = 0; i < 3; i++) {
        DoorChild child = door_run_child(act_free, addresses[i]);
        assert_int_equal(child.signal, SIGABRT);
        assert_int_not_equal(child.error[0], '\0');
        door_assert_error(act_free, (char *)addresses[i] + 1, NO_ALLOCATORS);
        door_assert_error(act_host_free, addresses[i], NEVER_HERE);
    }
    munmap(mapped, 4096);
}

static void inside_a_large_block(void **state) {
    (void)state;
    const size_t sizes[] = {100000, 1 << 20, 64 << 20};
    for (size_t i = 0; i < 3; i++) {
        char *block = malloc(sizes[i]);
        const size_t offsets[] = {1, 8, 16, 4096, 16384, sizes[i] - 16};
        for (size_t j = 0; j < sizeof offsets / sizeof *offsets; j++) {
            door_assert_error(act_free, block + offsets[j], NOT_IN_USE);
            door_assert_error(act_host_free, block + offsets[j], NOT_IN_USE);
            door_assert_error(act_realloc, block + offsets[j], "realloc of a block that is not in use");
            door_assert_error(act_usable_size, block + offsets[j], "size of a block that is not in use");
        }
        free(block);
    }
}

static void large_block_twice(void **state) {
    (void)state;
    const size_t sizes[] = {40000, 300000, 1 << 20, 64 << 20};
    for (size_t i = 0; i < 4; i++) {
        void *block = malloc(sizes[i]);
        free(block);
        door_assert_error(act_free, block, NOT_IN_USE);
        door_assert_error(act_host_free, block, NOT_IN_USE);
        door_assert_error(act_realloc, block, "realloc of a block that is not in use");
        door_assert_error(act_usable_size, block, "size of a block that is not in use");
    }
}

/* Free address space of the heap, and its records. */
static void parts_of_the_heap(void **state) {
    (void)state;
    char *block = malloc(100);
    char *region = (char *)((uintptr_t)block & ~(((uintptr_t)1 << 40) - 1));
    door_assert_error(act_free, region, NOT_IN_USE);
    door_assert_error(act_free, region + 4096, NOT_IN_USE);
    char *far = region + ((size_t)1 << 39);
    if (door_owns(far))
        door_assert_error(act_free, far, NOT_IN_USE);
    free(block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_nobody),  cmocka_unit_test(memory_of_somebody_else),
        cmocka_unit_test(inside_a_large_block), cmocka_unit_test(large_block_twice),
        cmocka_unit_test(parts_of_the_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
