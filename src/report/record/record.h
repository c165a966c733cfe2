/* What the recorder knows, for the report. All of it may be called from any thread while others allocate; the figures
 * of those are approximate then. Nothing here allocates. The rest is in vesta/report.h and vesta/purpose.h. */
#ifndef VESTA_RECORD_RECORD_H
#define VESTA_RECORD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vesta/host_alloc.h"
#include "vesta/report.h"

/* The sites there are have the numbers 1 to this; new ones may come at any time. */
uint32_t vesta_record_sites(void);

/* Fills in `*site`; false if nothing was ever allocated there. */
bool vesta_record_site(uint32_t id, VestaAllocSite *site);

/* The size split of one site: writes up to `capacity` non-empty steps, ascending, the same steps as
 * vesta_host_alloc_sizes; returns how many there are, at most VESTA_RECORD_STEPS. */
enum { VESTA_RECORD_STEPS = 80 };
unsigned vesta_record_site_sizes(uint32_t id, VestaHostSize *steps, unsigned capacity);

/* The whole process, and what could not be done. Bytes as asked for. */
typedef struct VestaRecordTotals {
    uint64_t allocations, bytes, frees, freed_bytes;
    uint64_t live_allocations, live_bytes;
    uint64_t peak_live_bytes;
    uint64_t short_lived;
    uint32_t depth_limit;   /* VESTA_HOST_ALLOC_STACK */
    uint32_t sites;         /* with allocations */
    uint32_t threads;       /* that allocated or freed */
    bool forked;            /* the figures begin in the parent process */
    uint64_t truncated;     /* sites whose stack is deeper than the limit */
    uint64_t broken;        /* stacks that ended before the start of their thread, because nothing tells how to go on */
    uint64_t dropped_sites; /* allocations counted without their stack: no memory, or too many sites */
    uint64_t unknown_blocks; /* allocations whose block's site was not kept: no memory for it */
    uint64_t unknown_frees;  /* and frees of those: they count nowhere else */
    uint64_t own_bytes;      /* memory of the recorder itself */
} VestaRecordTotals;

void vesta_record_totals(VestaRecordTotals *totals);

typedef struct VestaTimelineSample {
    uint64_t milliseconds; /* since recording began */
    uint64_t live_bytes;
    uint64_t committed_bytes;
    uint64_t allocations;
} VestaTimelineSample;

/* Writes up to `capacity` samples, oldest first, and returns how many there are, at most VESTA_TIMELINE_SAMPLES. */
enum { VESTA_TIMELINE_SAMPLES = 1024 };
unsigned vesta_record_timeline(VestaTimelineSample *samples, unsigned capacity);

/* Where the memory is; in bytes. committed is the sum of all that follow it but resident, plus the residual. */
typedef struct VestaBalance {
    uint64_t committed; /* pages of all regions, their records, and the recorder's own memory */
    uint64_t live_requested;
    uint64_t slack;        /* usable bytes of live blocks beyond what was asked for */
    uint64_t free_in_used; /* free blocks inside pages in use */
    uint64_t cached;       /* free pages that memory is kept for: the threads' and the shared ones */
    uint64_t heaps;        /* the thread heaps themselves */
    uint64_t records;      /* page records */
    uint64_t profiler;     /* the recorder */
    uint64_t given_back;   /* free pages without memory: given back to the system, or never touched */
    int64_t residual;      /* 0 while no other thread allocates */
    uint64_t resident;     /* the process's, as the system counts: program, stacks and libraries too */
} VestaBalance;

void vesta_record_balance(VestaBalance *balance);

#endif
