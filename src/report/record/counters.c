#include "counters.h"

#include "../../alloc/heap/heap.h"
#include "../../alloc/heap/size_classes.h"
#include "vesta/mem.h"

/* How much gathers before it is passed on. */
enum { SITE_STEP = 4 << 10, PURPOSE_STEP = 16 << 10, PROCESS_STEP = 16 << 10 };

VestaSharedLevel vesta_process_level;
VestaSharedLevel vesta_purpose_levels[VESTA_PURPOSES];
uint32_t vesta_peak_epoch;
bool vesta_counts_are_shared;

static inline uint64_t get(const uint64_t *counter) {
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

static inline void set(uint64_t *counter, uint64_t value) {
    __atomic_store_n(counter, value, __ATOMIC_RELAXED);
}

static inline int64_t get_level(const int64_t *level) {
    return __atomic_load_n(level, __ATOMIC_RELAXED);
}

static inline void set_level(int64_t *level, int64_t value) {
    __atomic_store_n(level, value, __ATOMIC_RELAXED);
}

/* ---- Gauges ---- */

/* Adds to the shared level; true if that is higher than ever. */
static VESTA_NOINLINE bool pass_on(VestaGauge *gauge, VestaSharedLevel *level) {
    int64_t part = (int64_t)(gauge->up - gauge->down) - gauge->shared;
    set_level(&gauge->shared, gauge->shared + part);
    int64_t live = __atomic_add_fetch(&level->live, part, __ATOMIC_RELAXED);
    int64_t peak = get_level(&level->peak);
    while (live > peak)
        if (__atomic_compare_exchange_n(&level->peak, &peak, live, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
            return true;
    return false;
}

static inline bool is_due(const VestaGauge *gauge, int64_t step) {
    int64_t part = (int64_t)(gauge->up - gauge->down) - gauge->shared;
    return part >= step || part <= -step;
}

VESTA_INLINE bool gauge_up(VestaGauge *gauge, size_t size, VestaSharedLevel *level, int64_t step) {
    set(&gauge->up, gauge->up + size);
    if (VESTA_UNLIKELY(__atomic_load_n(&vesta_counts_are_shared, __ATOMIC_RELAXED)))
        return level != NULL && is_due(gauge, step) && pass_on(gauge, level);
    int64_t live = (int64_t)(gauge->up - gauge->down);
    if (VESTA_LIKELY(live <= gauge->peak))
        return false;
    set_level(&gauge->peak, live);
    return true;
}

VESTA_INLINE void gauge_down(VestaGauge *gauge, size_t size, VestaSharedLevel *level, int64_t step) {
    set(&gauge->down, gauge->down + size);
    if (VESTA_UNLIKELY(__atomic_load_n(&vesta_counts_are_shared, __ATOMIC_RELAXED)) && level != NULL &&
        is_due(gauge, step))
        pass_on(gauge, level);
}

/* ---- Size steps ---- */

static inline uint32_t step_of(size_t size) {
    return size <= VESTA_SMALL_MAX ? vesta_small_class(size) : VESTA_SMALL_CLASSES;
}

static VestaStepEntry *find_entry(VestaStepTable *table, uint32_t key) {
    uint32_t mask = table->capacity - 1;
    for (uint32_t i = key * UINT32_C(0x9E3779B1) >> 7 & mask;; i = (i + 1) & mask) {
        VestaStepEntry *entry = &table->entries[i];
        if (entry->key == key || entry->key == 0)
            return entry;
    }
}

const VestaStepEntry *vesta_counters_step(const VestaStepTable *table, uint32_t site, uint32_t step) {
    uint32_t key = site * VESTA_STEP_KEYS + step, mask = table->capacity - 1;
    for (uint32_t i = key * UINT32_C(0x9E3779B1) >> 7 & mask;; i = (i + 1) & mask) {
        uint32_t found = __atomic_load_n(&table->entries[i].key, __ATOMIC_RELAXED);
        if (found == key || found == 0)
            return found == key ? &table->entries[i] : NULL;
    }
}

/* The old table is left as it is: somebody may be reading it. */
static VESTA_NOINLINE VestaStepTable *grow(VestaCounts *counts) {
    VestaStepTable *old = counts->steps;
    uint32_t capacity = old != NULL ? old->capacity * 2 : 128;
    VestaStepTable *table = vesta_record_pages(sizeof *table + capacity * sizeof *table->entries, 0);
    if (table == NULL)
        return old;
    table->capacity = capacity;
    for (uint32_t i = 0; old != NULL && i < old->capacity; i++)
        if (old->entries[i].key != 0)
            *find_entry(table, old->entries[i].key) = old->entries[i];
    table->used = old != NULL ? old->used : 0;
    __atomic_store_n(&counts->steps, table, __ATOMIC_RELEASE);
    return table;
}

static VESTA_NOINLINE void count_other_step(VestaCounts *counts, uint32_t key, size_t size) {
    VestaStepTable *table = counts->steps;
    if (table == NULL || table->used * 4 >= table->capacity * 3)
        table = grow(counts);
    if (table == NULL || table->used + 1 >= table->capacity)
        return; /* no memory: it counts for the main step */
    VestaStepEntry *entry = find_entry(table, key);
    if (entry->key == 0) {
        __atomic_store_n(&entry->key, key, __ATOMIC_RELAXED);
        table->used++;
    }
    set(&entry->allocations, entry->allocations + 1);
    set(&entry->bytes, entry->bytes + size);
}

/* ---- Sites ---- */

const VestaSiteCounters *vesta_counters_find(const VestaCounts *counts, uint32_t site) {
    uint32_t chunk = site >> VESTA_COUNTERS_SHIFT;
    const VestaCountersPart *part = __atomic_load_n(&counts->parts[chunk / VESTA_COUNTERS_INNER], __ATOMIC_ACQUIRE);
    if (part == NULL)
        return NULL;
    const VestaSiteCounters *counters = __atomic_load_n(&part->chunks[chunk % VESTA_COUNTERS_INNER], __ATOMIC_ACQUIRE);
    return counters != NULL ? counters + (site & ((1 << VESTA_COUNTERS_SHIFT) - 1)) : NULL;
}

static VESTA_NOINLINE VestaSiteCounters *make_counters(VestaCounts *counts, uint32_t site) {
    uint32_t chunk = site >> VESTA_COUNTERS_SHIFT;
    VestaCountersPart **part = &counts->parts[chunk / VESTA_COUNTERS_INNER];
    if (*part == NULL) {
        VestaCountersPart *made = vesta_record_take(&counts->pool, sizeof *made);
        if (made == NULL)
            return NULL;
        __atomic_store_n(part, made, __ATOMIC_RELEASE);
    }
    VestaSiteCounters *made = vesta_record_take(&counts->pool, sizeof *made << VESTA_COUNTERS_SHIFT);
    if (made == NULL)
        return NULL;
    __atomic_store_n(&(*part)->chunks[chunk % VESTA_COUNTERS_INNER], made, __ATOMIC_RELEASE);
    return made + (site & ((1 << VESTA_COUNTERS_SHIFT) - 1));
}

/* The site's counters, as they were when the process was at its highest if that was since the last time. */
static inline VestaSiteCounters *touch(VestaCounts *counts, uint32_t site) {
    VestaSiteCounters *counters = (VestaSiteCounters *)vesta_counters_find(counts, site);
    if (VESTA_UNLIKELY(counters == NULL) && (counters = make_counters(counts, site)) == NULL)
        return NULL;
    uint32_t epoch = __atomic_load_n(&vesta_peak_epoch, __ATOMIC_RELAXED);
    if (counters->peak_epoch != epoch) {
        set_level(&counters->at_peak, (int64_t)(counters->bytes.up - counters->bytes.down));
        __atomic_store_n(&counters->peak_epoch, epoch, __ATOMIC_RELAXED);
    }
    return counters;
}

/* A size other than the last one at this site. */
static VESTA_NOINLINE void note_size(VestaSiteCounters *counters, size_t size) {
    if (counters->allocations == 0) {
        counters->main_step = step_of(size);
        set(&counters->min_size, size);
        set(&counters->max_size, size);
    }
    if (size < counters->min_size)
        set(&counters->min_size, size);
    if (size > counters->max_size)
        set(&counters->max_size, size);
    counters->last_size = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX;
}

static VESTA_NOINLINE void note_thread(VestaSiteCounters *counters, uint32_t thread, uint32_t purpose) {
    counters->purpose = purpose;
    __atomic_store_n(&counters->threads, counters->threads + 1, __ATOMIC_RELAXED);
    counters->last_thread = thread;
}

static inline void new_peak(void) {
    if (__atomic_load_n(&vesta_counts_are_shared, __ATOMIC_RELAXED))
        __atomic_fetch_add(&vesta_peak_epoch, 1, __ATOMIC_RELAXED);
    else
        __atomic_store_n(&vesta_peak_epoch, vesta_peak_epoch + 1, __ATOMIC_RELAXED);
}

/* Looked up only where levels are shared. */
#define SITE_LEVEL(site)                                                                                               \
    (__atomic_load_n(&vesta_counts_are_shared, __ATOMIC_RELAXED) ? &vesta_stack_site_at(site)->level : NULL)

void vesta_count_allocation(VestaCounts *counts, uint32_t site, size_t size, uint32_t thread) {
    uint32_t purpose = vesta_purpose_now;
    VestaSiteCounters *counters = touch(counts, site);
    if (VESTA_LIKELY(counters != NULL)) {
        if (VESTA_UNLIKELY(counters->last_thread != thread))
            note_thread(counters, thread, purpose);
        if (size != counters->last_size || counters->allocations == 0)
            note_size(counters, size);
        if (VESTA_UNLIKELY(step_of(size) != counters->main_step))
            count_other_step(counts, site * VESTA_STEP_KEYS + step_of(size), size);
        set(&counters->allocations, counters->allocations + 1);
        gauge_up(&counters->bytes, size, SITE_LEVEL(site), SITE_STEP);
    }
    set(&counts->allocations, counts->allocations + 1);
    if (gauge_up(&counts->bytes, size, &vesta_process_level, PROCESS_STEP))
        new_peak();
    gauge_up(&counts->purposes[purpose], size, &vesta_purpose_levels[purpose], PURPOSE_STEP);
}

void vesta_count_free(VestaCounts *counts, uint32_t site, size_t size, bool short_lived) {
    VestaSiteCounters *counters = touch(counts, site);
    uint32_t purpose = 0;
    if (VESTA_LIKELY(counters != NULL)) {
        if (VESTA_UNLIKELY(counters->frees + counters->allocations == 0))
            counters->purpose = vesta_stack_purpose(site);
        purpose = counters->purpose;
        set(&counters->frees, counters->frees + 1);
        set(&counters->short_lived, counters->short_lived + short_lived);
        gauge_down(&counters->bytes, size, SITE_LEVEL(site), SITE_STEP);
    }
    set(&counts->frees, counts->frees + 1);
    set(&counts->short_lived, counts->short_lived + short_lived);
    gauge_down(&counts->bytes, size, &vesta_process_level, PROCESS_STEP);
    gauge_down(&counts->purposes[purpose], size, &vesta_purpose_levels[purpose], PURPOSE_STEP);
}
