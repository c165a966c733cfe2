/* The spans that a thread keeps to itself for a while: no lock for a slab or a large block that comes and goes. */
#ifndef VESTA_HEAP_SPAN_CACHE_H
#define VESTA_HEAP_SPAN_CACHE_H

#include "heap.h"

/* The length in pages that large blocks of `pages` pages get, so that spans of one class can take each other's place.
 */
uint32_t vesta_span_cache_length(uint32_t pages);

/* A span of `pages` pages, a length that vesta_span_cache_length keeps; what it holds is unspecified. */
VestaPage *vesta_span_cache_take(VestaHeap *heap, uint32_t pages);

/* As above, but only if the cache has one. */
VestaPage *vesta_span_cache_hit(VestaHeap *heap, uint32_t pages);

/* Keeps a span, or hands it to the span allocator where it is too large or the cache is full. */
void vesta_span_cache_put(VestaHeap *heap, VestaPage *span);

/* Hands everything to the span allocator; for any heap, from any thread. */
void vesta_span_cache_empty(VestaHeap *heap);

/* The same by the owner, when the time has come. */
void vesta_span_cache_expire(VestaHeap *heap);

#endif
