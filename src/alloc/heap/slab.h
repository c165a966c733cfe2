/* Slabs: spans cut into equal blocks.
 *
 * A slab is active (its free blocks are the heap's list of the class), full (nothing to give; frees gather in its own
 * list until enough of them came back to make it worth looking at) or partial (in the queue of the class). The count
 * in its bin is how many frees are left until the state changes, so that one decrement serves every state. */
#ifndef VESTA_HEAP_SLAB_H
#define VESTA_HEAP_SLAB_H

#include "heap.h"

/* A block of the class when the heap's list is empty; NULL if there is no memory. */
void *vesta_slab_refill(VestaHeap *heap, uint32_t class_index);

/* The count of the page's bin reached zero. */
void vesta_slab_changed(VestaHeap *heap, VestaPage *page);

/* Puts every active slab back: those without used blocks are released, the rest is partial or full. */
void vesta_slab_deactivate_all(VestaHeap *heap);

/* Gives a slab that is not active to another heap. */
void vesta_slab_move(VestaHeap *from, VestaHeap *to, VestaPage *slab);

VESTA_INLINE void vesta_slab_free(VestaHeap *heap, VestaPage *page, void *block) {
    if (vesta_bin_push(page->bin, block))
        vesta_slab_changed(heap, page);
}

static inline VestaPage *vesta_slab_first(VestaPage *page) {
    return page - page->distance;
}

#endif
