#include "timeline.h"

#include "settings.h"
#include "../../alloc/base/compiler.h"
#include "../../alloc/heap/span.h"
#include "../../alloc/os/os.h"

enum { FIRST_STEP = 8 }; /* milliseconds */

static VestaTimelineSample samples[VESTA_TIMELINE_SAMPLES];
static unsigned count;
static uint64_t start, step = FIRST_STEP, next;

/* Whoever samples or reads: the number of its process. Who finds another one there goes without. */
static uint32_t busy;

static bool begin(void) {
    uint32_t self = vesta_os_process_id(), seen = __atomic_load_n(&busy, __ATOMIC_RELAXED);
    return seen != self && __atomic_compare_exchange_n(&busy, &seen, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void end(void) {
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

void vesta_timeline_start(void) {
    start = vesta_os_milliseconds();
}

static void add(uint64_t now) {
    if (count == VESTA_TIMELINE_SAMPLES) {
        for (unsigned i = 0; i < VESTA_TIMELINE_SAMPLES / 2; i++)
            samples[i] = samples[2 * i];
        count = VESTA_TIMELINE_SAMPLES / 2;
        step *= 2;
    }
    VestaRecordTotals totals;
    VestaSpanStats spans;
    VestaRegionStats regions;
    vesta_span_stats(&spans, &regions);
    vesta_record_process(&totals);
    samples[count++] = (VestaTimelineSample){
        .milliseconds = now,
        .live_bytes = totals.live_bytes,
        .committed_bytes = regions.committed_bytes,
        .allocations = totals.allocations,
    };
    __atomic_store_n(&next, now + step, __ATOMIC_RELAXED);
}

void vesta_timeline_look(void) {
    uint64_t now = vesta_os_milliseconds() - start;
    if (VESTA_LIKELY(now < __atomic_load_n(&next, __ATOMIC_RELAXED)) || !begin())
        return;
    add(now);
    end();
}

void vesta_timeline_sample(void) {
    if (!begin())
        return;
    add(vesta_os_milliseconds() - start);
    end();
}

unsigned vesta_record_timeline(VestaTimelineSample *out, unsigned capacity) {
    while (!begin()) {
    }
    unsigned available = count;
    for (unsigned i = 0; i < available && i < capacity; i++)
        out[i] = samples[i];
    end();
    return available;
}
