/* What malloc and free do nearly always: inlined into every door. No locks, no calls, no flags to test: what needs
 * attention shows as an empty list, a foreign owner word or a count that reaches zero. */
#ifndef VESTA_HEAP_FAST_PATH_H
#define VESTA_HEAP_FAST_PATH_H

#include "caller.h"
#include "region.h"
#include "slab.h"
#include "thread.h"

void *vesta_heap_alloc_slow(size_t size); /* reached by a tail call of the entry */
void *vesta_heap_alloc_slow_for(size_t size, const VestaCaller *caller);
void vesta_heap_slab_changed(VestaPage *page);
void vesta_heap_free_slow(void *block, VestaPage *page);
bool vesta_heap_free_elsewhere(void *block);

/* A small block that is at hand, or NULL. */
VESTA_INLINE void *vesta_heap_take(size_t size) {
    if (VESTA_HARDENED || VESTA_UNLIKELY(size > VESTA_SMALL_MAX))
        return NULL;
    size_t bin_offset = vesta_small_bins[(size + VESTA_GRANULE - 1) / VESTA_GRANULE];
    return vesta_bin_pop((VestaBin *)((char *)vesta_heap_fast + bin_offset));
}

/* A block of `size` bytes, or NULL with errno ENOMEM. */
VESTA_INLINE void *vesta_heap_alloc(size_t size) {
    void *block = vesta_heap_take(size);
    return VESTA_LIKELY(block != NULL) ? block : vesta_heap_alloc_slow(size);
}

/* The same on the way through a function that is no entry. */
VESTA_INLINE void *vesta_heap_alloc_for(size_t size, const VestaCaller *caller) {
    void *block = vesta_heap_take(size);
    return VESTA_LIKELY(block != NULL) ? block : vesta_heap_alloc_slow_for(size, caller);
}

/* The record of the page that holds a block, or NULL if it lies in no region of ours. */
VESTA_INLINE VestaPage *vesta_heap_page(const void *block) {
    uintptr_t region = vesta_region_start(), offset = (uintptr_t)block - region;
    if (VESTA_LIKELY(vesta_region_reaches(offset)))
        return vesta_page_at(region, offset);
    return vesta_region_holds(block) ? vesta_page_of(block) : NULL;
}

/* Frees a block; false, and nothing done, if it lies in no region of ours and is not NULL. */
VESTA_INLINE bool vesta_heap_free(void *block) {
    uintptr_t region = vesta_region_start(), offset = (uintptr_t)block - region;
    if (VESTA_UNLIKELY(!vesta_region_reaches(offset)))
        return vesta_heap_free_elsewhere(block);
    VestaPage *page = vesta_page_at(region, offset);
    if (VESTA_HARDENED || VESTA_UNLIKELY(vesta_page_owner(page) != vesta_heap_fast)) {
        vesta_heap_free_slow(block, page);
        return true;
    }
    if (vesta_bin_push(page->bin, block))
        vesta_heap_slab_changed(page);
    return true;
}

#endif
