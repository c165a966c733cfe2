/* The spans that a thread keeps to itself for a while: no lock for a slab or a large block that comes and goes. */
#ifndef VESTA_HEAP_SPAN_CACHE_H
#define VESTA_HEAP_SPAN_CACHE_H

#include "heap.h"

enum { VESTA_SPAN_CACHE_BITS = 3 };

/* The slot for spans of at least `pages` pages (1 and more): slot 0 holds spans of one page. May be past the last. */
static inline uint32_t vesta_span_cache_slot(size_t pages) {
    return vesta_class_down(pages - 1, VESTA_SPAN_CACHE_BITS);
}

/* The length of the slot's spans. */
static inline uint32_t vesta_span_cache_length(uint32_t slot) {
    return (uint32_t)vesta_class_size(slot + 1, VESTA_SPAN_CACHE_BITS);
}

/* A span from the slot, or NULL; what it holds is unspecified. */
VESTA_INLINE VestaPage *vesta_span_cache_pop(VestaHeap *heap, uint32_t slot) {
    VestaPage *span = heap->cache.spans[slot];
    if (VESTA_LIKELY(span != NULL)) {
        heap->cache.spans[slot] = span->next;
        heap->cache.bytes -= (size_t)span->pages << VESTA_PAGE_SHIFT;
    }
    return span;
}

/* Keeps a span of the slot's length, or returns false where the cache is full. */
VESTA_INLINE bool vesta_span_cache_push(VestaHeap *heap, uint32_t slot, VestaPage *span) {
    size_t bytes = heap->cache.bytes + ((size_t)span->pages << VESTA_PAGE_SHIFT);
    if (VESTA_UNLIKELY(bytes > VESTA_ALLOC_SPAN_CACHE_BYTES))
        return false;
    heap->cache.bytes = bytes;
    span->next = heap->cache.spans[slot];
    heap->cache.spans[slot] = span;
    return true;
}

/* Hands everything to the span allocator. */
void vesta_span_cache_empty(VestaHeap *heap);

/* The same, when the span allocator's tick says that it is time. */
void vesta_span_cache_expire(VestaHeap *heap);

#endif
