/* malloc and its family. The C library's headers are not included: --wrap renames the definitions, and what the headers
 * declare about the names would not fit them. */
#include "entry.h"
#include "foreign.h"
#include "../heap/host_alloc.h"
#include "../os/os.h"

#include <vesta/host_alloc.h>

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

static inline bool is_power_of_two(size_t value) {
    return value != 0 && (value & (value - 1)) == 0;
}

static inline void *resize(void *block, size_t size, const VestaCaller *caller) {
    if (block == NULL)
        return vesta_heap_alloc_for(size, caller);
    VestaPage *page = vesta_heap_page(block);
    if (VESTA_UNLIKELY(page == NULL))
        return vesta_foreign_realloc(block, size);
    return vesta_heap_resize(block, page, size, caller);
}

VESTA_ENTRY(void *, malloc)(size_t size) {
    return vesta_heap_alloc(size);
}

VESTA_ENTRY(void *, calloc)(size_t count, size_t size) {
    return vesta_keep_frame(vesta_heap_calloc(count, size, VESTA_CALLER));
}

VESTA_ENTRY(void *, realloc)(void *block, size_t size) {
    return vesta_keep_frame(resize(block, size, VESTA_CALLER));
}

VESTA_ENTRY(void *, reallocarray)(void *block, size_t count, size_t size) {
    size_t total;
    if (VESTA_UNLIKELY(__builtin_mul_overflow(count, size, &total))) {
        errno = ENOMEM;
        return NULL;
    }
    return vesta_keep_frame(resize(block, total, VESTA_CALLER));
}

VESTA_ENTRY(void, free)(void *block) {
    vesta_entry_free(block);
}

/* C23. Programs in the field pass wrong sizes; the heap knows the right one. */
VESTA_ENTRY(void, free_sized)(void *block, size_t size) {
    (void)size;
    vesta_entry_free(block);
}

VESTA_ENTRY(void, free_aligned_sized)(void *block, size_t alignment, size_t size) {
    (void)alignment;
    (void)size;
    vesta_entry_free(block);
}

/* POSIX: on failure `*block` keeps its value, which is why the result goes through it last. */
VESTA_ENTRY(int, posix_memalign)(void **block, size_t alignment, size_t size) {
    if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
        return EINVAL;
    void *result = vesta_heap_alloc_aligned(size, alignment, VESTA_CALLER);
    if (result == NULL)
        return ENOMEM;
    *block = result;
    return 0;
}

/* C17 allows any size, and alignments below that of malloc, which cost nothing. */
VESTA_ENTRY(void *, aligned_alloc)(size_t alignment, size_t size) {
    return vesta_keep_frame(vesta_heap_alloc_aligned(size, alignment, VESTA_CALLER));
}

VESTA_ENTRY(void *, memalign)(size_t alignment, size_t size) {
    return vesta_keep_frame(vesta_heap_alloc_aligned(size, alignment, VESTA_CALLER));
}

VESTA_ENTRY(void *, valloc)(size_t size) {
    return vesta_keep_frame(vesta_heap_alloc_aligned(size, vesta_os_page_size(), VESTA_CALLER));
}

/* Whole pages, at least one. */
VESTA_ENTRY(void *, pvalloc)(size_t size) {
    size_t page = vesta_os_page_size();
    size_t rounded = size == 0 ? page : (size + page - 1) & ~(page - 1);
    rounded = rounded < size ? SIZE_MAX : rounded;
    return vesta_keep_frame(vesta_heap_alloc_aligned(rounded, page, VESTA_CALLER));
}

VESTA_ENTRY(size_t, malloc_usable_size)(void *block) {
    if (VESTA_UNLIKELY(block != NULL && !vesta_host_owns(block)))
        return vesta_foreign_usable_size(block);
    return vesta_host_usable_size(block);
}

/* glibc's other names for the same, old and internal, which programs use too. */
VESTA_ENTRY_ALIAS(void, cfree, free)(void *block);
VESTA_ENTRY_ALIAS(void *, __libc_malloc, malloc)(size_t size);
VESTA_ENTRY_ALIAS(void *, __libc_calloc, calloc)(size_t count, size_t size);
VESTA_ENTRY_ALIAS(void *, __libc_realloc, realloc)(void *block, size_t size);
VESTA_ENTRY_ALIAS(void, __libc_free, free)(void *block);
VESTA_ENTRY_ALIAS(void *, __libc_memalign, memalign)(size_t alignment, size_t size);
VESTA_ENTRY_ALIAS(void *, __libc_valloc, valloc)(size_t size);
VESTA_ENTRY_ALIAS(void *, __libc_pvalloc, pvalloc)(size_t size);

#endif
