#include "large.h"

#include "span.h"
#include "span_cache.h"
#include "zeroing.h"
#include "../os/os.h"
#include "vesta/mem.h"

enum {
    /* From here on a block is given back to the system when it is freed: 32 MiB. */
    VERY_LARGE_PAGES = 32 << 20 >> VESTA_PAGE_SHIFT,
    /* From here on moving page tables is cheaper than copying and faulting in the copy: 256 KiB. */
    MOVE_PAGES = 256 << 10 >> VESTA_PAGE_SHIFT,
};

static void *address_of(const VestaPage *span) {
    return (void *)vesta_page_address(span);
}

/* Length classes keep the caches' spans interchangeable; a very long span need not be rounded up. */
static uint32_t pages_for(size_t size) {
    uint32_t pages = (uint32_t)((size + VESTA_PAGE_SIZE - 1) >> VESTA_PAGE_SHIFT);
    return pages < VERY_LARGE_PAGES ? vesta_span_cache_length(pages == 0 ? 1 : pages) : pages;
}

static bool is_too_large(size_t size) {
    return size >= VESTA_REGION_ALIGNMENT;
}

static void count(VestaHeap *heap, int change) {
    __atomic_store_n(&heap->large_blocks, heap->large_blocks + (uint64_t)change, __ATOMIC_RELAXED);
}

static void *make(VestaPage *span) {
    span->kind = VESTA_PAGE_LARGE;
    span->state = 0;
    span->site = 0;
    return address_of(span);
}

static void *give(VestaHeap *heap, VestaPage *span) {
    if (span == NULL)
        return NULL;
    count(heap, 1);
    return make(span);
}

void *vesta_large_allocate(VestaHeap *heap, size_t size, size_t alignment) {
    if (is_too_large(size) || is_too_large(alignment))
        return NULL;
    uint32_t pages = pages_for(size);
    if (alignment <= VESTA_PAGE_SIZE)
        return give(heap, vesta_span_cache_take(heap, pages));
    bool zero;
    return give(heap,
                vesta_span_allocate(pages, (uint32_t)(alignment >> VESTA_PAGE_SHIFT), VESTA_SPAN_WISH_BACKED, &zero));
}

void *vesta_large_allocate_zeroed(VestaHeap *heap, size_t size, const void *site) {
    if (is_too_large(size))
        return NULL;
    uint32_t pages = pages_for(size);
    VestaZeroing zeroing = vesta_zeroing_choose(site, (size_t)pages << VESTA_PAGE_SHIFT);
    bool zero = false;
    VestaPage *span = zeroing.lazily ? NULL : vesta_span_cache_hit(heap, pages);
    if (span == NULL)
        span = vesta_span_allocate(pages, 1, zeroing.lazily ? VESTA_SPAN_WISH_ZERO : VESTA_SPAN_WISH_BACKED, &zero);
    void *block = give(heap, span);
    if (block == NULL)
        return NULL;
    if (!zero && zeroing.lazily)
        zero = vesta_os_purge((uintptr_t)block, vesta_large_size(span));
    if (!zero)
        vesta_memset(block, 0, size);
    else if (zeroing.lazily)
        span->site = zeroing.site;
    return block;
}

void vesta_large_free(VestaHeap *heap, VestaPage *span) {
    uintptr_t address = vesta_page_address(span);
    size_t size = vesta_large_size(span);
    count(heap, -1);
    if (span->site != 0)
        vesta_zeroing_learn(span->site, address, size);
    span->kind = VESTA_PAGE_NONE;
    if ((span->state & VESTA_LARGE_MOVED) != 0)
        vesta_span_free(span, vesta_os_renew(address, size));
    else if (span->pages >= VERY_LARGE_PAGES)
        vesta_span_free(span, vesta_os_purge(address, size));
    else
        vesta_span_cache_put(heap, span);
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
    void *block = make(target);
    target->state = VESTA_LARGE_MOVED;
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
    if (pages > span->pages) {
        if (vesta_span_extend(span, pages))
            return address_of(span);
        return span->pages >= MOVE_PAGES ? move(span, pages) : NULL;
    }
    /* Shrinking pays if it frees an eighth, and never for what must be renewed as a whole. */
    if (pages < span->pages - span->pages / 8 && (span->state & VESTA_LARGE_MOVED) == 0)
        vesta_span_shrink(span, pages);
    return address_of(span);
}
