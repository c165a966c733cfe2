/* What was counted, added up over all thread heaps. */
#include "record.h"
#include "settings.h"
#include "recorder.h"
#include "../../alloc/heap/registry.h"
#include "../../alloc/heap/size_classes.h"

static inline uint64_t get(const uint64_t *counter) {
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static inline int64_t get_level(const int64_t *level) {
    return __atomic_load_n(level, __ATOMIC_RELAXED);
}

/* The first heap from `heap` on that has something to tell, NULL if there is none. */
static VestaHeap *recorded_heap(VestaHeap *heap) {
    while (heap != NULL && __atomic_load_n(&heap->record, __ATOMIC_ACQUIRE) == NULL)
        heap = heap->next;
    return heap;
}

#define FOR_EACH_RECORDED(heap)                                                                                        \
    for (VestaHeap *heap = recorded_heap(vesta_registry_first()); heap != NULL; heap = recorded_heap(heap->next))

static const VestaCounts *counts_of(const VestaHeap *heap) {
    return &((const VestaRecorder *)heap->record)->counts;
}

/* What is known of a level while others change it: neither less than nothing nor a peak below what is. */
typedef struct Level {
    int64_t live, peak;
} Level;

static void add_gauge(Level *level, const VestaGauge *gauge) {
    level->live += (int64_t)(get(&gauge->up) - get(&gauge->down));
    int64_t peak = get_level(&gauge->peak);
    level->peak = peak > level->peak ? peak : level->peak;
}

static uint64_t live_of(const Level *level) {
    return level->live > 0 ? (uint64_t)level->live : 0;
}

static uint64_t peak_of(const Level *level, const VestaSharedLevel *shared) {
    int64_t peak = get_level(&shared->peak);
    peak = peak > level->peak ? peak : level->peak;
    return peak > level->live ? (uint64_t)peak : live_of(level);
}

/* ---- Sites ---- */

uint32_t vesta_record_sites(void) {
    return vesta_alloc_recording() ? vesta_stack_sites() : 0;
}

bool vesta_record_site(uint32_t id, VestaAllocSite *site) {
    *site = (VestaAllocSite){.id = id, .min_size = UINT64_MAX};
    const VestaSite *known = vesta_stack_site_at(id);
    if (known == NULL)
        return false;
    Level level = {0, 0};
    int64_t at_peak = 0;
    FOR_EACH_RECORDED(heap) {
        const VestaSiteCounters *counters = vesta_counters_find(counts_of(heap), id);
        if (counters == NULL)
            continue;
        /* What was not touched since the peak is as it was then. */
        bool is_current = __atomic_load_n(&counters->peak_epoch, __ATOMIC_RELAXED) ==
                          __atomic_load_n(&vesta_peak_epoch, __ATOMIC_RELAXED);
        at_peak += is_current ? get_level(&counters->at_peak)
                              : (int64_t)(get(&counters->bytes.up) - get(&counters->bytes.down));
        add_gauge(&level, &counters->bytes);
        site->frees += get(&counters->frees);
        site->freed_bytes += get(&counters->bytes.down);
        site->short_lived += get(&counters->short_lived);
        if (get(&counters->allocations) == 0)
            continue;
        site->allocations += get(&counters->allocations);
        site->bytes += get(&counters->bytes.up);
        site->threads += __atomic_load_n(&counters->threads, __ATOMIC_RELAXED);
        uint64_t min = get(&counters->min_size), max = get(&counters->max_size);
        site->min_size = min < site->min_size ? min : site->min_size;
        site->max_size = max > site->max_size ? max : site->max_size;
    }
    if (site->allocations == 0)
        return false;
    site->live_allocations = site->allocations > site->frees ? site->allocations - site->frees : 0;
    site->live_bytes = live_of(&level);
    site->peak_live_bytes = peak_of(&level, &known->level);
    site->live_at_peak_bytes = at_peak > 0 ? (uint64_t)at_peak : 0;
    VestaStackInfo info;
    vesta_stack_info(known, &info);
    site->address = (const void *)info.address;
    site->depth = info.depth;
    site->truncated = info.truncated;
    site->purpose = vesta_purpose_of(info.purpose);
    site->size_classes = vesta_record_site_sizes(id, NULL, 0);
    return true;
}

unsigned vesta_alloc_site_stack(uint64_t id, const void **addresses, unsigned capacity) {
    const VestaSite *site = id <= UINT32_MAX ? vesta_stack_site_at((uint32_t)id) : NULL;
    return site != NULL ? vesta_stack_addresses(site, addresses, capacity) : 0;
}

/* ---- Size steps ---- */

typedef struct Steps {
    uint64_t allocations[VESTA_SMALL_CLASSES + 1], bytes[VESTA_SMALL_CLASSES + 1];
} Steps;

_Static_assert(VESTA_SMALL_CLASSES < VESTA_RECORD_STEPS && VESTA_SMALL_CLASSES < VESTA_STEP_KEYS, "steps have numbers");

/* What a heap counted for the site: the steps in its table, and all the rest for the site's main step. */
static void add_steps(Steps *steps, const VestaCounts *counts, uint32_t id) {
    const VestaSiteCounters *counters = vesta_counters_find(counts, id);
    if (counters == NULL || get(&counters->allocations) == 0)
        return;
    uint32_t main_step = __atomic_load_n(&counters->main_step, __ATOMIC_RELAXED);
    uint64_t allocations = get(&counters->allocations), bytes = get(&counters->bytes.up);
    const VestaStepTable *table = __atomic_load_n(&counts->steps, __ATOMIC_ACQUIRE);
    for (uint32_t step = 0; table != NULL && step <= VESTA_SMALL_CLASSES; step++) {
        const VestaStepEntry *entry = step != main_step ? vesta_counters_step(table, id, step) : NULL;
        if (entry == NULL)
            continue;
        steps->allocations[step] += get(&entry->allocations);
        steps->bytes[step] += get(&entry->bytes);
        allocations -= get(&entry->allocations);
        bytes -= get(&entry->bytes);
    }
    steps->allocations[main_step] += allocations;
    steps->bytes[main_step] += bytes;
}

unsigned vesta_record_site_sizes(uint32_t id, VestaHostSize *out, unsigned capacity) {
    Steps steps = {.allocations = {0}};
    FOR_EACH_RECORDED(heap)
    add_steps(&steps, counts_of(heap), id);
    unsigned count = 0;
    for (uint32_t step = 0; step <= VESTA_SMALL_CLASSES; step++) {
        if (steps.allocations[step] == 0)
            continue;
        if (count < capacity)
            out[count] = (VestaHostSize){
                .size_min = step == 0 ? 0 : vesta_small_size(step - 1) + 1,
                .size_max = step < VESTA_SMALL_CLASSES ? vesta_small_size(step) : PTRDIFF_MAX,
                .allocations = steps.allocations[step],
                .bytes = steps.bytes[step],
            };
        count++;
    }
    return count;
}

/* ---- The process ---- */

void vesta_record_process(VestaRecordTotals *totals) {
    *totals = (VestaRecordTotals){.depth_limit = vesta_record_depth_limit(),
                                  .threads = vesta_recorded_threads(),
                                  .forked = vesta_record_forked(),
                                  .own_bytes = vesta_record_memory()};
    Level level = {0, 0};
    FOR_EACH_RECORDED(heap) {
        const VestaCounts *counts = counts_of(heap);
        totals->allocations += get(&counts->allocations);
        totals->frees += get(&counts->frees);
        totals->bytes += get(&counts->bytes.up);
        totals->freed_bytes += get(&counts->bytes.down);
        totals->short_lived += get(&counts->short_lived);
        totals->dropped_sites += get(&counts->dropped);
        totals->unknown_blocks += get(&counts->unknown_blocks);
        totals->unknown_frees += get(&counts->unknown_frees);
        add_gauge(&level, &counts->bytes);
    }
    totals->live_allocations = totals->allocations > totals->frees ? totals->allocations - totals->frees : 0;
    totals->live_bytes = live_of(&level);
    totals->peak_live_bytes = peak_of(&level, &vesta_process_level);
}

void vesta_record_totals(VestaRecordTotals *totals) {
    vesta_record_process(totals);
    for (uint32_t id = vesta_record_sites(); id != 0; id--) {
        bool used = false;
        FOR_EACH_RECORDED(heap) {
            const VestaSiteCounters *counters = vesta_counters_find(counts_of(heap), id);
            used = used || (counters != NULL && get(&counters->allocations) != 0);
        }
        VestaStackInfo info;
        vesta_stack_info(vesta_stack_site_at(id), &info);
        totals->sites += used;
        totals->truncated += used && info.truncated;
        totals->broken += used && info.broken;
    }
}

unsigned vesta_alloc_purposes(VestaPurposeTotals *purposes, unsigned capacity) {
    unsigned count = 0;
    for (uint32_t i = 0; i < VESTA_PURPOSES; i++) {
        VestaPurposeTotals total = {.purpose = vesta_purpose_of(i)};
        Level level = {0, 0};
        for (VestaHeap *heap = vesta_registry_first(); heap != NULL; heap = heap->next) {
            total.allocations += get(&heap->counters.purpose_allocations[i]);
            total.bytes += get(&heap->counters.purpose_bytes[i]);
        }
        FOR_EACH_RECORDED(heap)
        add_gauge(&level, &counts_of(heap)->purposes[i]);
        if (total.allocations == 0)
            continue;
        total.live_bytes = live_of(&level);
        total.peak_live_bytes = peak_of(&level, &vesta_purpose_levels[i]);
        if (count < capacity)
            purposes[count] = total;
        count++;
    }
    return count;
}

/* ---- Sorted: a heap whose root is the least of what was kept (J. W. J. Williams, "Heapsort", 1964) ---- */

static bool is_less(const VestaAllocSite *a, const VestaAllocSite *b) {
    return a->bytes != b->bytes ? a->bytes < b->bytes : a->id > b->id;
}

static void sift_down(VestaAllocSite *sites, unsigned count, unsigned at) {
    VestaAllocSite moved = sites[at];
    for (unsigned child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && is_less(&sites[child + 1], &sites[child]);
        if (!is_less(&sites[child], &moved))
            break;
        sites[at] = sites[child];
    }
    sites[at] = moved;
}

unsigned vesta_alloc_sites_snapshot(VestaAllocSite *sites, unsigned capacity) {
    unsigned count = 0, kept = 0;
    for (uint32_t id = 1, end = vesta_record_sites(); id <= end; id++) {
        VestaAllocSite site;
        if (!vesta_record_site(id, &site))
            continue;
        count++;
        if (kept < capacity) {
            sites[kept++] = site;
            for (unsigned i = kept == capacity ? kept / 2 : 0; i-- != 0;)
                sift_down(sites, kept, i);
        } else if (capacity != 0 && is_less(&sites[0], &site)) {
            sites[0] = site;
            sift_down(sites, kept, 0);
        }
    }
    for (unsigned i = kept < capacity ? kept / 2 : 0; i-- != 0;)
        sift_down(sites, kept, i);
    for (unsigned end = kept; end > 1;) {
        VestaAllocSite least = sites[0];
        sites[0] = sites[--end];
        sites[end] = least;
        sift_down(sites, end, 0);
    }
    return count;
}
