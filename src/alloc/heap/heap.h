/* The thread heap: all that one thread owns. */
#ifndef VESTA_HEAP_HEAP_H
#define VESTA_HEAP_HEAP_H

#include "page.h"
#include "purpose.h"
#include "size_classes.h"
#include "hardened/state.h"

#include <stdbool.h>

/* Slabs with free blocks, oldest first: what was freed longest ago is most likely to have filled up again. */
typedef struct VestaSlabQueue {
    VestaPage *first;
    VestaPage *last;
} VestaSlabQueue;

/* Blocks of one other heap, freed here and not handed over yet. */
typedef struct VestaBatch {
    VestaHeap *owner; /* NULL: the batch is empty */
    void *first;
    void *last;
    uint32_t blocks;
    uint32_t bytes;
} VestaBatch;

enum { VESTA_BATCHES = 16 };

#ifndef VESTA_ALLOC_SPAN_CACHE_SLOTS
#define VESTA_ALLOC_SPAN_CACHE_SLOTS 32
#endif
#ifndef VESTA_ALLOC_SPAN_CACHE_BYTES
#define VESTA_ALLOC_SPAN_CACHE_BYTES (2 << 20)
#endif

/* Recently freed spans, by length class; linked through `next`. */
typedef struct VestaSpanCache {
    VestaPage *spans[VESTA_ALLOC_SPAN_CACHE_SLOTS];
    size_t bytes;
} VestaSpanCache;

/* What is counted while statistics are on; written by the owner, read by anybody: atomic, relaxed. */
typedef struct VestaCounters {
    uint64_t allocations, frees, allocated_bytes;
    uint64_t large_blocks; /* allocated less freed: may be "negative" in one heap */
    int64_t live_bytes;    /* since last added to the process's */
    uint64_t purpose_allocations[VESTA_PURPOSES];
    uint64_t purpose_bytes[VESTA_PURPOSES];
#ifdef VESTA_ALLOC_SIZE_HISTOGRAM
    uint64_t size_allocations[VESTA_SMALL_CLASSES + 1]; /* the last: all that is larger */
    uint64_t size_bytes[VESTA_SMALL_CLASSES + 1];
#endif
} VestaCounters;

/* Only the owner adds, so that no read-modify-write is needed for others to read. */
static inline void vesta_counter_add(uint64_t *counter, int64_t value) {
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + (uint64_t)value, __ATOMIC_RELAXED);
}

enum { VESTA_HEAP_OWNED, VESTA_HEAP_ABANDONED, VESTA_HEAP_LOST };

struct VestaHeap {
    VestaBin bins[VESTA_SMALL_CLASSES]; /* first: the fast path adds a class's offset to the heap's address */
    VestaPage *active[VESTA_SMALL_CLASSES];
    VestaSlabQueue partial[VESTA_SMALL_CLASSES];
    VestaBatch batches[VESTA_BATCHES];
    uint32_t batches_filled; /* bit per batch */
    uint32_t tick;           /* the span allocator's when this heap last handed over its cache */
    uint32_t refills;        /* every so many, the time is looked at */
    uint32_t busy;           /* its thread is in a slow path: after fork nobody can tell in what state */
    uint32_t state;          /* atomic, changed under the registry's lock */
    VestaSpanCache cache;
    VestaHeap *next;           /* in the list of all heaps, for ever */
    VestaHeap *next_abandoned; /* in the list of those without a thread */
    uint64_t remote_frees;     /* blocks that came back through the inbox; atomic, relaxed, like the next */
    uint64_t slabs;            /* in use */
    VestaCounters counters;
#if VESTA_HARDENED
    VestaHardenedHeap hardened;
#endif
    void *record; /* the recorder's: what it keeps per thread passes on with the heap */
    /* Other threads' writes must not touch the lines that the owner works in. */
    _Alignas(64) void *inbox; /* atomic; linked through the blocks */
};

#endif
