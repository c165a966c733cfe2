/* Remote frees: blocks freed by a thread that does not own their slab.
 *
 * The freeing thread gathers blocks of one owner in a batch and pushes the batch onto the owner's inbox with one atomic
 * operation; the owner takes the whole inbox in one exchange when it runs dry. A block counts as used until its owner
 * has taken it back, so a slab cannot be released while one is on its way; a slab that changed its owner meanwhile
 * makes the block travel on. */
#ifndef VESTA_HEAP_REMOTE_H
#define VESTA_HEAP_REMOTE_H

#include "heap.h"
#include "hardened/slab.h"

#if VESTA_HARDENED

/* There every thread frees on the spot, and nothing is on its way. */
static inline void vesta_remote_free(VestaHeap *heap, VestaPage *page, void *block) {
    (void)heap;
    vesta_hardened_free(page, block);
}

static inline void vesta_remote_free_alone(VestaPage *page, void *block) {
    vesta_hardened_free(page, block);
}

static inline void vesta_remote_flush(VestaHeap *heap) {
    (void)heap;
}

static inline bool vesta_remote_waiting(VestaHeap *heap) {
    (void)heap;
    return false;
}

static inline void vesta_remote_collect_all(VestaHeap *heap) {
    (void)heap;
}

static inline void vesta_remote_collect(VestaHeap *heap) {
    (void)heap;
}

#else

/* Frees a block of a slab that `heap` does not own. */
void vesta_remote_free(VestaHeap *heap, VestaPage *page, void *block);

/* The same for a thread that has no heap and can have none: the block goes alone. */
void vesta_remote_free_alone(VestaPage *page, void *block);

/* Hands all batches of `heap` over. */
void vesta_remote_flush_all(VestaHeap *heap);

static inline void vesta_remote_flush(VestaHeap *heap) {
    if (heap->batches_filled != 0)
        vesta_remote_flush_all(heap);
}

/* Takes back what others freed. */
void vesta_remote_collect_all(VestaHeap *heap);

static inline bool vesta_remote_waiting(VestaHeap *heap) {
    return __atomic_load_n(&heap->inbox, __ATOMIC_RELAXED) != NULL;
}

static inline void vesta_remote_collect(VestaHeap *heap) {
    if (vesta_remote_waiting(heap))
        vesta_remote_collect_all(heap);
}

#endif

#endif
