/* Large blocks: a span each. */
#ifndef VESTA_HEAP_LARGE_H
#define VESTA_HEAP_LARGE_H

#include "span_cache.h"
#include "thread.h"

/* The fast path of large blocks: one from the thread's cache, or NULL. */
VESTA_INLINE void *vesta_large_pop(VestaHeap *heap, size_t size) {
    if (VESTA_HARDENED)
        return NULL;
    uint32_t slot = vesta_span_cache_slot((size + VESTA_PAGE_SIZE - 1) >> VESTA_PAGE_SHIFT);
    if (VESTA_UNLIKELY(slot >= VESTA_ALLOC_SPAN_CACHE_SLOTS))
        return NULL;
    VestaPage *span = vesta_span_cache_pop(heap, slot);
    if (VESTA_UNLIKELY(span == NULL))
        return NULL;
    span->kind = VESTA_PAGE_LARGE;
    span->state = 0;
    span->site = 0;
    span->slot = (uint8_t)slot;
    return (void *)vesta_page_address(span);
}

/* And back; false if it is not that simple. */
VESTA_INLINE bool vesta_large_push(VestaHeap *heap, VestaPage *span) {
    if (VESTA_HARDENED || VESTA_UNLIKELY(span->slot == VESTA_NO_SLOT || !vesta_span_cache_push(heap, span->slot, span)))
        return false;
    span->kind = VESTA_PAGE_NONE;
    return true;
}

/* A block of more than VESTA_SMALL_MAX bytes, or one aligned to more than a slab's blocks can be. */
void *vesta_large_allocate(VestaHeap *heap, size_t size, size_t alignment);

/* A block of zeros; `site` is the address of the caller that asks for it. */
void *vesta_large_allocate_zeroed(VestaHeap *heap, size_t size, const void *site);

/* `heap` is NULL where the thread has none and can have none. */
void vesta_large_free(VestaHeap *heap, VestaPage *span);

/* Resizes in place or by moving pages; NULL if neither can be done, and the block is as before. */
void *vesta_large_resize(VestaPage *span, size_t size);

static inline size_t vesta_large_size(const VestaPage *span) {
#if VESTA_HARDENED
    return span->size;
#else
    return (size_t)span->pages << VESTA_PAGE_SHIFT;
#endif
}

#endif
