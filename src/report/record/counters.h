/* What is counted per site, per purpose and for the process: by each thread heap for itself, so that only its thread
 * writes (atomic and relaxed: others read), and added up when somebody asks. A free counts for the block's site in the
 * counters of the thread that frees. */
#ifndef VESTA_RECORD_COUNTERS_H
#define VESTA_RECORD_COUNTERS_H

#include "memory.h"
#include "stacks.h"
#include "../../alloc/base/compiler.h"
#include "../../alloc/heap/purpose.h"

/* Bytes, up and down. While the process has one thread heap the level is up - down, and its peak exact. From the second
 * heap on each passes its part of the level on, to a shared one, when enough of it has gathered. */
typedef struct VestaGauge {
    uint64_t up, down;
    int64_t shared; /* the part of up - down that was passed on */
    int64_t peak;   /* while it was alone */
} VestaGauge;

/* Two cache lines; the first is all that most calls touch. */
typedef struct VestaSiteCounters {
    uint64_t allocations, frees;
    VestaGauge bytes;
    int64_t at_peak;     /* live bytes here when the process was at its peak, as of... */
    uint32_t peak_epoch; /* ...the peak of this number */
    uint32_t last_size;
    /* ---- */
    uint64_t min_size, max_size;
    uint64_t short_lived;
    uint32_t threads, last_thread;
    uint32_t main_step; /* size step of most allocations: those that are not in the table of steps */
    uint32_t purpose;
    uint32_t unused[6];
} VestaSiteCounters;

_Static_assert(sizeof(VestaSiteCounters) == 128, "two cache lines");

/* Allocations of a site in a size step other than its main one; open addressing, linear probing. */
typedef struct VestaStepEntry {
    uint32_t key; /* site * VESTA_STEP_KEYS + step; 0 is free */
    uint32_t unused;
    uint64_t allocations, bytes;
} VestaStepEntry;

enum { VESTA_STEP_KEYS = 128 };

typedef struct VestaStepTable {
    uint32_t capacity; /* a power of two */
    uint32_t used;
    VestaStepEntry entries[];
} VestaStepTable;

enum {
    VESTA_COUNTERS_SHIFT = 5, /* counters of 32 sites at a time: an os page */
    VESTA_COUNTERS_INNER = 256,
    VESTA_COUNTERS_OUTER = 1 << (22 - VESTA_COUNTERS_SHIFT - 8),
};

typedef struct VestaCountersPart {
    VestaSiteCounters *chunks[VESTA_COUNTERS_INNER];
} VestaCountersPart;

/* All counters of one heap. */
typedef struct VestaCounts {
    uint64_t allocations, frees, short_lived;
    VestaGauge bytes;
    uint64_t unknown_blocks, unknown_frees, dropped; /* for which there was no memory */
    VestaGauge purposes[VESTA_PURPOSES];
    VestaStepTable *steps; /* atomic */
    VestaRecordPool pool;
    VestaCountersPart *parts[VESTA_COUNTERS_OUTER];
} VestaCounts;

/* Of the process. `epoch` counts its peaks. */
extern VESTA_HIDDEN VestaSharedLevel vesta_process_level;
extern VESTA_HIDDEN uint32_t vesta_peak_epoch;
extern VESTA_HIDDEN VestaSharedLevel vesta_purpose_levels[VESTA_PURPOSES];

/* A second heap came. */
extern VESTA_HIDDEN bool vesta_counts_are_shared;

void vesta_count_allocation(VestaCounts *counts, uint32_t site, size_t size, uint32_t thread);
void vesta_count_free(VestaCounts *counts, uint32_t site, size_t size, bool short_lived);

/* What a table has of a site's step, NULL if nothing. */
const VestaStepEntry *vesta_counters_step(const VestaStepTable *table, uint32_t site, uint32_t step);

/* The counters of a site, NULL if the heap never touched it. */
const VestaSiteCounters *vesta_counters_find(const VestaCounts *counts, uint32_t site);

#endif
