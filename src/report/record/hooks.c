/* What the heap tells the recorder: see ../../alloc/heap/hooks.h. */
#include "recorder.h"

#include "record.h"
#include "settings.h"
#include "timeline.h"
#include "unwind_rule.h"
#include "../symbols/modules.h"
#include "../../alloc/heap/hooks.h"
#include "../../alloc/heap/thread.h"
#include "../../alloc/os/os.h"

enum {
    LOOK_AT_CLOCK = 64, /* allocations; large ones always */
    LARGE = 256 << 10,
};

/* A VestaRecord: the site, whether the block is among the last ones, and the size. */
#define RECENT_BIT ((VestaRecord)1 << VESTA_SITE_BITS)
#define SIZE_SHIFT (VESTA_SITE_BITS + 1)

_Thread_local VestaRecordedThread vesta_recorded_thread;

static uint32_t threads;
static uint32_t heaps;
static uint32_t depth_limit;
static uint32_t started_in; /* the number of the process */

uint32_t vesta_recorded_threads(void) {
    return __atomic_load_n(&threads, __ATOMIC_RELAXED);
}

uint32_t vesta_record_depth_limit(void) {
    return depth_limit;
}

bool vesta_record_forked(void) {
    return started_in != vesta_os_process_id();
}

/* ---- Threads ---- */

static VESTA_COLD void meet_thread(void) {
    vesta_recorded_thread.number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
    vesta_stack_limits_find(&vesta_recorded_thread.stack);
}

static VESTA_COLD VestaRecorder *make_recorder(VestaHeap *heap) {
    VestaRecorder *recorder = vesta_record_pages(sizeof *recorder, 1);
    if (recorder == NULL)
        return NULL;
    vesta_record_count_memory(sizeof recorder->counts);
    if (__atomic_fetch_add(&heaps, 1, __ATOMIC_RELAXED) == 1)
        __atomic_store_n(&vesta_counts_are_shared, true, __ATOMIC_SEQ_CST);
    __atomic_store_n(&heap->record, recorder, __ATOMIC_RELEASE);
    return recorder;
}

static inline VestaRecorder *recorder_of(VestaHeap *heap) {
    if (VESTA_UNLIKELY(vesta_recorded_thread.number == 0))
        meet_thread();
    VestaRecorder *recorder = heap->record;
    return VESTA_LIKELY(recorder != NULL) ? recorder : make_recorder(heap);
}

/* ---- Allocating ---- */

static VESTA_NOINLINE uint32_t make_site(VestaRecorder *recorder, uintptr_t address, uint32_t purpose) {
    uint32_t node = depth_limit == 1 ? vesta_stack_node(VESTA_NODE_NONE, address) : vesta_walk_node(&recorder->walker);
    uint32_t site = node != VESTA_NODE_NONE ? vesta_stack_site(node, purpose) : 0;
    if (site != 0)
        return site;
    __atomic_store_n(&recorder->counts.dropped, recorder->counts.dropped + 1, __ATOMIC_RELAXED);
    return vesta_stack_site(VESTA_NODE_NONE, purpose);
}

static inline uint32_t site_of(VestaRecorder *recorder, const VestaCaller *caller) {
    uint32_t purpose = vesta_purpose_now;
    uintptr_t address = (uintptr_t)caller->return_address;
    uint64_t hash = depth_limit == 1 ? address
                                     : vesta_walk(&recorder->walker, caller, &vesta_recorded_thread.stack,
                                                  vesta_recorded_thread.number, depth_limit);
    hash = (hash ^ purpose) * UINT64_C(0x9E3779B97F4A7C15);
    VestaCachedSite *cached = &recorder->cache[hash >> 52];
    if (VESTA_LIKELY(cached->hash == hash && cached->site != 0))
        return cached->site;
    uint32_t site = make_site(recorder, address, purpose);
    *cached = (VestaCachedSite){hash, site};
    return site;
}

static void allocated(VestaHeap *heap, void *block, size_t size, const VestaCaller *caller) {
    VestaRecorder *recorder = recorder_of(heap);
    if (VESTA_UNLIKELY(recorder == NULL))
        return;
    uint32_t site = site_of(recorder, caller);
    vesta_count_allocation(&recorder->counts, site, size, vesta_recorded_thread.number);
    if (VESTA_UNLIKELY(!vesta_block_set(&recorder->arrays, block, site, size)))
        __atomic_store_n(&recorder->counts.unknown_blocks, recorder->counts.unknown_blocks + 1, __ATOMIC_RELAXED);
    uint32_t turn = recorder->recent_next++;
    recorder->recent[turn % VESTA_RECENT] = (uint32_t)((uintptr_t)block / VESTA_GRANULE);
    if (VESTA_UNLIKELY(turn % LOOK_AT_CLOCK == 0 || size >= LARGE))
        vesta_timeline_look();
}

/* ---- Freeing ---- */

static inline bool is_recent(const VestaRecorder *recorder, const void *block) {
    uint32_t wanted = (uint32_t)((uintptr_t)block / VESTA_GRANULE), found = 0;
    for (unsigned i = 0; i < VESTA_RECENT; i++)
        found |= recorder->recent[i] == wanted;
    return found != 0;
}

static VestaRecord recorded(const void *block) {
    VestaBlockRecord record = vesta_block_get(block);
    const VestaHeap *heap = vesta_heap_own;
    const VestaRecorder *recorder = heap != NULL ? heap->record : NULL;
    VestaRecord recent = recorder != NULL && is_recent(recorder, block) ? RECENT_BIT : 0;
    return record.site | recent | (VestaRecord)record.size << SIZE_SHIFT;
}

static void freed(VestaHeap *heap, VestaRecord record) {
    VestaRecorder *recorder = recorder_of(heap);
    if (VESTA_UNLIKELY(recorder == NULL))
        return;
    uint32_t site = record & (VESTA_SITES_MAX - 1);
    if (VESTA_LIKELY(site != 0))
        vesta_count_free(&recorder->counts, site, record >> SIZE_SHIFT, (record & RECENT_BIT) != 0);
    else
        __atomic_store_n(&recorder->counts.unknown_frees, recorder->counts.unknown_frees + 1, __ATOMIC_RELAXED);
}

/* ---- Starting ---- */

static bool is_on(const char *value) {
    return value != NULL && value[0] != '\0' && !(value[0] == '0' && value[1] == '\0');
}

static uint32_t read_depth(const char *value) {
    uint32_t depth = 0;
    for (; value != NULL && *value >= '0' && *value <= '9' && depth < VESTA_DEPTH_MAX; value++)
        depth = depth * 10 + (uint32_t)(*value - '0');
    if (depth == 0)
        return VESTA_DEPTH_DEFAULT;
    return depth < VESTA_DEPTH_MAX ? depth : VESTA_DEPTH_MAX;
}

/* In a program that has the library linked into it, its code is not apart from the program's. */
static void leave_out_own_code(void) {
    const VestaModule *own = vesta_module_at((uintptr_t)leave_out_own_code);
    if (own != NULL && !own->is_program)
        vesta_walk_leave_out(own->text_start, own->text_end);
}

bool vesta_record_start(VestaHooks *hooks) {
    if (!is_on(vesta_os_environment("VESTA_HOST_ALLOC_SITES")))
        return false;
    depth_limit = read_depth(vesta_os_environment("VESTA_HOST_ALLOC_STACK"));
    started_in = vesta_os_process_id();
    if (!vesta_unwind_rules_start())
        return false;
    vesta_unwind_refresh();
    leave_out_own_code();
    vesta_timeline_start();
    *hooks = (VestaHooks){allocated, recorded, freed};
    return true;
}

int vesta_alloc_recording(void) {
    return __atomic_load_n(&vesta_hooks.allocated, __ATOMIC_RELAXED) == allocated;
}
