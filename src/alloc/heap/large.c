#include "large.h"

#include "span.h"
#include "span_cache.h"
#include "zeroing.h"
#include "../os/os.h"
#include "vesta/mem.h"

#if !VESTA_HARDENED

enum {
    /* From here on a block is given back to the system when it is freed: 128 MiB. Programs that use buffers of up to
     * some tens of MiB over and over would pay for their pages each time. */
    VERY_LARGE_PAGES = 128 << 20 >> VESTA_PAGE_SHIFT,
    /* From here on moving page tables is cheaper than copying and faulting in the copy: 256 KiB. */
    MOVE_PAGES = 256 << 10 >> VESTA_PAGE_SHIFT,
};

static void *address_of(const VestaPage *span) {
    return (void *)vesta_page_address(span);
}

/* Length classes keep the caches' spans interchangeable; a very long span need not be rounded up. */
static uint32_t pages_for(size_t size) {
    uint32_t pages = (uint32_t)((size + VESTA_PAGE_SIZE - 1) >> VESTA_PAGE_SHIFT);
    pages += pages == 0;
    return pages < VERY_LARGE_PAGES ? vesta_span_cache_length(vesta_span_cache_slot(pages)) : pages;
}

static bool is_too_large(size_t size) {
    return size >= VESTA_REGION_ALIGNMENT;
}

/* Makes a block of a span. One that needs more than to be put aside when it is freed has no slot. */
static void *make(VestaPage *span, uint8_t state, uint32_t site) {
    uint32_t slot = vesta_span_cache_slot(span->pages);
    bool cacheable =
        state == 0 && site == 0 && slot < VESTA_ALLOC_SPAN_CACHE_SLOTS && vesta_span_cache_length(slot) == span->pages;
    span->kind = VESTA_PAGE_LARGE;
    span->state = state;
    span->site = site;
    span->slot = (uint8_t)(cacheable ? slot : VESTA_NO_SLOT);
    return address_of(span);
}

/* A span from the span allocator. The time is looked at at each: a program of few large blocks comes here rarely. */
static VestaPage *take_span(VestaHeap *heap, size_t size, size_t alignment, VestaSpanWish wish, bool *zero) {
    vesta_span_decay();
    vesta_span_cache_expire(heap);
    uint32_t alignment_pages = alignment <= VESTA_PAGE_SIZE ? 1 : (uint32_t)(alignment >> VESTA_PAGE_SHIFT);
    return vesta_span_allocate(pages_for(size), alignment_pages, wish, zero);
}

void *vesta_large_allocate(VestaHeap *heap, size_t size, size_t alignment) {
    if (is_too_large(size) || is_too_large(alignment))
        return NULL;
    if (alignment <= VESTA_PAGE_SIZE && size > VESTA_SMALL_MAX) {
        void *block = vesta_large_pop(heap, size);
        if (block != NULL)
            return block;
    }
    bool zero;
    VestaPage *span = take_span(heap, size, alignment, VESTA_SPAN_WISH_BACKED, &zero);
    return span != NULL ? make(span, 0, 0) : NULL;
}

void *vesta_large_allocate_zeroed(VestaHeap *heap, size_t size, const void *site) {
    if (is_too_large(size))
        return NULL;
    VestaZeroing zeroing = vesta_zeroing_choose(site, size);
    void *block = zeroing.lazily ? NULL : vesta_large_pop(heap, size);
    bool zero = false;
    if (block == NULL) {
        VestaSpanWish wish = zeroing.lazily ? VESTA_SPAN_WISH_ZERO : VESTA_SPAN_WISH_BACKED;
        VestaPage *span = take_span(heap, size, VESTA_GRANULE, wish, &zero);
        if (span == NULL)
            return NULL;
        if (zeroing.lazily && !zero) {
            uintptr_t address = vesta_page_address(span);
            zero = vesta_os_purge(address, vesta_large_size(span));
            if (zero && !vesta_os_recommit(address, vesta_large_size(span))) {
                vesta_span_free(span, true);
                return NULL;
            }
        }
        block = make(span, 0, zeroing.lazily && zero ? zeroing.site : 0);
    }
    return zero ? block : vesta_memset(block, 0, size);
}

void vesta_large_free(VestaHeap *heap, VestaPage *span) {
    if (heap != NULL && vesta_large_push(heap, span))
        return;
    uintptr_t address = vesta_page_address(span);
    size_t size = vesta_large_size(span);
    if (span->site != 0)
        vesta_zeroing_learn(span->site, address, size);
    span->kind = VESTA_PAGE_NONE;
    bool zero = false;
    if ((span->state & VESTA_LARGE_MOVED) != 0)
        zero = vesta_os_renew(address, size);
    else if (span->pages >= VERY_LARGE_PAGES)
        zero = vesta_os_purge(address, size);
    vesta_span_free(span, zero);
}

/* Moves the block's pages to a new span with room to grow behind it. */
static void *move(VestaPage *span, uint32_t pages) {
    bool zero;
    VestaPage *target = vesta_span_allocate(pages, 1, VESTA_SPAN_WISH_GROWTH, &zero);
    if (target == NULL)
        return NULL;
    if (!vesta_os_move(vesta_page_address(span), vesta_page_address(target), vesta_large_size(span))) {
        /* The target may be gone, too: what cannot be renewed stays used for ever. */
        if (vesta_os_renew(vesta_page_address(target), (size_t)pages << VESTA_PAGE_SHIFT))
            vesta_span_free(target, true);
        return NULL;
    }
    void *block = make(target, VESTA_LARGE_MOVED, 0);
    span->kind = VESTA_PAGE_NONE;
    /* What was moved before leaves a range that must be renewed; one that never was is as good as purged. */
    bool renewed =
        (span->state & VESTA_LARGE_MOVED) == 0 || vesta_os_renew(vesta_page_address(span), vesta_large_size(span));
    vesta_span_free(span, renewed);
    return block;
}

void *vesta_large_resize(VestaPage *span, size_t size) {
    if (is_too_large(size))
        return NULL;
    uint32_t pages = pages_for(size);
    /* A block that keeps its place but not its length: what was known of its caller does not hold any more. */
    if (pages > span->pages) {
        if (vesta_span_extend(span, pages))
            return make(span, span->state, 0);
        return VESTA_OS_CAN_MOVE && span->pages >= MOVE_PAGES ? move(span, pages) : NULL;
    }
    /* Shrinking pays if it frees an eighth, and never for what must be renewed as a whole. */
    if (pages < span->pages - span->pages / 8 && (span->state & VESTA_LARGE_MOVED) == 0) {
        vesta_span_shrink(span, pages);
        return make(span, span->state, 0);
    }
    return address_of(span);
}

#endif
