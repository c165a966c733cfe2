/* Large blocks: a span each. */
#ifndef VESTA_HEAP_LARGE_H
#define VESTA_HEAP_LARGE_H

#include "heap.h"

/* A block of more than VESTA_SMALL_MAX bytes, or one aligned to more than a slab's blocks can be. */
void *vesta_large_allocate(VestaHeap *heap, size_t size, size_t alignment);

/* A block of zeros; `site` is the address of the caller that asks for it. */
void *vesta_large_allocate_zeroed(VestaHeap *heap, size_t size, const void *site);

void vesta_large_free(VestaHeap *heap, VestaPage *span);

/* Resizes in place or by moving pages; NULL if neither can be done, and the block is as before. */
void *vesta_large_resize(VestaPage *span, size_t size);

static inline size_t vesta_large_size(const VestaPage *span) {
    return (size_t)span->pages << VESTA_PAGE_SHIFT;
}

#endif
