#include "stats.h"

#include "region.h"
#include "registry.h"
#include "span.h"
#include "vesta/host_alloc.h"

/* Live bytes are added up per heap, and for the process when this much has gathered: one shared line for many calls. */
enum { LIVE_STEP = 64 << 10 };

static int64_t live_bytes, peak_live_bytes;

static uint64_t get(const uint64_t *counter) {
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static void add_live(VestaHeap *heap, int64_t bytes) {
    int64_t here = __atomic_load_n(&heap->counters.live_bytes, __ATOMIC_RELAXED) + bytes;
    if (here >= LIVE_STEP || here <= -LIVE_STEP) {
        int64_t live = __atomic_add_fetch(&live_bytes, here, __ATOMIC_RELAXED);
        int64_t peak = __atomic_load_n(&peak_live_bytes, __ATOMIC_RELAXED);
        while (live > peak &&
               !__atomic_compare_exchange_n(&peak_live_bytes, &peak, live, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
        here = 0;
    }
    __atomic_store_n(&heap->counters.live_bytes, here, __ATOMIC_RELAXED);
}

static int is_large(size_t usable) {
    return usable > VESTA_SMALL_MAX;
}

void vesta_stats_allocated(VestaHeap *heap, void *block, size_t size, size_t usable, const VestaCaller *caller) {
    VestaCounters *counters = &heap->counters;
    vesta_counter_add(&counters->allocations, 1);
    vesta_counter_add(&counters->allocated_bytes, (int64_t)size);
    vesta_counter_add(&counters->purpose_allocations[vesta_purpose_now], 1);
    vesta_counter_add(&counters->purpose_bytes[vesta_purpose_now], (int64_t)size);
#ifdef VESTA_ALLOC_SIZE_HISTOGRAM
    uint32_t step = size <= VESTA_SMALL_MAX ? vesta_small_class(size) : VESTA_SMALL_CLASSES;
    vesta_counter_add(&counters->size_allocations[step], 1);
    vesta_counter_add(&counters->size_bytes[step], (int64_t)size);
#endif
    vesta_counter_add(&counters->large_blocks, is_large(usable));
    add_live(heap, (int64_t)usable);
    if (vesta_hooks.allocated != NULL)
        vesta_hooks.allocated(heap, block, size, caller);
}

VestaCounted vesta_stats_counted(const void *block, size_t usable) {
    return (VestaCounted){usable, vesta_hooks.recorded != NULL ? vesta_hooks.recorded(block) : 0};
}

void vesta_stats_freed(VestaHeap *heap, VestaCounted counted) {
    vesta_counter_add(&heap->counters.frees, 1);
    vesta_counter_add(&heap->counters.large_blocks, -is_large(counted.usable));
    add_live(heap, -(int64_t)counted.usable);
    if (vesta_hooks.freed != NULL)
        vesta_hooks.freed(heap, counted.record);
}

void vesta_host_alloc_stats(VestaHostStats *stats) {
    VestaRegionStats region;
    VestaSpanStats span;
    vesta_span_stats(&span, &region);
    *stats = (VestaHostStats){
        .counting = vesta_stats_on(),
        .used_bytes = (uint64_t)span.used_pages << VESTA_PAGE_SHIFT,
        .committed_bytes = region.committed_bytes,
        .peak_committed_bytes = region.peak_committed_bytes,
        .dirty_bytes = (uint64_t)span.dirty_pages << VESTA_PAGE_SHIFT,
        .purged_bytes = (uint64_t)span.purged_pages << VESTA_PAGE_SHIFT,
        .reserved_bytes = region.reserved_bytes,
        .regions = region.regions,
    };
    int64_t live = __atomic_load_n(&live_bytes, __ATOMIC_RELAXED);
    for (VestaHeap *heap = vesta_registry_first(); heap != NULL; heap = heap->next) {
        stats->thread_heaps++;
        stats->remote_frees += get(&heap->remote_frees);
        stats->slabs += get(&heap->slabs);
        stats->large_blocks += get(&heap->counters.large_blocks);
        stats->allocations += get(&heap->counters.allocations);
        stats->frees += get(&heap->counters.frees);
        stats->allocated_bytes += get(&heap->counters.allocated_bytes);
        live += __atomic_load_n(&heap->counters.live_bytes, __ATOMIC_RELAXED);
    }
    int64_t peak = __atomic_load_n(&peak_live_bytes, __ATOMIC_RELAXED);
    stats->live_bytes = (uint64_t)live;
    stats->peak_live_bytes = (uint64_t)(peak > live ? peak : live);
}

unsigned vesta_host_alloc_sizes(VestaHostSize *sizes, unsigned capacity) {
    unsigned count = 0;
#ifdef VESTA_ALLOC_SIZE_HISTOGRAM
    for (uint32_t step = 0; step <= VESTA_SMALL_CLASSES; step++) {
        VestaHostSize size = {
            .size_min = step == 0 ? 0 : vesta_small_size(step - 1) + 1,
            .size_max = step < VESTA_SMALL_CLASSES ? vesta_small_size(step) : PTRDIFF_MAX,
        };
        for (VestaHeap *heap = vesta_registry_first(); heap != NULL; heap = heap->next) {
            size.allocations += get(&heap->counters.size_allocations[step]);
            size.bytes += get(&heap->counters.size_bytes[step]);
        }
        if (size.allocations == 0)
            continue;
        if (count < capacity)
            sizes[count] = size;
        count++;
    }
#else
    (void)sizes;
    (void)capacity;
#endif
    return count;
}
