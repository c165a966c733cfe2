/* Counting, while VESTA_HOST_ALLOC_STATS is on. */
#ifndef VESTA_HEAP_STATS_H
#define VESTA_HEAP_STATS_H

#include "heap.h"
#include "options.h"

static inline bool vesta_stats_on(void) {
    return __atomic_load_n(&vesta_options.stats, __ATOMIC_RELAXED);
}

/* `size` bytes were asked for and `usable` given, or taken back. */
void vesta_stats_allocated(VestaHeap *heap, size_t size, size_t usable);
void vesta_stats_freed(VestaHeap *heap, size_t usable);

/* A block in use became longer or shorter. */
void vesta_stats_resized(VestaHeap *heap, size_t from, size_t to);

#endif
