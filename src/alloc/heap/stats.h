/* Counting, while VESTA_HOST_ALLOC_STATS is on. */
#ifndef VESTA_HEAP_STATS_H
#define VESTA_HEAP_STATS_H

#include "hooks.h"
#include "options.h"

static inline bool vesta_stats_on(void) {
    return __atomic_load_n(&vesta_options.stats, __ATOMIC_RELAXED);
}

/* `size` bytes were asked for and `usable` given. */
void vesta_stats_allocated(VestaHeap *heap, void *block, size_t size, size_t usable, const VestaCaller *caller);

/* What is known of a block, to be asked before it is taken back. */
typedef struct VestaCounted {
    size_t usable;
    VestaRecord record;
} VestaCounted;

VestaCounted vesta_stats_counted(const void *block, size_t usable);
void vesta_stats_freed(VestaHeap *heap, VestaCounted counted);

#endif
