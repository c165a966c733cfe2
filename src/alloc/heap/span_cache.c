#include "span_cache.h"

#include "span.h"

enum { BITS = 3, SLOTS = VESTA_ALLOC_SPAN_CACHE_SLOTS };

/* Slot 0 holds spans of one page. */
static uint32_t slot_of(uint32_t pages) {
    return vesta_class_up(pages, BITS) - 1;
}

uint32_t vesta_span_cache_length(uint32_t pages) {
    return (uint32_t)vesta_class_size(vesta_class_up(pages, BITS), BITS);
}

static size_t bytes_of(const VestaPage *span) {
    return (size_t)span->pages << VESTA_PAGE_SHIFT;
}

VestaPage *vesta_span_cache_hit(VestaHeap *heap, uint32_t pages) {
    uint32_t slot = slot_of(pages);
    if (slot >= SLOTS)
        return NULL;
    VestaPage **spans = &heap->cache.spans[slot];
    if (__atomic_load_n(spans, __ATOMIC_RELAXED) == NULL)
        return NULL;
    VestaPage *span = __atomic_exchange_n(spans, NULL, __ATOMIC_ACQUIRE);
    if (span == NULL)
        return NULL;
    if (span->next != NULL)
        __atomic_store_n(spans, span->next, __ATOMIC_RELEASE);
    heap->cache.bytes -= bytes_of(span);
    return span;
}

VestaPage *vesta_span_cache_take(VestaHeap *heap, uint32_t pages) {
    bool zero;
    VestaPage *span = vesta_span_cache_hit(heap, pages);
    return span != NULL ? span : vesta_span_allocate(pages, 1, VESTA_SPAN_WISH_BACKED, &zero);
}

/* What a trimming thread took is known to it alone: count again. Only the owner adds, so the lists can only shrink. */
static void recount(VestaHeap *heap) {
    VestaSpanCache *cache = &heap->cache;
    __atomic_store_n(&cache->robbed, false, __ATOMIC_RELAXED);
    cache->bytes = 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        VestaPage *spans = __atomic_exchange_n(&cache->spans[slot], NULL, __ATOMIC_ACQUIRE);
        for (VestaPage *span = spans; span != NULL; span = span->next)
            cache->bytes += bytes_of(span);
        if (spans != NULL)
            __atomic_store_n(&cache->spans[slot], spans, __ATOMIC_RELEASE);
    }
}

void vesta_span_cache_put(VestaHeap *heap, VestaPage *span) {
    VestaSpanCache *cache = &heap->cache;
    uint32_t slot = slot_of(span->pages);
    if (VESTA_UNLIKELY(__atomic_load_n(&cache->robbed, __ATOMIC_ACQUIRE)))
        recount(heap);
    if (slot >= SLOTS || cache->bytes + bytes_of(span) > VESTA_ALLOC_SPAN_CACHE_BYTES ||
        vesta_span_cache_length(span->pages) != span->pages) {
        vesta_span_free(span, false);
        return;
    }
    cache->bytes += bytes_of(span);
    span->next = __atomic_exchange_n(&cache->spans[slot], NULL, __ATOMIC_ACQUIRE);
    __atomic_store_n(&cache->spans[slot], span, __ATOMIC_RELEASE);
}

void vesta_span_cache_empty(VestaHeap *heap) {
    VestaSpanCache *cache = &heap->cache;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        if (__atomic_load_n(&cache->spans[slot], __ATOMIC_RELAXED) == NULL)
            continue;
        VestaPage *span = __atomic_exchange_n(&cache->spans[slot], NULL, __ATOMIC_ACQUIRE);
        if (span != NULL)
            __atomic_store_n(&cache->robbed, true, __ATOMIC_RELEASE);
        for (VestaPage *next = NULL; span != NULL; span = next) {
            next = span->next;
            vesta_span_free(span, false);
        }
    }
}

void vesta_span_cache_expire(VestaHeap *heap) {
    uint32_t tick = vesta_span_tick();
    if (VESTA_LIKELY(heap->tick == tick))
        return;
    heap->tick = tick;
    vesta_span_cache_empty(heap);
}
