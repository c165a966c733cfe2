/* What the recorder keeps per thread heap; it passes on to the next thread with the heap. And the little that is truly
 * the thread's own. */
#ifndef VESTA_RECORD_RECORDER_H
#define VESTA_RECORD_RECORDER_H

#include "blocks.h"
#include "counters.h"
#include "walk.h"

enum { VESTA_SITE_CACHE = 4096, VESTA_RECENT = 16 };

/* Sites by a hash of stack and purpose: 64 bits, which are trusted. Among a million stacks the odds that two are alike
 * are one in 37 million. */
typedef struct VestaCachedSite {
    uint64_t hash;
    uint32_t site;
} VestaCachedSite;

typedef struct VestaRecorder {
    VestaCounts counts;
    VestaBlockArrays arrays;
    uint32_t recent[VESTA_RECENT]; /* the last blocks allocated, by address / 16 */
    uint32_t recent_next;
    VestaWalker walker;
    VestaCachedSite cache[VESTA_SITE_CACHE];
} VestaRecorder;

typedef struct VestaRecordedThread {
    uint32_t number; /* from 1 on; 0: it has not been seen yet */
    VestaStackLimits stack;
} VestaRecordedThread;

extern VESTA_HIDDEN _Thread_local VestaRecordedThread vesta_recorded_thread __attribute__((tls_model("initial-exec")));

uint32_t vesta_recorded_threads(void);

#endif
