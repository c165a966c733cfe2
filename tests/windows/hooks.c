/* Whose memory the C runtime gives out: this heap's with the hooks (HOOKED 1), its own without. */
#include "../heap/support.h"

#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <wchar.h>

#include <windows.h>

__declspec(dllimport) void *other_malloc(size_t size);
__declspec(dllimport) void other_free(void *block);
__declspec(dllimport) char *other_strdup(const char *string);
__declspec(dllimport) void *other_early_block(void);
__declspec(dllimport) void other_take_notes(char *place);

#define EXPECT_OURS(block) assert_int_equal(vesta_host_owns(block), HOOKED)

/* What MinGW's import library lacks in part. */
typedef struct Runtime {
    void *(*calloc)(size_t, size_t);
    void (*free)(void *);
    char *(*strdup)(const char *);
    void *(*recalloc)(void *, size_t, size_t);
    void *(*aligned_malloc)(size_t, size_t);
    void *(*aligned_realloc)(void *, size_t, size_t);
    void *(*aligned_recalloc)(void *, size_t, size_t, size_t);
    void *(*aligned_offset_malloc)(size_t, size_t, size_t);
    void *(*aligned_offset_realloc)(void *, size_t, size_t, size_t);
    void *(*aligned_offset_recalloc)(void *, size_t, size_t, size_t, size_t);
    size_t (*aligned_msize)(void *, size_t, size_t);
    void (*aligned_free)(void *);
} Runtime;

/* msvcrt.dll is there from the start; ucrtbase.dll is loaded here. What a runtime lacks is NULL. */
static Runtime runtime_of(const char *name) {
    static const char *const names[] = {"calloc",
                                        "free",
                                        "_strdup",
                                        "_recalloc",
                                        "_aligned_malloc",
                                        "_aligned_realloc",
                                        "_aligned_recalloc",
                                        "_aligned_offset_malloc",
                                        "_aligned_offset_realloc",
                                        "_aligned_offset_recalloc",
                                        "_aligned_msize",
                                        "_aligned_free"};
    union {
        Runtime runtime;
        FARPROC functions[LENGTH(names)];
    } all;
    HMODULE module = LoadLibraryA(name);
    assert_non_null(module);
    for (size_t i = 0; i < LENGTH(names); i++) {
        all.functions[i] = GetProcAddress(module, names[i]);
    }
    return all.runtime;
}

static void malloc_and_its_family(void **state) {
    (void)state;
    assert_int_equal(vesta_host_alloc_active(), HOOKED);
    char *block = malloc(100);
    EXPECT_OURS(block);
    fill_pattern(block, 100, 1);
    block = realloc(block, 100000);
    EXPECT_OURS(block);
    assert_true(has_pattern(block, 100, 1));
    assert_true(_msize(block) >= 100000);
    assert_ptr_equal(_expand(block, 50000), block);
    assert_null(_expand(block, 100 * MIB));
    assert_null(realloc(block, 0));
    int *numbers = calloc(1000, sizeof *numbers);
    EXPECT_OURS(numbers);
    assert_true(is_zero(numbers, 1000 * sizeof *numbers));
    free(numbers);
    free(NULL);
    assert_null(calloc(SIZE_MAX / 2, 3));
    errno = 0;
    assert_null(malloc(SIZE_MAX / 2));
    assert_int_equal(errno, ENOMEM);
}

static void recalloc_adds_zeros(void **state) {
    Runtime r = runtime_of(*state);
    if (r.recalloc == NULL)
        return;
    for (size_t size = 1; size < 100000; size += size / 3 + 1) {
        char *block = r.calloc(1, size);
        memset(block, 1, size);
        block = r.recalloc(block, 3, size);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(block[i], 1);
        assert_true(is_zero(block + size, 2 * size));
        memset(block, 1, 3 * size);
        block = r.recalloc(block, 2, size);
        block = r.recalloc(block, 3, size);
        assert_true(is_zero(block + 2 * size, size));
        EXPECT_OURS(block);
        r.free(block);
    }
    assert_null(r.recalloc(NULL, SIZE_MAX / 2, 3));
}

static void what_the_runtime_allocates_inside_itself(void **state) {
    (void)state;
    char *copy = _strdup("text");
    EXPECT_OURS(copy);
    assert_string_equal(copy, "text");
    free(copy);
    copy = strdup("another");
    EXPECT_OURS(copy);
    free(copy);
    wchar_t *wide = _wcsdup(L"wide");
    EXPECT_OURS(wide);
    free(wide);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(fputs("text", file) >= 0);
    EXPECT_OURS(file->_base);
    fclose(file);
}

static void another_dll_allocates_from_the_same(void **state) {
    (void)state;
    char *block = other_malloc(100);
    EXPECT_OURS(block);
    free(block);
    other_free(malloc(100));
    block = other_strdup("text");
    EXPECT_OURS(block);
    free(block);
}

/* The DLL allocated it before the first instruction of this program. */
static void a_block_from_before_goes_back_to_the_runtime(void **state) {
    (void)state;
    char *block = other_early_block();
    assert_int_equal(vesta_host_owns(block), 0);
    assert_int_equal(_msize(block), 77);
    block = realloc(block, 5000);
    assert_int_equal(block[0], 'e');
    assert_int_equal(block[76], 'e');
    assert_int_equal(vesta_host_owns(block), 0);
    free(block);
}

static void expect_aligned(void *block, size_t alignment, size_t offset) {
    assert_non_null(block);
    EXPECT_OURS(block);
    assert_int_equal(((uintptr_t)block + offset) % alignment, 0);
}

static void the_aligned_family(void **state) {
    Runtime r = runtime_of(*state);
    for (size_t alignment = 1; alignment <= 65536; alignment *= 2) {
        for (size_t size = 1; size < 100000; size = size * 7 + 3) {
            char *block = r.aligned_malloc(size, alignment);
            expect_aligned(block, alignment, 0);
            assert_true(r.aligned_msize == NULL || r.aligned_msize(block, alignment, 0) >= size);
            fill_pattern(block, size, size);
            block = r.aligned_realloc(block, 3 * size, alignment);
            expect_aligned(block, alignment, 0);
            assert_true(has_pattern(block, size, size));
            r.aligned_free(block);
        }
    }
    r.aligned_free(NULL);
    for (int i = 0; i < 100; i++) {
        size_t alignment = (size_t)32 << i % 5, offset = (size_t)i, size = 200 + (size_t)i * 90;
        char *block = r.aligned_offset_malloc(size, alignment, offset);
        expect_aligned(block, alignment, offset);
        assert_true(r.aligned_msize == NULL || r.aligned_msize(block, alignment, offset) >= size);
        fill_pattern(block, size, size);
        block = r.aligned_offset_realloc(block, 2 * size, alignment, offset);
        expect_aligned(block, alignment, offset);
        assert_true(has_pattern(block, size, size));
        r.aligned_free(block);
    }
}

/* Wine's own are not written yet: there is nothing to run without the hooks. */
static void the_aligned_family_adds_zeros(void **state) {
    Runtime r = runtime_of(*state);
    if (!HOOKED || r.aligned_recalloc == NULL)
        return;
    for (size_t size = 1; size < 100000; size = size * 7 + 3) {
        size_t alignment = 4096, offset = size / 3;
        char *block = r.aligned_recalloc(NULL, size, 2, alignment);
        expect_aligned(block, alignment, 0);
        assert_true(is_zero(block, 2 * size));
        fill_pattern(block, 2 * size, size);
        block = r.aligned_recalloc(block, size, 5, alignment);
        expect_aligned(block, alignment, 0);
        assert_true(has_pattern(block, 2 * size, size));
        assert_true(is_zero(block + 2 * size, 3 * size));
        r.aligned_free(block);
        block = r.aligned_offset_recalloc(NULL, 1, size, alignment, offset);
        fill_pattern(block, size, size);
        block = r.aligned_offset_recalloc(block, 4, size, alignment, offset);
        expect_aligned(block, alignment, offset);
        assert_true(has_pattern(block, size, size));
        assert_true(is_zero(block + size, 3 * size));
        assert_null(r.aligned_realloc(block, 0, alignment));
    }
}

static void strdup_of_each_runtime(void **state) {
    Runtime r = runtime_of(*state);
    char *copy = r.strdup("text");
    EXPECT_OURS(copy);
    assert_string_equal(copy, "text");
    r.free(copy);
}

/* ---- Where the loader calls ---- */

static char dll_notes[64];
static char tls_notes[64];

static void NTAPI tls_callback(void *module, DWORD reason, void *reserved) {
    (void)module;
    (void)reserved;
    void *block = malloc(3000);
    size_t length = strlen(tls_notes);
    if (length < sizeof tls_notes - 1)
        tls_notes[length] = block != NULL && vesta_host_owns(block) == HOOKED ? "dAat"[reason] : '!';
    free(block);
}

/* Behind that of the library. */
__attribute__((section(".CRT$XLD"), used)) static const PIMAGE_TLS_CALLBACK callback = tls_callback;

static void use(unsigned index) {
    free(malloc(1000 + index));
}

static void threads_allocate_after_they_were_detached(void **state) {
    (void)state;
    assert_string_equal(tls_notes, "A");
    other_take_notes(dll_notes);
    for (int i = 0; i < 3; i++)
        run_thread(use);
    other_take_notes(NULL);
    assert_string_equal(dll_notes, "atatat");
    assert_string_equal(tls_notes, "Aatatat");
}

/* At the end of the process the DLL allocates; the process says 99 if it cannot. Other threads are stopped where they
 * are, which may be in the heap. */
static void work_for_ever(unsigned index) {
    (void)index;
    for (void *blocks[64] = {NULL};;) {
        for (unsigned i = 0; i < 64; i++) {
            free(blocks[i]);
            blocks[i] = malloc(i * 3000);
        }
    }
}

static DWORD WINAPI worker(void *argument) {
    (void)argument;
    work_for_ever(0);
    return 0;
}

static void end_beside_threads(void) {
    for (int i = 0; i < 3; i++)
        CloseHandle(CreateThread(NULL, 0, worker, NULL, 0, NULL));
    Sleep(20);
}

/* Wine's own heap is not asked: a stopped thread keeps its lock, and the end of the process waits for that at times. */
static void the_process_ends_whatever_its_threads_do(void **state) {
    (void)state;
    if (!HOOKED)
        return;
    for (int i = 0; i < 5; i++)
        run_isolated(end_beside_threads);
}

static void a_process_ends(void) {
    free(malloc(1));
}

static void a_dll_allocates_when_the_process_ends(void **state) {
    (void)state;
    run_isolated(a_process_ends);
}

#define OF_BOTH(test)                                                                                                  \
    {#test " of msvcrt.dll", test, NULL, NULL, (void *)(uintptr_t) "msvcrt.dll"}, {                                    \
#test " of ucrtbase.dll", test, NULL, NULL, (void *)(uintptr_t) "ucrtbase.dll"                                 \
    }

TESTS(cmocka_unit_test(malloc_and_its_family), OF_BOTH(recalloc_adds_zeros), OF_BOTH(strdup_of_each_runtime),
      cmocka_unit_test(what_the_runtime_allocates_inside_itself), cmocka_unit_test(another_dll_allocates_from_the_same),
      cmocka_unit_test(a_block_from_before_goes_back_to_the_runtime), OF_BOTH(the_aligned_family),
      OF_BOTH(the_aligned_family_adds_zeros), cmocka_unit_test(threads_allocate_after_they_were_detached),
      cmocka_unit_test(a_dll_allocates_when_the_process_ends),
      cmocka_unit_test(the_process_ends_whatever_its_threads_do))
