#include "model.h"
#include "support.h"

#include <vesta/offset.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct Live {
    VestaOffsetAllocation handle;
    uint64_t size; /* as asked for */
    uint64_t fence;
    bool waits;
} Live;

typedef struct Model {
    VestaOffsetAllocator *allocator;
    uint64_t capacity, quantum;
    uint32_t max_blocks;
    Live live[MOST];
    unsigned count;
    VestaOffsetAllocation stale[MOST]; /* freed, or from before a reset; a ring */
    unsigned stale_count;
} Model;

static uint64_t whole(const Model *m, uint64_t size) {
    return (size + m->quantum - 1) / m->quantum * m->quantum;
}

static const Live *live_at(const Model *m, uint64_t offset) {
    for (unsigned i = 0; i < m->count; i++)
        if (m->live[i].handle.offset == offset)
            return &m->live[i];
    return NULL;
}

/* The blocks cover the range without a gap, no free ones are neighbours, and those in use are the model's. */
static void check_walk(const Model *m) {
    uint64_t at = 0, free = 0, largest = 0;
    unsigned used = 0;
    bool last_free = false;
    VestaOffsetReport report;
    for (VestaOffsetBlock block = {0}; vesta_offset_walk(m->allocator, &block);) {
        CHECK(block.offset == at);
        at += block.size;
        if (block.used) {
            const Live *live = live_at(m, block.offset);
            CHECK(live != NULL && (block.size == whole(m, live->size) || live->size > at));
            used++;
        } else {
            CHECK(!last_free);
            free += block.size;
            largest = block.size > largest ? block.size : largest;
        }
        last_free = !block.used;
    }
    vesta_offset_report(m->allocator, &report);
    CHECK(at == m->capacity / m->quantum * m->quantum && used == m->count);
    CHECK(report.free == free && report.largest == largest && report.quantum == m->quantum);
    uint32_t waiting = 0;
    for (unsigned i = 0; i < m->count; i++)
        waiting += m->live[i].waits;
    CHECK(report.waiting == waiting && report.blocks < m->max_blocks);
}

static void check_classes(const Model *m) {
    VestaOffsetClass classes[512];
    uint32_t count = vesta_offset_classes(m->allocator, classes, 512);
    uint64_t bytes = 0;
    CHECK(count <= 512);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(classes[i].blocks != 0 && classes[i].bytes >= classes[i].size_min * classes[i].blocks);
        CHECK(i == 0 || classes[i].size_min > classes[i - 1].size_min);
        bytes += classes[i].bytes;
    }
    VestaOffsetReport report;
    vesta_offset_report(m->allocator, &report);
    CHECK(bytes == report.free);
}

/* Whether some free block is so much larger than the request that it cannot have been missed. */
static bool plainly_fits(const Model *m, uint64_t size, uint64_t alignment) {
    uint64_t enough = whole(m, size) + alignment;
    for (VestaOffsetBlock block = {0}; vesta_offset_walk(m->allocator, &block);)
        if (!block.used && block.size >= enough + enough / 8 + m->quantum)
            return true;
    return false;
}

static void forget(Model *m, unsigned index) {
    m->stale[m->stale_count++ % MOST] = m->live[index].handle;
    m->live[index] = m->live[--m->count];
}

static void allocate(Model *m, uint64_t size, uint64_t alignment) {
    VestaOffsetAllocation handle, untouched;
    memset(&handle, 0xAB, sizeof handle);
    untouched = handle;
    if (m->count == MOST)
        return;
    VestaStatus status = alignment == 1 ? vesta_offset_alloc(m->allocator, size, &handle)
                                        : vesta_offset_alloc_aligned(m->allocator, size, alignment, &handle);
    if (status == VESTA_OK) {
        CHECK(size != 0 && handle.offset % alignment == 0 && handle.offset + size <= m->capacity);
        for (unsigned i = 0; i < m->count; i++)
            CHECK(handle.offset + size <= m->live[i].handle.offset ||
                  m->live[i].handle.offset + m->live[i].size <= handle.offset);
        CHECK(vesta_offset_size(m->allocator, handle) >= size);
        m->live[m->count++] = (Live){handle, size, 0, false};
        return;
    }
    CHECK(memcmp(&handle, &untouched, sizeof handle) == 0);
    if (status == VESTA_OUT_OF_NODES) {
        VestaOffsetReport report;
        vesta_offset_report(m->allocator, &report);
        CHECK(report.blocks < (alignment == 1 ? 1 : 2));
    } else if (status == VESTA_EXHAUSTED) {
        CHECK(!plainly_fits(m, size, alignment));
        CHECK(size < m->capacity || m->count != 0); /* everything can be had when nothing is */
    } else if (status == VESTA_TOO_LARGE) {
        CHECK(size > m->capacity);
    } else {
        CHECK(status == VESTA_INVALID && (size == 0 || alignment == 0 || (alignment & (alignment - 1)) != 0));
    }
}

static void free_one(Model *m, unsigned choice) {
    if (m->count == 0)
        return;
    unsigned index = choice % m->count;
    VestaStatus status = vesta_offset_free(m->allocator, m->live[index].handle);
    CHECK(status == (m->live[index].waits ? VESTA_BAD_HANDLE : VESTA_OK));
    if (status == VESTA_OK)
        forget(m, index);
}

static void free_later(Model *m, unsigned choice, uint64_t fence) {
    if (m->count == 0)
        return;
    Live *live = &m->live[choice % m->count];
    VestaStatus status = vesta_offset_free_after(m->allocator, live->handle, fence);
    CHECK(status == (live->waits ? VESTA_BAD_HANDLE : VESTA_OK));
    if (status != VESTA_OK)
        return;
    live->waits = true;
    live->fence = fence;
}

/* Nothing is freed too early; and nothing too late, unless there was no node for a fence of its own. */
static void retire(Model *m, uint64_t completed) {
    uint32_t freed = vesta_offset_retire(m->allocator, completed), due = 0, gone = 0;
    for (unsigned i = m->count; i-- > 0;) {
        bool is_due = m->live[i].waits && m->live[i].fence <= completed, there = false;
        due += is_due;
        for (VestaOffsetBlock block = {0}; vesta_offset_walk(m->allocator, &block);)
            there = there || (block.used && block.offset == m->live[i].handle.offset);
        CHECK(there || is_due);
        if (!there) {
            gone++;
            forget(m, i);
        }
    }
    CHECK(gone == freed && (freed == due || m->max_blocks < 2 * MOST));
}

static void use_bad_handle(Model *m, Script *script) {
    VestaOffsetAllocation bad = {0, 0, 0};
    uint8_t choice = read8(script);
    if (choice % 4 != 0 && m->stale_count != 0) {
        bad = m->stale[choice % (m->stale_count < MOST ? m->stale_count : MOST)];
    } else if (choice % 8 == 0 && m->count != 0) {
        bad = m->live[choice % m->count].handle;
        bad.node += read8(script) % 7 + 1; /* no node, or another's */
    } else {
        bad.node = (uint32_t) - (int)(read16(script) % 2048);
        bad.serial = read8(script);
    }
    CHECK(vesta_offset_free(m->allocator, bad) == VESTA_BAD_HANDLE);
    CHECK(vesta_offset_free_after(m->allocator, bad, 1) == VESTA_BAD_HANDLE);
    CHECK(vesta_offset_size(m->allocator, bad) == 0);
}

static void reset(Model *m) {
    vesta_offset_reset(m->allocator);
    while (m->count != 0)
        forget(m, m->count - 1);
}

static void step(Model *m, Script *script) {
    uint8_t operation = read8(script), choice = read8(script);
    switch (operation % 16) {
    case 0:
    case 1:
    case 2:
    case 3:
        allocate(m, read_size(script, 12) * m->quantum - choice % m->quantum, 1);
        break;
    case 4:
    case 5:
        allocate(m, read_size(script, 10) * m->quantum, 1ull << choice % 12);
        break;
    case 6:
        allocate(m, read_size(script, 63), choice % 2 == 0 ? 1 : read_size(script, 20));
        break;
    case 7:
        allocate(m, m->capacity - choice % 3, choice < 128 ? 1 : 1ull << choice % 64);
        break;
    case 8:
    case 9:
    case 10:
        free_one(m, choice);
        break;
    case 11:
        free_later(m, choice, read8(script));
        break;
    case 12:
        retire(m, choice);
        break;
    case 13:
    case 14:
        use_bad_handle(m, script);
        break;
    default:
        if (choice < 8)
            reset(m);
        else
            check_classes(m);
    }
}

void run_offset_model(const uint8_t *bytes, size_t size) {
    Script script = {bytes, bytes + size};
    Model m = {.stale_count = 0};
    unsigned shift = read8(&script) % 50;
    m.capacity = ((uint64_t)(read16(&script) % 4096) + 64) << shift;
    m.capacity += shift != 0 ? read8(&script) % (1u << (shift < 8 ? shift : 8)) : 0;
    m.max_blocks = read8(&script) % 4 == 0 ? read8(&script) % (2 * MOST) + 1 : 4 * MOST;
    for (m.quantum = 1; m.capacity / m.quantum >= UINT32_MAX;)
        m.quantum *= 2;
    /* What is in the memory must not matter. */
    size_t footprint = vesta_offset_footprint(m.max_blocks);
    void *memory = malloc(footprint);
    CHECK(memory != NULL);
    memset(memory, read8(&script), footprint);
    m.allocator = vesta_offset_create(m.capacity, m.max_blocks, memory);
    CHECK(m.allocator != NULL);
    while (script.at != script.end) {
        step(&m, &script);
        check_walk(&m);
    }
    vesta_offset_destroy(m.allocator);
    free(memory);
}
