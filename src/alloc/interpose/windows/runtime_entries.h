/* malloc and its family as the Microsoft C runtimes have them. Included once for each set of functions that is hooked
 * and once for the door of renaming: foreign blocks go back to where they came from. Before it:
 *   VESTA_RUNTIME_ENTRY(type, name)   how the definition of an entry begins
 *   VESTA_RUNTIME_ORIGINAL(name)      the function that the entry replaced, or NULL
 * Sizes that a program asks for are not kept: _msize gives all that may be used. calloc and _recalloc leave zeros up to
 * there, so that _recalloc need not know where the program's part ended. */
#include "foreign_blocks.h"
#include "../../heap/fast_path.h"
#include "../../heap/host_alloc.h"
#include "../../heap/large.h"
#include "../../os/os.h"
#include "vesta/host_alloc.h"
#include "vesta/mem.h"

#define VESTA_ENOMEM 12
#define VESTA_EINVAL 22

static inline bool is_ours(const void *block) {
    return vesta_heap_page(block) != NULL;
}

static void *no_memory(void) {
    vesta_os_set_errno(VESTA_ENOMEM);
    return NULL;
}

static void *with_zeros_behind(void *block, size_t size) {
    if (block != NULL)
        vesta_memset((char *)block + size, 0, vesta_host_usable_size(block) - size);
    return block;
}

VESTA_RUNTIME_ENTRY(void *, malloc)(size_t size) {
    return vesta_heap_alloc(size);
}

VESTA_RUNTIME_ENTRY(void *, calloc)(size_t count, size_t size) {
    void *block = vesta_heap_calloc(count, size, VESTA_CALLER);
    return vesta_keep_frame(with_zeros_behind(block, count * size));
}

VESTA_RUNTIME_ENTRY(void, free)(void *block) {
    if (VESTA_UNLIKELY(!vesta_heap_free(block)))
        vesta_runtime_free(VESTA_RUNTIME_ORIGINAL(free), block);
}

/* A size of 0 frees. */
VESTA_RUNTIME_ENTRY(void *, realloc)(void *block, size_t size) {
    if (block == NULL)
        return vesta_keep_frame(vesta_heap_alloc_for(size, VESTA_CALLER));
    VestaPage *page = vesta_heap_page(block);
    if (page == NULL)
        return vesta_runtime_realloc(VESTA_RUNTIME_ORIGINAL(realloc), block, size);
    if (size == 0) {
        vesta_host_free(block);
        return NULL;
    }
    return vesta_keep_frame(vesta_heap_resize(block, page, size, VESTA_CALLER));
}

VESTA_RUNTIME_ENTRY(size_t, _msize)(void *block) {
    if (block == NULL) {
        vesta_os_set_errno(VESTA_EINVAL);
        return SIZE_MAX;
    }
    return is_ours(block) ? vesta_host_usable_size(block) : vesta_runtime_size(VESTA_RUNTIME_ORIGINAL(_msize), block);
}

VESTA_RUNTIME_ENTRY(void *, _expand)(void *block, size_t size) {
    if (block != NULL && !is_ours(block))
        return vesta_runtime_realloc(VESTA_RUNTIME_ORIGINAL(_expand), block, size);
    VestaPage *page = block != NULL ? vesta_heap_page(block) : NULL;
    if (page == NULL || size > vesta_host_usable_size(block))
        return no_memory();
    return block;
}

VESTA_RUNTIME_ENTRY(void *, _recalloc)(void *block, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return no_memory();
    if (block != NULL && !is_ours(block))
        return vesta_runtime_recalloc(VESTA_RUNTIME_ORIGINAL(_recalloc), block, count, size);
    if (block != NULL && total == 0) {
        vesta_host_free(block);
        return NULL;
    }
    size_t kept = block != NULL ? vesta_host_usable_size(block) : 0;
    void *resized = block != NULL ? vesta_heap_resize(block, vesta_heap_page(block), total, VESTA_CALLER)
                                  : vesta_heap_alloc_for(total, VESTA_CALLER);
    return vesta_keep_frame(with_zeros_behind(resized, kept < total ? kept : total));
}
