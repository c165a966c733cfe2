/* Regions: reserved address space that is committed from its start on, as a frontier moves. Called under the span
 * allocator's lock, except for the two questions about an address. */
#ifndef VESTA_HEAP_REGION_H
#define VESTA_HEAP_REGION_H

#include "page.h"
#include "../os/os.h"

#include <stdbool.h>

/* The start of the one region of full size that the fast path knows; a value that no pointer is near of while there is
 * none (small regions only, or nothing allocated yet). */
extern VESTA_HIDDEN uintptr_t vesta_region_base;

/* Threads that come before the first region read it while it is set. */
static inline uintptr_t vesta_region_start(void) {
    return __atomic_load_n(&vesta_region_base, __ATOMIC_RELAXED);
}

#if VESTA_OS_HAS_FREE_ZEROS

/* Whether the region that the fast path knows has a record for this distance from its start: all can be read. */
VESTA_INLINE bool vesta_region_reaches(uintptr_t offset) {
    return offset >> VESTA_REGION_SHIFT == 0;
}

#else

/* How far from that region's start records can be read; 0 while there is none. */
extern VESTA_HIDDEN uintptr_t vesta_region_reach;

VESTA_INLINE bool vesta_region_reaches(uintptr_t offset) {
    return offset < __atomic_load_n(&vesta_region_reach, __ATOMIC_RELAXED);
}

#endif

/* Whether `address` lies in the pages of some region; any value is allowed. Its record may be read then. */
bool vesta_region_holds(const void *address);

/* Takes `pages` pages at a multiple of `alignment` pages from a frontier: committed, never touched. The first record's
 * `pages` is set. Pages skipped for the alignment are passed to `skipped`. NULL if the system gives no more. */
VestaPage *vesta_region_take(uint32_t pages, uint32_t alignment, void (*skipped)(VestaPage *first, uint32_t pages));

/* Moves the frontier by `pages` pages if it stands right behind `end`. */
bool vesta_region_take_behind(const VestaPage *end, uint32_t pages);

typedef struct VestaRegionStats {
    size_t regions, reserved_bytes, committed_bytes, peak_committed_bytes;
} VestaRegionStats;

void vesta_region_stats(VestaRegionStats *stats);

#endif
