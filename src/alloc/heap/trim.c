/* Giving memory back when asked. */
#include "registry.h"
#include "remote.h"
#include "slab.h"
#include "span.h"
#include "span_cache.h"
#include "thread.h"
#include "vesta/host_alloc.h"

int vesta_host_trim(size_t keep) {
    VestaHeap *heap = vesta_heap_enter();
    if (heap == NULL)
        return 0;
    vesta_remote_flush(heap);
    vesta_remote_collect(heap);
    vesta_slab_deactivate_all(heap);
    vesta_registry_collect_all();
    vesta_span_cache_empty(heap);
    size_t purged = vesta_span_purge(keep >> VESTA_PAGE_SHIFT);
    vesta_heap_leave(heap);
    return purged != 0;
}
