/* Where tests look inside the heap. */
#ifndef HEAP_TESTS_INSIDE_H
#define HEAP_TESTS_INSIDE_H

#include "alloc/heap/heap.h"
#include "alloc/heap/slab.h"
#include "vesta/host_alloc.h"

static inline VestaPage *slab_of(const void *block) {
    return vesta_slab_first(vesta_page_of(block));
}

static inline VestaHeap *heap_of(const void *block) {
    return vesta_page_owner(vesta_page_of(block));
}

static inline VestaHostStats host_stats(void) {
    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    return stats;
}

#endif
