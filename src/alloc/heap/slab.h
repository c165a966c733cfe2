/* Slabs: spans cut into equal blocks.
 *
 * A slab is active (its free blocks are the heap's list of the class), full (nothing to give; frees gather in its own
 * list until enough of them came back to make it worth looking at) or partial (in the queue of the class). The count
 * in its bin is how many frees are left until the state changes, so that one decrement serves every state. */
#ifndef VESTA_HEAP_SLAB_H
#define VESTA_HEAP_SLAB_H

#include "heap.h"
#include "hardened/slab.h"

#if VESTA_HARDENED

/* What a block needs beside what was asked for. */
enum { VESTA_BLOCK_EXTRA = VESTA_CANARY_BYTES };

static inline uint32_t vesta_slab_class(size_t size) {
    return size == 0 && VESTA_ALLOC_HARDEN_EMPTY ? VESTA_EMPTY_CLASS : vesta_small_class(size + VESTA_BLOCK_EXTRA);
}

static inline void *vesta_slab_take(VestaHeap *heap, uint32_t class_index, size_t size) {
    return vesta_hardened_take(heap, class_index, size);
}

static inline bool vesta_slab_in_use(VestaPage *page, const void *block) {
    return vesta_hardened_in_use(page, block);
}

static inline size_t vesta_slab_size(const VestaPage *page, const void *block) {
    return vesta_hardened_size(page, block);
}

static inline bool vesta_slab_resize(VestaPage *page, void *block, size_t size) {
    return vesta_hardened_resize(page, block, size);
}

static inline void vesta_slab_free(VestaHeap *heap, VestaPage *page, void *block) {
    (void)heap;
    vesta_hardened_free(page, block);
}

static inline void vesta_slab_deactivate_all(VestaHeap *heap) {
    vesta_hardened_tidy(heap);
}

#else

enum { VESTA_BLOCK_EXTRA = 0 };

static inline uint32_t vesta_slab_class(size_t size) {
    return vesta_small_class(size);
}

/* A block of the class when the heap's list is empty; NULL if there is no memory. */
void *vesta_slab_refill(VestaHeap *heap, uint32_t class_index);

static inline void *vesta_slab_take(VestaHeap *heap, uint32_t class_index, size_t size) {
    (void)size;
    void *block = vesta_bin_pop(&heap->bins[class_index]);
    return VESTA_LIKELY(block != NULL) ? block : vesta_slab_refill(heap, class_index);
}

/* Whether there can be a block in use: as far as that is known without looking at it. */
static inline bool vesta_slab_in_use(VestaPage *page, const void *block) {
    (void)page;
    return (uintptr_t)block % VESTA_GRANULE == 0;
}

static inline size_t vesta_slab_size(const VestaPage *page, const void *block) {
    (void)block;
    return page->own.block_size;
}

/* A block may stay where it is if it is long enough and not more than twice as long as needed. */
static inline bool vesta_slab_resize(VestaPage *page, void *block, size_t size) {
    (void)block;
    return size <= page->own.block_size && size >= page->own.block_size / 2;
}

/* Puts every active slab back: those without used blocks are released, the rest is partial or full. */
void vesta_slab_deactivate_all(VestaHeap *heap);

/* Gives a slab that is not active to another heap. */
void vesta_slab_move(VestaHeap *from, VestaHeap *to, VestaPage *slab);

/* The count of the page's bin reached zero. */
void vesta_slab_changed(VestaHeap *heap, VestaPage *page);

VESTA_INLINE void vesta_slab_free(VestaHeap *heap, VestaPage *page, void *block) {
    if (vesta_bin_push(page->bin, block))
        vesta_slab_changed(heap, page);
}

#endif

static inline VestaPage *vesta_slab_first(VestaPage *page) {
    return page - page->distance;
}

#endif
