/* The page pool: what its interface promises, point by point. */
#define _DEFAULT_SOURCE /* mincore */
#include "unit.h"

#include <vesta/pool.h>

#include <string.h>
#include <sys/mman.h>

enum { MOST = 80000, PAGE = 16384 };

static void *blocks[MOST];

static VestaPool *make(VestaPoolConfig config) {
    VestaPool *pool = vesta_pool_create(&config);
    assert_non_null(pool);
    return pool;
}

static VestaPoolConfig alone(void) {
    VestaPoolConfig config = vesta_pool_defaults(0);
    config.control_pages = 0;
    return config;
}

static VestaPoolReport report_of(VestaPool *pool) {
    VestaPoolReport report;
    vesta_pool_report(pool, &report);
    return report;
}

/* Allocates until there is no room, from `count` on; returns the new count. */
static unsigned flood(VestaPool *pool, unsigned count, size_t size) {
    while ((blocks[count] = vesta_pool_alloc(pool, size)) != NULL)
        memset(blocks[count++], 1, size);
    return count;
}

static void free_all(VestaPool *pool, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(vesta_pool_free(pool, blocks[i]), VESTA_OK);
}

static void the_layout_is_what_the_budget_says(void **state) {
    (void)state;
    VestaPool *pool = make(vesta_pool_defaults(0));
    assert_int_equal(report_of(pool).pages, 511);    /* 512 less one of records */
    assert_int_equal(flood(pool, 0, 176), 501 * 93); /* less 3 of control and 7 of reserve */
    vesta_pool_destroy(pool);
    pool = make(alone());
    assert_int_equal(flood(pool, 0, 176), 504 * 93);
    vesta_pool_destroy(pool);
}

static void each_size_has_blocks_of_its_own(void **state) {
    (void)state;
    VestaPool *pool = make(alone());
    for (size_t size = 1; size <= VESTA_POOL_MAX_BLOCK; size++) {
        char *block = vesta_pool_alloc(pool, size);
        assert_int_equal(vesta_pool_size(pool, block), (size + 15) / 16 * 16);
        assert_int_equal((uintptr_t)block % 16, 0);
        memset(block, 1, size);
    }
    assert_null(vesta_pool_alloc(pool, VESTA_POOL_MAX_BLOCK + 1));
    assert_null(vesta_pool_alloc(pool, SIZE_MAX));
    assert_int_equal(vesta_pool_size(pool, vesta_pool_alloc(pool, 0)), 16);
    assert_int_equal(report_of(pool).used_pages, 68 + 4 /* 15 blocks of the largest four sizes fit a page */);
    vesta_pool_destroy(pool);
}

static void the_reserve_is_for_sizes_without_a_page(void **state) {
    (void)state;
    VestaPool *pool = make(alone());
    unsigned count = flood(pool, 0, 104);
    assert_int_equal(flood(pool, count, 964) - count, 16);
    vesta_pool_destroy(pool);
    VestaPoolConfig config = alone();
    config.reserve_pages = 0;
    pool = make(config);
    count = flood(pool, 0, 104);
    assert_int_equal(flood(pool, count, 964) - count, 0);
    vesta_pool_destroy(pool);
}

static void pages_go_where_they_are_needed(void **state) {
    (void)state;
    VestaPool *pool = make(alone());
    for (int round = 0; round < 3; round++) {
        unsigned count = flood(pool, 0, 104);
        assert_int_equal(count, 504 * 146);
        free_all(pool, count);
        count = flood(pool, 0, 964);
        assert_int_equal(count, 504 * 16); /* the empty page that the other size kept too */
        free_all(pool, count);
    }
    vesta_pool_destroy(pool);
}

static unsigned room_after_pinning(VestaPoolConfig config) {
    VestaPool *pool = make(config);
    unsigned count = 0;
    while ((blocks[count] = vesta_pool_alloc_hint(pool, 164, count % 20 == 0 ? VESTA_POOL_LONG : VESTA_POOL_SHORT)))
        count++;
    for (unsigned i = 0; i < count; i++)
        if (i % 20 != 0)
            assert_int_equal(vesta_pool_free(pool, blocks[i]), VESTA_OK);
    unsigned room = flood(pool, 0, 964);
    vesta_pool_destroy(pool);
    return room;
}

static void lifetime_hints_keep_pages_whole(void **state) {
    (void)state;
    VestaPoolConfig config = alone();
    assert_int_equal(room_after_pinning(config), 478 * 16);
    config.lifetimes = 0;
    assert_int_equal(room_after_pinning(config), 16);
}

static void control_has_pages_of_its_own(void **state) {
    (void)state;
    VestaPool *pool = make(vesta_pool_defaults(0));
    flood(pool, 0, 176);
    for (int i = 0; i < 3 * 93; i++)
        assert_non_null(vesta_pool_alloc_control(pool, 176));
    assert_null(vesta_pool_alloc_control(pool, 176));
    assert_null(vesta_pool_alloc(pool, 176));
    vesta_pool_destroy(pool);
    pool = make(alone());
    assert_null(vesta_pool_alloc_control(pool, 16));
    vesta_pool_destroy(pool);
}

static size_t resident(VestaPool *pool) {
    static unsigned char in_core[8 << 20 >> 12];
    size_t pages = 0;
    assert_int_equal(mincore((void *)(uintptr_t)report_of(pool).memory, 8 << 20, in_core), 0);
    for (size_t i = 0; i < sizeof in_core; i++)
        pages += in_core[i] & 1;
    return pages * 4096;
}

static void what_is_empty_goes_back_but_for_the_warm_pages(void **state) {
    (void)state;
    VestaPool *pool = make(vesta_pool_defaults(0));
    unsigned count = flood(pool, 0, 176);
    assert_true(resident(pool) > 501 * PAGE);
    free_all(pool, count);
    assert_true(resident(pool) <= 64 * PAGE); /* 63 warm, and the records */
    assert_int_equal(report_of(pool).purged, (501 - 63) * PAGE);
    assert_int_equal(flood(pool, 0, 176), count);
    vesta_pool_destroy(pool);
    VestaPoolConfig config = vesta_pool_defaults(0);
    config.warm_pages = VESTA_POOL_KEEP_ALL;
    pool = make(config);
    free_all(pool, flood(pool, 0, 176));
    assert_int_equal(report_of(pool).purged, 0);
    vesta_pool_destroy(pool);
}

static void a_purge_that_fails_does_no_harm(void **state) {
    (void)state;
    VestaPool *pool = make(vesta_pool_defaults(0));
    unsigned count = flood(pool, 0, 176);
    fail_request(1);
    free_all(pool, count);
    fail_request(0);
    assert_int_equal(report_of(pool).purged, (501 - 63 - 1) * PAGE);
    assert_int_equal(flood(pool, 0, 176), count);
    vesta_pool_destroy(pool);
}

static void the_fullest_page_is_used_first(void **state) {
    (void)state;
    VestaPoolConfig config = alone();
    config.fullest_first = 1;
    VestaPool *pool = make(config);
    /* Four full pages and a fifth; then room in the first four: 1, 2, 30 and 3 blocks. */
    for (unsigned i = 0; i < 4 * 93 + 1; i++)
        blocks[i] = vesta_pool_alloc(pool, 176);
    const unsigned room[] = {5, 2, 30, 3};
    for (unsigned page = 0; page < 4; page++)
        for (unsigned i = 0; i < room[page]; i++)
            vesta_pool_free(pool, blocks[page * 93 + i]);
    for (unsigned i = 0; i < 92; i++)
        vesta_pool_alloc(pool, 176);
    char *next = vesta_pool_alloc(pool, 176);
    assert_int_equal((next - (char *)report_of(pool).memory) / PAGE, 1);
    vesta_pool_destroy(pool);
}

static void a_double_free_is_caught(void **state) {
    (void)state;
    VestaPool *pool = make(alone());
    char *first = vesta_pool_alloc(pool, 100), *second = vesta_pool_alloc(pool, 100);
    assert_int_equal(vesta_pool_free(pool, first), VESTA_OK);
    assert_int_equal(vesta_pool_free(pool, first), VESTA_DOUBLE_FREE);
    assert_int_equal(vesta_pool_free(pool, second), VESTA_OK);
    assert_int_equal(vesta_pool_free(pool, first), VESTA_DOUBLE_FREE);
    assert_int_equal(vesta_pool_free(pool, second), VESTA_DOUBLE_FREE);
    assert_ptr_equal(vesta_pool_alloc(pool, 100), second);
    assert_int_equal(vesta_pool_free(pool, second), VESTA_OK); /* nothing was written to it */
    /* Of a page that was given back since. */
    unsigned count = flood(pool, 0, 176);
    free_all(pool, count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(vesta_pool_free(pool, blocks[i]), VESTA_DOUBLE_FREE);
    vesta_pool_destroy(pool);
}

static void addresses_that_are_no_blocks_are_refused(void **state) {
    (void)state;
    VestaPool *pool = make(vesta_pool_defaults(0));
    char *block = vesta_pool_alloc(pool, 100), *memory = (char *)(uintptr_t)report_of(pool).memory;
    assert_int_equal(vesta_pool_free(pool, NULL), VESTA_OK);
    assert_int_equal(vesta_pool_free(pool, &pool), VESTA_FOREIGN);
    assert_int_equal(vesta_pool_free(pool, block + 1), VESTA_FOREIGN);
    assert_int_equal(vesta_pool_free(pool, block + 16), VESTA_FOREIGN);
    assert_int_equal(vesta_pool_free(pool, memory + 100 * PAGE), VESTA_FOREIGN); /* a page that serves nobody */
    assert_int_equal(vesta_pool_free(pool, memory - 16), VESTA_FOREIGN);
    assert_int_equal(vesta_pool_free(pool, memory + 511 * PAGE), VESTA_FOREIGN);
    assert_int_equal(vesta_pool_free(pool, block), VESTA_OK);
    vesta_pool_destroy(pool);
}

static void remember(void *context, void *block) {
    *(void **)context = block;
}

static void a_write_to_a_free_block_is_caught(void **state) {
    (void)state;
    for (unsigned byte = 0; byte < 16; byte++) {
        void *overwritten = NULL;
        VestaPoolConfig config = alone();
        config.on_overwritten = remember;
        config.context = &overwritten;
        VestaPool *pool = make(config);
        for (int i = 0; i < 5; i++)
            blocks[i] = vesta_pool_alloc(pool, 100);
        for (int i = 0; i < 4; i++)
            vesta_pool_free(pool, blocks[i]);
        ((char *)blocks[2])[byte] ^= 1;
        assert_ptr_equal(vesta_pool_alloc(pool, 100), blocks[3]);
        char *fresh = vesta_pool_alloc(pool, 100);
        assert_ptr_equal(overwritten, blocks[2]);
        assert_int_equal(report_of(pool).overwritten, 1);
        for (int i = 0; i < 5; i++)
            assert_ptr_not_equal(fresh, blocks[i]);
        /* The page is whole again when it is empty. */
        vesta_pool_free(pool, blocks[3]);
        vesta_pool_free(pool, blocks[4]);
        vesta_pool_free(pool, fresh);
        assert_int_equal(flood(pool, 0, 112), 504 * 146 - 3);
        free_all(pool, 504 * 146 - 3);
        assert_int_equal(flood(pool, 0, 164), 504 * 93);
        vesta_pool_destroy(pool);
    }
}

static void bad_arguments_are_refused(void **state) {
    (void)state;
    VestaPoolConfig config = vesta_pool_defaults(3 * PAGE);
    assert_null(vesta_pool_create(&config)); /* three pages of control, none left */
    config = vesta_pool_defaults(100);
    assert_null(vesta_pool_create(&config));
    config = vesta_pool_defaults(SIZE_MAX / 2);
    assert_null(vesta_pool_create(&config));
    for (unsigned number = 1; number <= 2; number++) {
        config = vesta_pool_defaults(0);
        fail_request(number);
        assert_null(vesta_pool_create(&config));
        fail_request(0);
    }
    vesta_pool_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_layout_is_what_the_budget_says),
        cmocka_unit_test(each_size_has_blocks_of_its_own),
        cmocka_unit_test(the_reserve_is_for_sizes_without_a_page),
        cmocka_unit_test(pages_go_where_they_are_needed),
        cmocka_unit_test(lifetime_hints_keep_pages_whole),
        cmocka_unit_test(control_has_pages_of_its_own),
        cmocka_unit_test(what_is_empty_goes_back_but_for_the_warm_pages),
        cmocka_unit_test(a_purge_that_fails_does_no_harm),
        cmocka_unit_test(the_fullest_page_is_used_first),
        cmocka_unit_test(a_double_free_is_caught),
        cmocka_unit_test(addresses_that_are_no_blocks_are_refused),
        cmocka_unit_test(a_write_to_a_free_block_is_caught),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
