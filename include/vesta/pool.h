/* The page pool: small blocks out of a budget that is mapped once and never exceeded.
 *
 * The budget is cut into pages of 16 KiB, with a record of 32 bytes each behind the last page. A page serves one of 68
 * block sizes, 16 to 1,088 bytes in steps of 16, as long as one of its blocks is in use; then any size may have it.
 * Blocks carry no header and never move.
 *
 * Every feature has a switch of its own; all but one are fields of the configuration. The exception are the hardened
 * links, which the library is built with or without (VESTA_ALLOC_POOL_HARDEN, on): links between free blocks are
 * encoded with a key of the pool, a double free and a write to a free block are noticed.
 *
 * Not safe: the caller guarantees that one thread at a time uses a pool. */
#ifndef VESTA_POOL_H
#define VESTA_POOL_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "status.h"

VESTA_BEGIN_DECLS

#define VESTA_POOL_PAGE ((size_t)16 << 10)
#define VESTA_POOL_MAX_BLOCK 1088
#define VESTA_POOL_BUDGET ((size_t)8 << 20)
#define VESTA_POOL_KEEP_ALL UINT32_MAX /* for warm_pages: nothing goes back to the system */

typedef struct VestaPool VestaPool;

typedef struct VestaPoolConfig {
    size_t budget;          /* bytes, with the records; up to a quarter of the address space */
    uint32_t control_pages; /* set aside for vesta_pool_alloc_control */
    uint32_t reserve_pages; /* the last free pages, for sizes that have no page yet; 0 = no reserve */
    uint32_t warm_pages;    /* empty pages that stay backed by memory; the oldest beyond that goes back to the system */
    uint8_t lifetimes;      /* 1: blocks with different lifetime hints come from different pages */
    uint8_t fullest_first;  /* 1: of up to eight pages with room, the fullest is used first */
    /* Called when a block is found overwritten while it was free; NULL = nobody. The pool goes on without the blocks
     * behind it until their page is empty. */
    void (*on_overwritten)(void *context, void *block);
    void *context;
} VestaPoolConfig;

/* What a caller knows of a block's life. */
typedef enum VestaPoolLifetime { VESTA_POOL_SHORT = 0, VESTA_POOL_LONG = 1 } VestaPoolLifetime;

/* A configuration of `budget` bytes (0 = VESTA_POOL_BUDGET) with the measured best: 3 control pages, a reserve of 1.4
 * %, an eighth less one page warm, lifetimes on, fullest first off. */
VESTA_API VestaPoolConfig vesta_pool_defaults(size_t budget);

/* Makes a pool, or returns NULL if there is no memory or the budget has no page left for ordinary blocks. One mapping:
 * the budget, and in front of it some 4 KiB for the pool itself. Constant time. */
VESTA_API VestaPool *vesta_pool_create(const VestaPoolConfig *config);

/* Gives the memory back. NULL is ignored. */
VESTA_API void vesta_pool_destroy(VestaPool *pool);

/* Allocates `size` bytes with unspecified content, aligned to 16 bytes; a size of 0 counts as 1. NULL if it is larger
 * than VESTA_POOL_MAX_BLOCK or the budget is used up. Constant time. */
VESTA_API void *vesta_pool_alloc(VestaPool *pool, size_t size);

/* The same with a hint. */
VESTA_API void *vesta_pool_alloc_hint(VestaPool *pool, size_t size, VestaPoolLifetime lifetime);

/* The same out of the control pages, which nothing else uses: they are there when all else is full. */
VESTA_API void *vesta_pool_alloc_control(VestaPool *pool, size_t size);

/* Frees a block, whichever function it came from. Otherwise nothing happens and the answer is VESTA_DOUBLE_FREE,
 * or VESTA_FOREIGN for an address that is no block of the pool. Constant time; a suspected double
 * free looks through the free blocks of one page. NULL is ignored. */
VESTA_API VestaStatus vesta_pool_free(VestaPool *pool, void *block);

/* How many bytes of a block may be used. The block must be in use. Constant time. */
VESTA_API size_t vesta_pool_size(const VestaPool *pool, const void *block);

typedef struct VestaPoolReport {
    const void *memory;   /* where the pages lie */
    uint32_t pages;       /* all of them, the control pages too */
    uint32_t used_pages;  /* that serve a size; control pages too */
    uint32_t warm_pages;  /* empty and backed */
    uint64_t purged;      /* bytes given back to the system since the start */
    uint64_t overwritten; /* times that a block was found overwritten */
} VestaPoolReport;

/* Fills `*report`. Constant time. */
VESTA_API void vesta_pool_report(const VestaPool *pool, VestaPoolReport *report);

VESTA_END_DECLS

#endif
