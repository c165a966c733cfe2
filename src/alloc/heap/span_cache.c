#include "span_cache.h"

#include "span.h"

void vesta_span_cache_empty(VestaHeap *heap) {
    for (uint32_t slot = 0; slot < VESTA_ALLOC_SPAN_CACHE_SLOTS && heap->cache.bytes != 0; slot++)
        for (VestaPage *span; (span = vesta_span_cache_pop(heap, slot)) != NULL;)
            vesta_span_free(span, false);
}

void vesta_span_cache_expire(VestaHeap *heap) {
    uint32_t tick = vesta_span_tick();
    if (VESTA_LIKELY(heap->tick == tick))
        return;
    heap->tick = tick;
    vesta_span_cache_empty(heap);
}
