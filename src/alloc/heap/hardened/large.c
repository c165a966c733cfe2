/* Large blocks of the hardened build: a span each, with a guard behind it; a block that is freed cannot be touched. */
#include "../large.h"

#include "guarded_span.h"
#include "slab.h"
#include "../error.h"

#if VESTA_HARDENED

enum {
    /* What is longer does not wait: address space that nobody can use. */
    HELD_PAGES_MAX = 32 << 20 >> VESTA_PAGE_SHIFT,
    SPAN_BITS = 3,
};

static uint32_t pages_for(size_t size) {
    uint32_t pages = (uint32_t)((size + VESTA_PAGE_SIZE - 1) >> VESTA_PAGE_SHIFT);
    return pages + (pages == 0);
}

/* Room to grow into, inaccessible until then: up to the next of eight steps per doubling. */
static uint32_t with_room(uint32_t pages) {
    return (uint32_t)vesta_class_size(vesta_class_up(pages, SPAN_BITS), SPAN_BITS);
}

static uint32_t room_of(const VestaPage *span) {
    return span->pages - VESTA_ALLOC_HARDEN_GUARDS;
}

void *vesta_large_allocate(VestaHeap *heap, size_t size, size_t alignment) {
    if (size >= VESTA_REGION_ALIGNMENT || alignment >= VESTA_REGION_ALIGNMENT)
        return NULL;
    uint32_t pages = pages_for(size);
    uint32_t alignment_pages = alignment <= VESTA_PAGE_SIZE ? 1 : (uint32_t)(alignment >> VESTA_PAGE_SHIFT);
    VestaPage *span = vesta_guarded_span_allocate(with_room(pages), alignment_pages, pages);
    if (span == NULL) {
        vesta_hardened_let_go(heap);
        if ((span = vesta_guarded_span_allocate(with_room(pages), alignment_pages, pages)) == NULL)
            return NULL;
    }
    span->size = size;
    __atomic_store_n(&span->kind, VESTA_PAGE_LARGE, __ATOMIC_RELEASE);
    return (void *)vesta_page_address(span);
}

void *vesta_large_allocate_zeroed(VestaHeap *heap, size_t size, const void *site) {
    (void)site;
    return vesta_large_allocate(heap, size, VESTA_GRANULE);
}

void vesta_large_free(VestaHeap *heap, VestaPage *span) {
    if (VESTA_UNLIKELY(__atomic_exchange_n(&span->kind, VESTA_PAGE_NONE, __ATOMIC_ACQ_REL) != VESTA_PAGE_LARGE)) {
        vesta_heap_error("free of a block that is not in use", (const void *)vesta_page_address(span));
        return;
    }
    vesta_guarded_span_conceal(span);
    if (heap != NULL && VESTA_ALLOC_HARDEN_QUARANTINE && span->pages <= HELD_PAGES_MAX)
        vesta_hardened_hold(heap, span);
    else
        vesta_guarded_span_free(span);
}

void *vesta_large_resize(VestaPage *span, size_t size) {
    if (size >= VESTA_REGION_ALIGNMENT)
        return NULL;
    uint32_t pages = pages_for(size);
    if (pages > room_of(span) || pages < room_of(span) / 2 || !vesta_guarded_span_commit(span, pages))
        return NULL;
    span->size = size;
    return (void *)vesta_page_address(span);
}

#endif
