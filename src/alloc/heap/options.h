/* What the environment asks of the heap, read once, before the first block is given out. */
#ifndef VESTA_HEAP_OPTIONS_H
#define VESTA_HEAP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../base/compiler.h"

typedef struct VestaOptions {
    bool stats;         /* VESTA_HOST_ALLOC_STATS: count, and print a summary at exit */
    bool report_errors; /* VESTA_HOST_ALLOC_ON_ERROR=report: a hard error is printed and the call ignored */
    bool huge_pages;    /* VESTA_HOST_ALLOC_HUGE_PAGES: ask the system for huge pages */
    uint32_t decay;     /* VESTA_HOST_ALLOC_DECAY_MS: how long free memory may stay backed, in milliseconds */
    size_t limit;       /* VESTA_HOST_ALLOC_LIMIT: bytes that may be committed; further requests fail */
} VestaOptions;

extern VESTA_HIDDEN VestaOptions vesta_options;

void vesta_options_read(void);

#endif
