/* What the hardened build keeps per page and per thread heap. */
#ifndef VESTA_HARDENED_STATE_H
#define VESTA_HARDENED_STATE_H

#include "switches.h"
#include "../size_classes.h"
#include "../../os/os.h"

typedef struct VestaHardenedQueue {
    VestaPage *first;
    VestaPage *last;
} VestaHardenedQueue;

enum {
    /* The class of blocks of size 0. */
    VESTA_EMPTY_CLASS = VESTA_SMALL_CLASSES,
    VESTA_HARDENED_CLASSES,
    VESTA_QUARANTINE_MAX = 256, /* blocks of one class */
    VESTA_SPAN_QUARANTINE = 64, /* large blocks */
};

/* All of it under the lock: a block may be freed by any thread, and is back in its slab at once. */
typedef struct VestaHardenedHeap {
    VestaLock lock;
    uint32_t last_span;
    uint64_t random;
    VestaHardenedQueue partial[VESTA_HARDENED_CLASSES];
    uint32_t empty_slabs[VESTA_HARDENED_CLASSES]; /* of those: without a block in use */
    uint32_t next_freed[VESTA_HARDENED_CLASSES];  /* the oldest in the ring */
    VestaPage *spans[VESTA_SPAN_QUARANTINE];
    void *freed[VESTA_HARDENED_CLASSES][VESTA_QUARANTINE_MAX];
} VestaHardenedHeap;

#endif
