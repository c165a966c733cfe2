/* The report: who allocated how much, from where, and what for. Recording is switched on in the environment
 * (VESTA_HOST_ALLOC_SITES=1), before the first block; it is exact, every block counts. */
#ifndef VESTA_REPORT_H
#define VESTA_REPORT_H

#include <stdint.h>

#include "api.h"
#include "purpose.h"

VESTA_BEGIN_DECLS

/* A site: a call stack that allocates, with a purpose. */
typedef struct VestaAllocSite {
    uint64_t id;         /* from 1 on, for the life of the process */
    const void *address; /* where the call of the allocator returns to; NULL if the stack was not kept */
    uint32_t depth;      /* return addresses in the stack: see vesta_alloc_site_stack */
    uint32_t truncated;  /* 1: the stack goes on */
    VestaPurpose purpose;
    uint32_t threads;            /* that allocated here */
    uint64_t allocations, bytes; /* since the start, as asked for */
    uint64_t frees, freed_bytes;
    uint64_t live_allocations, live_bytes;
    uint64_t peak_live_bytes;    /* its own highest; several threads: within 4 KiB per thread */
    uint64_t live_at_peak_bytes; /* when the whole process was at its highest */
    uint64_t short_lived;        /* freed before their thread's next 16 allocations */
    uint64_t min_size, max_size;
    uint64_t size_classes; /* steps of vesta_host_alloc_sizes that it has allocations in */
} VestaAllocSite;

/* Writes up to `capacity` sites, most allocated bytes first, and returns how many there are; 0 while nothing is
 * recorded. Safe: others may allocate meanwhile, whose figures are approximate. Cost: linear in sites times thread
 * heaps. */
VESTA_API unsigned vesta_alloc_sites_snapshot(VestaAllocSite *sites, unsigned capacity);

/* Writes up to `capacity` return addresses of a site's stack, the call of the allocator first, and returns its depth; 0
 * if there is no such site. Look addresses up one byte before: a call may be the last instruction of its function.
 * Safe. */
VESTA_API unsigned vesta_alloc_site_stack(uint64_t id, const void **addresses, unsigned capacity);

/* Whether sites are recorded: 1 or 0. Safe. */
VESTA_API int vesta_alloc_recording(void);

/* Writes the report's files into `directory`, which is made if it is not there; files of an earlier report there are
 * replaced. Returns 0, or -1 after a line on stderr that says what could not be written. Safe; one report at a time,
 * others wait. Cost: names are looked up, seconds for large programs. */
VESTA_API int vesta_alloc_write_csv(const char *directory);

VESTA_END_DECLS

#endif
