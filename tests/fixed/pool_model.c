#include "model.h"
#include "support.h"

#include <vesta/pool.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 14 };

typedef struct Live {
    unsigned char *block;
    size_t size;
    unsigned char fill;
} Live;

typedef struct Model {
    VestaPool *pool;
    VestaPoolConfig config;
    uint32_t pages;
    const char *memory;
    Live *live;
    unsigned count;
    unsigned damaged, noticed;
} Model;

static void count_overwritten(void *context, void *block) {
    Model *m = context;
    CHECK((const char *)block >= m->memory && (const char *)block < m->memory + m->pages * VESTA_POOL_PAGE);
    m->noticed++;
}

static void mark(const Live *live) {
    memset(live->block, live->fill, live->size);
}

/* Looks at both ends only, which is where blocks would overlap. */
static bool holds(const Live *live) {
    return live->size == 0 || (live->block[0] == live->fill && live->block[live->size - 1] == live->fill);
}

/* Returns whether there was room. */
static bool allocate(Model *m, size_t size, unsigned kind, unsigned char fill) {
    if (m->count == MOST)
        return false;
    Live live = {NULL, size, fill};
    live.block = kind == 2   ? vesta_pool_alloc_control(m->pool, size)
                 : kind == 1 ? vesta_pool_alloc_hint(m->pool, size, VESTA_POOL_LONG)
                             : vesta_pool_alloc(m->pool, size);
    if (live.block == NULL)
        return false;
    CHECK(size <= VESTA_POOL_MAX_BLOCK && (uintptr_t)live.block % 16 == 0);
    CHECK(vesta_pool_size(m->pool, live.block) == (size == 0 ? 16 : (size + 15) / 16 * 16));
    CHECK((size_t)((char *)live.block - m->memory) <=
          m->pages * VESTA_POOL_PAGE - vesta_pool_size(m->pool, live.block));
    CHECK(((size_t)((char *)live.block - m->memory) < m->config.control_pages * VESTA_POOL_PAGE) == (kind == 2));
    mark(&live);
    m->live[m->count++] = live;
    return true;
}

static void free_one(Model *m, unsigned index, uint8_t choice) {
    Live *live = &m->live[index];
    CHECK(holds(live));
    if (live->size > 16)
        CHECK(vesta_pool_free(m->pool, live->block + 1 + choice % 15) == VESTA_FOREIGN);
    CHECK(vesta_pool_free(m->pool, live->block) == VESTA_OK);
    if (choice % 4 == 0)
        CHECK(vesta_pool_free(m->pool, live->block) == VESTA_DOUBLE_FREE);
    if (choice % 64 == 1) {
        live->block[choice % 8] ^= 0x55;
        m->damaged++;
    }
    *live = m->live[--m->count];
}

static void flood(Model *m, size_t size, unsigned kind, unsigned char fill) {
    for (unsigned i = 0; i < 4096 && allocate(m, size, kind, fill); i++)
        ;
}

static void drain(Model *m, unsigned every, uint8_t choice) {
    for (unsigned i = m->count; i-- > 0;)
        if (i % every != 0)
            free_one(m, i, choice);
}

static void check_report(const Model *m) {
    VestaPoolReport report;
    vesta_pool_report(m->pool, &report);
    CHECK(report.pages == m->pages && report.memory == m->memory && report.used_pages <= m->pages);
    CHECK(report.warm_pages <= m->pages - report.used_pages);
    CHECK(m->config.warm_pages == VESTA_POOL_KEEP_ALL ||
          report.warm_pages <= m->config.warm_pages + m->config.control_pages);
    CHECK(report.overwritten == m->noticed && m->noticed <= m->damaged);
    uint64_t bytes = 0;
    for (unsigned i = 0; i < m->count; i++)
        bytes += m->live[i].size;
    CHECK(bytes <= report.used_pages * VESTA_POOL_PAGE);
}

static void step(Model *m, Script *script) {
    uint8_t operation = read8(script), choice = read8(script);
    size_t size = read8(script) * 5u;
    switch (operation % 16) {
    case 0:
        flood(m, size, choice % 3, choice);
        break;
    case 1:
        drain(m, choice % 20 + 1, choice);
        break;
    case 2:
        CHECK(vesta_pool_free(m->pool, NULL) == VESTA_OK);
        CHECK(vesta_pool_free(m->pool, m) == VESTA_FOREIGN);
        CHECK(vesta_pool_alloc(m->pool, VESTA_POOL_MAX_BLOCK + 1 + choice) == NULL);
        CHECK(vesta_pool_alloc(m->pool, SIZE_MAX - choice) == NULL);
        break;
    default:
        for (unsigned i = 0; i < choice % 32u; i++)
            if (operation % 2 == 0)
                allocate(m, size + i, operation / 16 % 8 < 6 ? 0 : operation / 16 % 8 - 5u, choice);
            else if (m->count != 0)
                free_one(m, (i * 97 + choice) % m->count, (uint8_t)(choice + i));
    }
}

void run_pool_model(const uint8_t *bytes, size_t size) {
    Script script = {bytes, bytes + size};
    Model m = {.live = malloc(MOST * sizeof(Live))};
    CHECK(m.live != NULL);
    m.config = vesta_pool_defaults((read8(&script) % 24 + 4) * (VESTA_POOL_PAGE + 32));
    m.config.control_pages = read8(&script) % 4;
    m.config.reserve_pages = read8(&script) % 4;
    m.config.warm_pages = read8(&script) % 4 == 0 ? VESTA_POOL_KEEP_ALL : read8(&script) % 8;
    m.config.lifetimes = read8(&script) % 2;
    m.config.fullest_first = read8(&script) % 2;
    m.config.on_overwritten = count_overwritten;
    m.config.context = &m;
    m.pages = (uint32_t)(m.config.budget / (VESTA_POOL_PAGE + 32));
    m.pool = vesta_pool_create(&m.config);
    CHECK((m.pool != NULL) == (m.pages > m.config.control_pages));
    VestaPoolReport report;
    if (m.pool != NULL)
        vesta_pool_report(m.pool, &report), m.memory = report.memory;
    while (m.pool != NULL && script.at != script.end) {
        step(&m, &script);
        check_report(&m);
    }
    for (unsigned i = 0; i < m.count; i++)
        CHECK(holds(&m.live[i]));
    vesta_pool_destroy(m.pool);
    free(m.live);
}
