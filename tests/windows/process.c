/* What the heap takes from the process block and the thread block, and how a process ends. */
#include "../heap/support.h"

#include <stdio.h>

#include <windows.h>

#include "alloc/heap/options.h"
#include "alloc/heap/thread.h"
#include "alloc/os/os.h"

ISOLATED(the_environment_is_that_of_the_process) {
    put_in_environment("VESTA_TEST_NAME=a=b c");
    SetEnvironmentVariableW(L"VESTA_TEST_WIDE", L"\u00FC\u4E2D");
    assert_string_equal(vesta_os_environment("VESTA_TEST_NAME"), "a=b c");
    assert_string_equal(vesta_os_environment("vesta_Test_name"), "a=b c");
    assert_string_equal(vesta_os_environment("VESTA_TEST_WIDE"), "\xC3\xBC\xE4\xB8\xAD");
    assert_null(vesta_os_environment("VESTA_TEST_NAM"));
    assert_null(vesta_os_environment("VESTA_TEST_NAMES"));
    assert_null(vesta_os_environment(""));
    for (int i = 0; i < 10000; i++) { /* more than there is room for */
        const char *value = vesta_os_environment("VESTA_TEST_WIDE");
        assert_true(value == NULL || strcmp(value, "\xC3\xBC\xE4\xB8\xAD") == 0);
    }
}

static void the_process_is_known(void **state) {
    (void)state;
    assert_int_equal(vesta_os_process_id(), GetCurrentProcessId());
    assert_string_equal(vesta_os_program_name(), "windows_process.exe");
    assert_int_equal(vesta_os_page_size(), 4096);
    assert_int_not_equal(vesta_os_random(), 0);
    assert_int_equal(vesta_os_random(), vesta_os_random());
}

/* ---- Options and errors ---- */

ISOLATED(options_are_read) {
    put_in_environment("VESTA_HOST_ALLOC_LIMIT=64M");
    put_in_environment("VESTA_HOST_ALLOC_DECAY_MS=7");
    assert_non_null(vesta_host_alloc(MIB));
    assert_null(vesta_host_alloc(100 * MIB));
    assert_int_equal(vesta_options.decay, 7);
}

static void free_twice(void) {
    void *block = vesta_host_alloc(MIB);
    vesta_host_free(block);
    vesta_host_free(block);
}

static void report_free_twice(void) {
    put_in_environment("VESTA_HOST_ALLOC_ON_ERROR=report");
    free_twice();
}

static void free_nothing_of_ours(void) {
    vesta_host_free((void *)(uintptr_t)0x123456780);
}

/* Beyond the records that are committed, where a region of full size would have one. */
static void free_far_behind(void) {
    char *block = vesta_host_alloc(1);
    vesta_host_free(block + 100 * GIB);
}

static void an_error_is_said_in_one_line_and_ends_the_process(void **state) {
    (void)state;
    const int fail_fast = (int)0xC0000602; /* STATUS_FAIL_FAST_EXCEPTION */
    Outcome outcome = outcome_of(free_twice);
    assert_int_equal(outcome.status, fail_fast);
    assert_non_null(strstr(outcome.text, "vesta_alloc: free of a block that is not in use: 0x"));
    outcome = outcome_of(report_free_twice);
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.text, "vesta_alloc: free of a block that is not in use: 0x"));
    outcome = outcome_of(free_nothing_of_ours);
    assert_int_equal(outcome.status, fail_fast);
    assert_string_equal(outcome.text, "vesta_alloc: free of a block that was never allocated here: 0x123456780\n");
    outcome = outcome_of(free_far_behind);
    assert_int_equal(outcome.status, fail_fast);
    assert_non_null(strstr(outcome.text, "vesta_alloc: free of a block that was never allocated here: 0x"));
}

ISOLATED(the_last_error_is_kept) {
    void *blocks[200];
    SetLastError(4711);
    for (unsigned i = 0; i < LENGTH(blocks); i++)
        blocks[i] = vesta_host_alloc((size_t)1 << i % 27);
    for (unsigned i = 0; i < LENGTH(blocks); i++)
        vesta_host_free(blocks[i]);
    vesta_host_trim(0);
    assert_int_equal(GetLastError(), 4711);
}

/* ---- Statistics ---- */

static void allocate_counted(void) {
    put_in_environment("VESTA_HOST_ALLOC_STATS=1");
    for (int i = 0; i < 4321; i++)
        vesta_host_free(vesta_host_alloc(100));
}

static void statistics_are_printed_at_exit(void **state) {
    (void)state;
    Outcome outcome = outcome_of(allocate_counted);
    assert_int_equal(outcome.status, 0);
    assert_non_null(strstr(outcome.text, "vesta_alloc: windows_process.exe, process "));
    const char *allocations = strstr(outcome.text, "allocations");
    assert_non_null(allocations);
    unsigned long count = 0;
    assert_int_equal(sscanf(allocations, "allocations %lu", &count), 1);
    assert_int_equal(count, 4321);
}

/* ---- Threads ---- */

static void use(unsigned index) {
    void *blocks[100];
    for (unsigned i = 0; i < LENGTH(blocks); i++)
        blocks[i] = vesta_host_alloc(100 * index + i);
    for (unsigned i = 0; i < LENGTH(blocks); i++)
        vesta_host_free(blocks[i]);
}

/* The heap's slots do not lie in the thread block then: every call is a slow one, and all the same. */
ISOLATED(the_slots_of_the_thread_block_are_used_up) {
    while (TlsAlloc() < 100) {
    }
    run_threads(4, use);
    use(5);
    assert_ptr_equal(vesta_heap_fast, &vesta_no_heap);
    assert_non_null(vesta_heap_own);
    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    assert_true(stats.thread_heaps <= 5);
}

ISOLATED(a_thread_has_its_heap_in_the_thread_block) {
    assert_ptr_equal(vesta_heap_fast, &vesta_no_heap);
    assert_null(vesta_heap_own);
    vesta_host_free(vesta_host_alloc(1));
    assert_non_null(vesta_heap_own);
    assert_ptr_equal(vesta_heap_fast, vesta_heap_own);
}

static void WINAPI use_in_fiber(void *thread_fiber) {
    use(1);
    SwitchToFiber(thread_fiber);
}

static void work_in_fibers(unsigned index) {
    void *self = ConvertThreadToFiber(NULL);
    for (unsigned i = 0; i < 10; i++) {
        void *fiber = CreateFiber(0, use_in_fiber, self);
        SwitchToFiber(fiber);
        DeleteFiber(fiber);
        use(index);
    }
}

ISOLATED(a_thread_s_first_block_may_be_a_fiber_s) {
    run_threads(4, work_in_fibers);
    run_threads(4, use);
    VestaHostStats stats;
    vesta_host_trim(0);
    vesta_host_alloc_stats(&stats);
    assert_int_equal(stats.slabs, 0);
}

TESTS(cmocka_unit_test(the_environment_is_that_of_the_process), cmocka_unit_test(the_process_is_known),
      cmocka_unit_test(options_are_read), cmocka_unit_test(an_error_is_said_in_one_line_and_ends_the_process),
      cmocka_unit_test(the_last_error_is_kept), cmocka_unit_test(statistics_are_printed_at_exit),
      cmocka_unit_test(the_slots_of_the_thread_block_are_used_up),
      cmocka_unit_test(a_thread_has_its_heap_in_the_thread_block),
      cmocka_unit_test(a_thread_s_first_block_may_be_a_fiber_s))
