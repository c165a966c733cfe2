/* Pages and their records.
 *
 * A region begins at a multiple of 1 TiB with a dense array of 64-byte records, one per 16 KiB page, so that a
 * pointer's record is found by arithmetic, and a record's page too. Records lie out of line: an overflow of a block
 * cannot reach them. Records of pages that were never used read as zero, which says "not in use". */
#ifndef VESTA_HEAP_PAGE_H
#define VESTA_HEAP_PAGE_H

#include "hardened/switches.h"
#include "../base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VESTA_REGION_SHIFT 40
#define VESTA_REGION_ALIGNMENT ((uintptr_t)1 << VESTA_REGION_SHIFT)
#define VESTA_PAGE_SHIFT 14
#define VESTA_PAGE_SIZE ((size_t)1 << VESTA_PAGE_SHIFT)

typedef struct VestaHeap VestaHeap;
typedef struct VestaPage VestaPage;

/* A list of free blocks, and how many more may be freed to it before something must happen. */
typedef struct VestaBin {
    void *list;
    uint32_t frees_left;
    uint32_t block_size; /* bytes */
} VestaBin;

/* The first block of the list, which is taken out, or NULL. */
VESTA_INLINE void *vesta_bin_pop(VestaBin *bin) {
    void *block = bin->list;
    if (VESTA_LIKELY(block != NULL))
        bin->list = *(void **)block;
    return block;
}

/* Puts a block in front; true if that was the last free before something must happen. */
VESTA_INLINE bool vesta_bin_push(VestaBin *bin, void *block) {
    *(void **)block = bin->list;
    bin->list = block;
    return VESTA_UNLIKELY(--bin->frees_left == 0);
}

/* What a span is, as the span allocator sees it; read and written under its lock only. */
enum { VESTA_SPAN_NONE, VESTA_SPAN_USED, VESTA_SPAN_DIRTY, VESTA_SPAN_CLEAN };

/* What a used span holds; in every page's record for slabs, in the first one's for large blocks. */
enum { VESTA_PAGE_NONE, VESTA_PAGE_SLAB, VESTA_PAGE_LARGE };

enum { VESTA_SLAB_ACTIVE, VESTA_SLAB_FULL, VESTA_SLAB_PARTIAL };

/* A large block that needs more than to be put aside when it is freed. */
enum { VESTA_NO_SLOT = UINT8_MAX };

/* Its pages came from elsewhere: the range must be renewed before it serves anybody else. */
enum { VESTA_LARGE_MOVED = 1 };

/* The hardened build keeps a bit per block. */
enum { VESTA_SLAB_WORDS = 1024 / 64 };

struct VestaPage {
    /* Every page of a slab, written when its state changes; the first three are all that free() reads. */
    VestaHeap *owner; /* NULL unless the page belongs to a slab */
    VestaBin *bin;    /* where frees go: the heap's bin while the slab is active, else the slab's own */
    VestaBin own;     /* list and frees_left in the first page only, block_size in all */
    /* First page of a slab or of a free span. */
    VestaPage *next;
    VestaPage *previous;
    uint32_t pages; /* the span's length; also in the last record of a free span */
    union {
        uint32_t distance; /* slab: pages back to the first */
        uint32_t tick;     /* dirty span: when it was freed */
        uint32_t site;     /* large block: its entry in the table of zeroing plus one, or 0 */
    };
    uint16_t capacity; /* blocks that the slab has room for */
    uint16_t fresh;    /* blocks that were put on a list so far; the rest was never touched */
    uint8_t kind;
    uint8_t state; /* slab: one of VESTA_SLAB_*; large block: VESTA_LARGE_* flags */
    union {
        uint8_t slab_class;
        uint8_t slot; /* large block: where it may be cached when it is freed, or VESTA_NO_SLOT */
    };
    uint8_t span_state;
#if VESTA_HARDENED
    uint16_t used_blocks;
    uint32_t committed;  /* pages of the span that may be touched */
    uint64_t reciprocal; /* slab: 2^32 divided by the granules of a block */
    size_t size;         /* large block: what was asked for */
    _Alignas(64) uint64_t used[VESTA_SLAB_WORDS];
    uint64_t live[VESTA_SLAB_WORDS];
    char unused[512 - 128 - 2 * 8 * VESTA_SLAB_WORDS];
#endif
};

#if VESTA_HARDENED
#define VESTA_RECORD_SHIFT 9
#else
#define VESTA_RECORD_SHIFT 6 /* a cache line */
#endif
_Static_assert(sizeof(VestaPage) == 1 << VESTA_RECORD_SHIFT, "the place of a record follows from its page");

static inline VestaPage *vesta_page_at(uintptr_t region, uintptr_t offset) {
    return (VestaPage *)(region + (offset >> VESTA_PAGE_SHIFT << VESTA_RECORD_SHIFT));
}

/* The record of the page that holds `address`, which must lie in a region. */
static inline VestaPage *vesta_page_of(const void *address) {
    uintptr_t region = (uintptr_t)address & ~(VESTA_REGION_ALIGNMENT - 1);
    return vesta_page_at(region, (uintptr_t)address - region);
}

/* Where the page of a record begins. */
static inline uintptr_t vesta_page_address(const VestaPage *page) {
    uintptr_t region = (uintptr_t)page & ~(VESTA_REGION_ALIGNMENT - 1);
    return region + (((uintptr_t)page - region) >> VESTA_RECORD_SHIFT << VESTA_PAGE_SHIFT);
}

static inline VestaHeap *vesta_page_owner(const VestaPage *page) {
    return __atomic_load_n(&page->owner, __ATOMIC_RELAXED);
}

#endif
