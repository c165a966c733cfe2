/* What a recorder is told: of every block, with the call that the program made. */
#include "support.h"

#include "inside.h"

#include "alloc/heap/hooks.h"
#include "alloc/heap/thread.h"

/* A recorder that keeps the last thing it heard; its record of a block is the size asked for. */
enum { BLOCKS = 4 };
static struct {
    const void *block;
    size_t size;
} live[BLOCKS];
static struct {
    const void *return_address, *frame_pointer;
    unsigned allocated, freed;
    size_t freed_size;
} heard;

static void allocated(VestaHeap *heap, void *block, size_t size, const VestaCaller *caller) {
    assert_ptr_equal(heap, vesta_heap_own);
    heard.allocated++;
    heard.return_address = caller->return_address;
    heard.frame_pointer = caller->frame_pointer;
    for (unsigned i = 0; i < BLOCKS; i++) {
        if (live[i].block != NULL)
            continue;
        live[i].block = block;
        live[i].size = size;
        return;
    }
    fail();
}

static VestaRecord recorded(const void *block) {
    for (unsigned i = 0; i < BLOCKS; i++)
        if (live[i].block == block)
            return i + 1;
    fail();
    return 0;
}

static void freed(VestaHeap *heap, VestaRecord record) {
    assert_ptr_equal(heap, vesta_heap_own);
    assert_in_range(record, 1, BLOCKS);
    heard.freed++;
    heard.freed_size = live[record - 1].size;
    live[record - 1].block = NULL;
}

static void record(void) {
    put_in_environment("VESTA_HOST_ALLOC_STATS=1");
    vesta_hooks = (VestaHooks){allocated, recorded, freed};
}

/* The return address must lie between the two marks of the function that calls, and the frame must be its own. */
#define CALLED_FROM_HERE(call)                                                                                         \
    do {                                                                                                               \
        before = here();                                                                                               \
        block = (call);                                                                                                \
        after = here();                                                                                                \
        assert_true((uintptr_t)heard.return_address >= before && (uintptr_t)heard.return_address < after);             \
        assert_ptr_equal(heard.frame_pointer, __builtin_frame_address(0));                                             \
    } while (0)

static __attribute__((noinline)) uintptr_t here(void) {
    __asm__ volatile(""); /* two calls are two places */
    return (uintptr_t)__builtin_return_address(0);
}

ISOLATED(every_entry_says_who_called) {
    record();
    uintptr_t before, after;
    void *block;
    for (size_t size = 100; size < 20 * MIB; size *= 20) {
        CALLED_FROM_HERE(vesta_host_alloc(size));
        CALLED_FROM_HERE(vesta_host_realloc(block, size * 3));
        CALLED_FROM_HERE(vesta_host_realloc(block, size * 2));
        vesta_host_free(block);
        assert_int_equal(heard.freed_size, size * 2);
        CALLED_FROM_HERE(vesta_host_alloc_zeroed(size));
        vesta_host_free(block);
        CALLED_FROM_HERE(vesta_host_calloc(size, 2));
        vesta_host_free(block);
        assert_int_equal(heard.freed_size, size * 2);
        CALLED_FROM_HERE(vesta_host_alloc_aligned(size, 64));
        vesta_host_free_aligned(block);
        CALLED_FROM_HERE(vesta_host_alloc_aligned_freeable(size, 8));
        vesta_host_free(block);
        CALLED_FROM_HERE(vesta_host_realloc(NULL, size));
        vesta_host_free(block);
    }
    assert_int_equal(heard.allocated, heard.freed);
}

ISOLATED(what_fails_is_not_heard_of) {
    record();
    void *block = vesta_host_alloc(100000);
    assert_null(vesta_host_realloc(block, SIZE_MAX));
    assert_null(vesta_host_alloc(SIZE_MAX));
    assert_int_equal(heard.allocated, 1);
    assert_int_equal(heard.freed, 0);
    vesta_host_free(block);
    assert_int_equal(heard.freed, 1);
}

TESTS(cmocka_unit_test(every_entry_says_who_called), cmocka_unit_test(what_fails_is_not_heard_of))
