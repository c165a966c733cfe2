#include "model.h"
#include "support.h"

#include "alloc/fixed/arena_state.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 96 };

typedef struct Live {
    VestaArenaHandle handle;
    unsigned char fill;
} Live;

typedef struct Model {
    VestaArena *arena;
    char *memory;
    size_t size, max_block, alignment;
    Live live[MOST];
    unsigned count;
    VestaArenaHandle stale[MOST];
    unsigned stale_count;
} Model;

/* The blocks cover the arena without a gap, and no free ones are neighbours: there is nothing to collect. */
static void check_blocks(Model *m) {
    VestaBlocks *blocks = &m->arena->blocks;
    uint32_t at = 0, free = 0;
    unsigned used = 0;
    bool last_free = false;
    for (int32_t link = vesta_block_at(blocks, VESTA_BLOCK_BORDER)->right; link != VESTA_BLOCK_BORDER;) {
        const VestaBlock *block = vesta_block_at(blocks, link);
        bool is_free = vesta_block_is_free(block);
        CHECK(block->offset == at && block->size != 0 && !(is_free && last_free));
        at += block->size;
        free += is_free ? block->size : 0;
        used += !is_free;
        last_free = is_free;
        link = block->right;
    }
    VestaArenaReport report;
    vesta_arena_report(m->arena, &report);
    CHECK(at == blocks->total && used == m->count && free == blocks->free);
    CHECK(report.capacity == (size_t)at * VESTA_ARENA_GRANULE && report.free == (size_t)free * VESTA_ARENA_GRANULE);
    CHECK(report.capacity + report.metadata <= m->size);
    CHECK(report.capacity + report.metadata + m->alignment + 2 * VESTA_ARENA_GRANULE > m->size);
}

static bool holds(const Live *live) {
    const unsigned char *bytes = live->handle.address;
    for (size_t i = 0; i < live->handle.size; i++)
        if (bytes[i] != live->fill)
            return false;
    return true;
}

static void allocate(Model *m, size_t size, unsigned char fill) {
    VestaArenaHandle handle, untouched;
    VestaArenaReport before;
    memset(&handle, 0xAB, sizeof handle);
    untouched = handle;
    if (m->count == MOST)
        return;
    vesta_arena_report(m->arena, &before);
    size_t needed = ((size == 0 ? 1 : size) + VESTA_ARENA_GRANULE - 1) / VESTA_ARENA_GRANULE * VESTA_ARENA_GRANULE;
    VestaStatus status = vesta_arena_alloc(m->arena, size, &handle);
    if (status == VESTA_OK) {
        CHECK((uintptr_t)handle.address % VESTA_ARENA_GRANULE == 0 && handle.size >= needed);
        CHECK((char *)handle.address >= m->memory && (char *)handle.address + handle.size <= m->memory + m->size);
        memset(handle.address, fill, handle.size);
        m->live[m->count++] = (Live){handle, fill};
        return;
    }
    CHECK(memcmp(&handle, &untouched, sizeof handle) == 0);
    CHECK(vesta_arena_try_alloc(m->arena, size, &handle) == 0);
    if (status == VESTA_TOO_LARGE)
        CHECK(needed > m->max_block || needed < size);
    else
        CHECK(status == VESTA_EXHAUSTED && before.largest < needed + needed / 8);
}

static void free_one(Model *m, unsigned choice) {
    if (m->count == 0)
        return;
    Live *live = &m->live[choice % m->count];
    CHECK(holds(live));
    CHECK(vesta_arena_free(m->arena, live->handle) == VESTA_OK);
    m->stale[m->stale_count++ % MOST] = live->handle;
    *live = m->live[--m->count];
}

static void use_bad_handle(Model *m, uint8_t choice) {
    VestaArenaHandle bad = {0};
    if (choice % 2 != 0 && m->stale_count != 0) {
        bad = m->stale[choice % (m->stale_count < MOST ? m->stale_count : MOST)];
    } else if (m->count != 0) {
        bad = m->live[choice % m->count].handle;
        bad.node += choice % 5 + 1u;
    }
    CHECK(vesta_arena_free(m->arena, bad) == VESTA_BAD_HANDLE);
}

static void collect(Model *m) {
    VestaArenaReport before, after;
    vesta_arena_report(m->arena, &before);
    size_t gained = vesta_arena_collect(m->arena);
    vesta_arena_report(m->arena, &after);
    CHECK(after.capacity == before.capacity + gained && after.free == before.free + gained);
    CHECK(after.metadata + gained == before.metadata);
    CHECK(vesta_arena_collect(m->arena) == 0);
}

void run_arena_model(const uint8_t *bytes, size_t size) {
    Script script = {bytes, bytes + size};
    Model m = {.size = sizeof(VestaArena) + 512 + read16(&script)};
    m.max_block = read8(&script) % 2 == 0 ? m.size : read16(&script) % 4096;
    m.alignment = 1u << read8(&script) % 9;
    m.memory = malloc(m.size + 64);
    CHECK(m.memory != NULL);
    memset(m.memory, read8(&script), m.size + 64);
    m.arena = vesta_arena_create(&(VestaArenaConfig){m.size, m.alignment, m.max_block, m.memory});
    m.max_block = m.max_block == 0 ? VESTA_ARENA_MAX_BLOCK : m.max_block;
    if (m.arena == NULL)
        CHECK(m.alignment > 64);
    while (m.arena != NULL && script.at != script.end) {
        uint8_t operation = read8(&script), choice = read8(&script);
        if (operation % 16 < 8)
            allocate(&m, operation % 16 == 0 ? read16(&script) : read_size(&script, 11), choice);
        else if (operation % 16 < 14)
            free_one(&m, choice);
        else if (operation % 16 == 14)
            use_bad_handle(&m, choice);
        else
            collect(&m);
        check_blocks(&m);
    }
    vesta_arena_destroy(m.arena);
    free(m.memory);
}
