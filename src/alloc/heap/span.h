/* The span allocator: runs of pages that are free or used, for all threads, under one lock.
 *
 * Free spans lie in log-linear bins, dirty (still backed by memory) apart from clean (reads as zero). A request looks
 * in its own class at up to four spans, then takes any of the next class that has one; spans are cut in place and
 * merged at once with free neighbours of their kind through the records. Dirty spans are given back to the system after
 * a decay, or at once past a bound. No background thread: time is looked at when spans come and go. */
#ifndef VESTA_HEAP_SPAN_H
#define VESTA_HEAP_SPAN_H

#include "region.h"

/* Which memory a request would rather have. */
typedef enum VestaSpanWish {
    VESTA_SPAN_WISH_BACKED, /* what was used recently: no page faults */
    VESTA_SPAN_WISH_ZERO,   /* what reads as zero: will hardly be touched, or is replaced at once */
    VESTA_SPAN_WISH_GROWTH, /* where there is room behind it */
} VestaSpanWish;

/* A span of exactly `pages` pages at a multiple of `alignment` pages (a power of two); the first record's `pages` is
 * set and nothing else. `*zero` tells whether it reads as zero. NULL if there is no memory. */
VestaPage *vesta_span_allocate(uint32_t pages, uint32_t alignment, VestaSpanWish wish, bool *zero);

/* Takes back a span whose records say nothing of its former use any more. `zero`: it reads as zero. */
void vesta_span_free(VestaPage *span, bool zero);

/* Makes a used span longer, in place, or returns false. */
bool vesta_span_extend(VestaPage *span, uint32_t pages);

/* Makes a used span shorter; the rest becomes free. */
void vesta_span_shrink(VestaPage *span, uint32_t pages);

/* Gives dirty spans back to the system until at most `keep` pages of them are left; returns how many pages went. */
size_t vesta_span_purge(size_t keep);

/* Advances with time; what a thread keeps to itself is due to be handed over when it has changed. */
uint32_t vesta_span_tick(void);

/* Looks at the clock, now and then, and purges what has been dirty for the decay. */
void vesta_span_decay(void);

typedef struct VestaSpanStats {
    size_t used_pages, dirty_pages, purged_pages;
} VestaSpanStats;

void vesta_span_stats(VestaSpanStats *spans, VestaRegionStats *regions);

/* Around fork. */
void vesta_span_lock(void);
void vesta_span_unlock(void);
void vesta_span_lock_reset(void);

#endif
