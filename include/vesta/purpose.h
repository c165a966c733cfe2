/* Purposes: what the running code allocates for. Every block is counted under the purpose that its thread has at the
 * time; it keeps it until it is freed, whoever frees it. While nothing is recorded a purpose costs two moves. */
#ifndef VESTA_PURPOSE_H
#define VESTA_PURPOSE_H

#include <stdint.h>

#include "api.h"

VESTA_BEGIN_DECLS

/* How long the blocks will live. */
typedef enum VestaUse {
    VESTA_USE_UNKNOWN = 0,
    VESTA_USE_SHORT,  /* within a function or a request */
    VESTA_USE_MEDIUM, /* within a phase of the program */
    VESTA_USE_LONG,   /* until the program ends, or nearly so */
    VESTA_USE_CACHE,  /* until something else needs the room */
    VESTA_USES
} VestaUse;

/* Whether they will be resized. */
typedef enum VestaShape {
    VESTA_SHAPE_UNKNOWN = 0,
    VESTA_SHAPE_FIXED,   /* allocated at their final size */
    VESTA_SHAPE_GROWING, /* reallocated, or replaced by longer ones */
    VESTA_SHAPES
} VestaShape;

/* All zero, which every thread starts with, means that nothing is known. */
typedef struct VestaPurpose {
    uint8_t use;   /* VestaUse */
    uint8_t shape; /* VestaShape */
} VestaPurpose;

/* Sets the calling thread's purpose and returns the one before, to be set again when the work is done. Values outside
 * the enumerations count as unknown. Safe by partition. */
VESTA_API VestaPurpose vesta_alloc_set_purpose(VestaPurpose purpose);

/* The calling thread's purpose: to be read where work is handed out and set where it is done. Safe by partition. */
VESTA_API VestaPurpose vesta_alloc_purpose(void);

/* The word for it in reports, "unknown" for values outside the enumeration. Safe. */
VESTA_API const char *vesta_use_name(unsigned use);
VESTA_API const char *vesta_shape_name(unsigned shape);

/* What was allocated for one purpose. All sizes in bytes, as asked for. */
typedef struct VestaPurposeTotals {
    VestaPurpose purpose;
    uint64_t allocations, bytes;
    uint64_t live_bytes, peak_live_bytes; /* while sites are recorded, else 0 */
} VestaPurposeTotals;

/* Writes up to `capacity` purposes that something was allocated for and returns how many there are; at most VESTA_USES
 * times VESTA_SHAPES. Zero unless VESTA_HOST_ALLOC_STATS or VESTA_HOST_ALLOC_SITES is on. Safe; the figures of threads
 * that run meanwhile are approximate. */
VESTA_API unsigned vesta_alloc_purposes(VestaPurposeTotals *purposes, unsigned capacity);

VESTA_END_DECLS

#endif
