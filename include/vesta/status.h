/* What the allocators for fixed memory answer. Errors change nothing: the allocator is as it was before the call. */
#ifndef VESTA_STATUS_H
#define VESTA_STATUS_H

typedef enum VestaStatus {
    VESTA_OK = 0,
    VESTA_EXHAUSTED,    /* no free block is large enough */
    VESTA_OUT_OF_NODES, /* no room to remember one block more */
    VESTA_TOO_LARGE,    /* larger than this allocator ever gives */
    VESTA_INVALID,      /* a size of 0, or an alignment that is not a power of two */
    VESTA_BAD_HANDLE,   /* not from this allocator, freed before, or from before a reset */
    VESTA_FOREIGN,      /* not an address that this allocator gave out */
    VESTA_DOUBLE_FREE,  /* a block that is free already */
    VESTA_OVERWRITTEN,  /* the memory of a free block was written to */
} VestaStatus;

#endif
