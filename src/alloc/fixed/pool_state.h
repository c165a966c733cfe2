/* What a page pool consists of: this, the pages, the records. */
#ifndef VESTA_FIXED_POOL_STATE_H
#define VESTA_FIXED_POOL_STATE_H

#include "mapping.h"
#include "../base/compiler.h"
#include "../base/free_list.h"
#include <vesta/pool.h>

#ifndef VESTA_ALLOC_POOL_HARDEN
#define VESTA_ALLOC_POOL_HARDEN 1
#endif

enum {
    VESTA_POOL_STEP = 16,
    VESTA_POOL_SIZES = VESTA_POOL_MAX_BLOCK / VESTA_POOL_STEP,
    VESTA_POOL_NONE = -1, /* as the index of a page */
};

/* A list of pages serves one size and one kind of block. */
enum { VESTA_POOL_KIND_SHORT, VESTA_POOL_KIND_LONG, VESTA_POOL_KIND_CONTROL, VESTA_POOL_KINDS };
enum { VESTA_POOL_LISTS = VESTA_POOL_KINDS * VESTA_POOL_SIZES };

typedef enum VestaPoolPageState {
    VESTA_POOL_NEW,
    VESTA_POOL_CURRENT, /* where its list's blocks come from */
    VESTA_POOL_LISTED,  /* has room, and waits to become current */
    VESTA_POOL_FULL,
    VESTA_POOL_RELEASED,
} VestaPoolPageState;

/* Two counters, so that allocating and freeing in turn do not wait for each other's writes. */
typedef struct VestaPoolPage {
    VestaFreeBlock *free; /* list of the blocks that were freed */
    int32_t next;         /* in the ring of its list or of the warm pages; in the stack of cold ones */
    int32_t previous;
    uint32_t inverse; /* for telling multiples of the block size */
    uint16_t fresh;   /* offset behind the blocks that were ever given out */
    /* Frees before one that needs attention: listed: blocks in use less one; current: no matter; otherwise none. */
    int16_t frees_left;
    uint16_t given; /* current: plus `frees_left`, in 15 bits, that is the blocks in use */
    uint16_t block_size;
    uint16_t capacity; /* blocks that can be in use */
    uint8_t list;
    uint8_t state;
} VestaPoolPage;

static inline uint32_t vesta_pool_current_in_use(const VestaPoolPage *page) {
    return (page->given + (uint32_t)page->frees_left) & INT16_MAX;
}

_Static_assert(sizeof(VestaPoolPage) == 32, "a page record is half a cache line");
_Static_assert(VESTA_POOL_LISTS <= UINT8_MAX, "a list fits its field");

/* A range of pages with a purpose: one for ordinary blocks, one for control. */
typedef struct VestaPoolZone {
    int32_t warm; /* ring of empty backed pages, the latest first */
    int32_t cold; /* stack of pages given back to the system */
    int32_t untouched, end;
    uint32_t warm_count, cold_count;
    uint32_t currents; /* lists that have a current page */
    uint32_t warm_pages, reserve;
    uint32_t first_list, end_list;
} VestaPoolZone;

struct VestaPool {
    VestaPoolPage *current[VESTA_POOL_LISTS]; /* the first of each list's ring, or `nothing` */
    uint64_t key;
    char *memory;
    size_t extent; /* bytes of all pages */
    VestaPoolPage *records;
    uint32_t long_lists; /* what a hint adds to the list: 0 with lifetimes off */
    bool fullest_first;
    uint32_t used_pages;
    uint64_t purged, overwritten;
    void (*on_overwritten)(void *context, void *block);
    void *context;
    VestaPoolZone ordinary, control;
    VestaPoolPage nothing; /* a page without room */
    VestaMapping mapping;
    uint32_t owned[VESTA_POOL_LISTS]; /* pages that a list has, full ones too */
};

static inline char *vesta_pool_memory(const VestaPool *self, const VestaPoolPage *page) {
    return self->memory + (size_t)(page - self->records) * VESTA_POOL_PAGE;
}

/* Makes a page with room the first of a list that has none; false if the budget does not allow it. */
VESTA_HIDDEN bool vesta_pool_refill(VestaPool *self, uint32_t list);

/* What must happen when `frees_left` has become negative; the answer to who freed. */
VESTA_HIDDEN VestaStatus vesta_pool_settle(VestaPool *self, VestaPoolPage *page);

/* Takes the full first page out of its list. */
VESTA_HIDDEN void vesta_pool_set_full(VestaPool *self, VestaPoolPage *page);

#endif
