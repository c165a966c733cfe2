/* The fixed arena on its seed's workload: 512 MB, 256 batches of 2,048 allocations of six sizes, each batch freed in
 * random order; beside the C library's aligned allocation and beside two-level segregated fit with headers. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "other_rows.h"

#include "measure.h"
#include "offset_workloads.h"
#include "rows.h"
#include "tlsf.h"

#include <vesta/arena.h>

#include <stdlib.h>
#include <sys/mman.h>

enum { BATCHES = 256, BATCH = 2048, ROUNDS = 15, SUBJECTS = 3 };

static const size_t arena_size = (size_t)512 << 20;
static size_t sizes[BATCHES][BATCH];
static uint16_t order[BATCHES][BATCH];

static VestaArena *arena;
static Tlsf *tlsf;

static void prepare(void) {
    const size_t six[] = {64, 128, 256, 448, 1024, 4096}; /* 64, 100, 200, 400, 1024, 4096 in granules */
    uint64_t state = 0x9E3779B97F4A7C15u;
    for (int b = 0; b < BATCHES; b++) {
        for (uint32_t i = 0; i < BATCH; i++) {
            sizes[b][i] = six[xorshift_below(&state, 6)];
            order[b][i] = (uint16_t)i;
        }
        for (uint32_t i = BATCH - 1; i > 0; i--) {
            uint32_t j = xorshift_below(&state, i + 1);
            uint16_t kept = order[b][i];
            order[b][i] = order[b][j];
            order[b][j] = kept;
        }
    }
}

static void run_ours(int b) {
    static VestaArenaHandle handles[BATCH];
    for (int i = 0; i < BATCH; i++)
        if (vesta_arena_alloc(arena, sizes[b][i], &handles[i]) != VESTA_OK)
            abort();
    for (int i = 0; i < BATCH; i++)
        vesta_arena_free(arena, handles[order[b][i]]);
}

static void *blocks[BATCH];

static void run_libc(int b) {
    for (int i = 0; i < BATCH; i++)
        blocks[i] = aligned_alloc(64, sizes[b][i]);
    for (int i = 0; i < BATCH; i++)
        free(blocks[order[b][i]]);
}

static void run_tlsf(int b) {
    for (int i = 0; i < BATCH; i++)
        blocks[i] = tlsf_alloc(tlsf, sizes[b][i]);
    for (int i = 0; i < BATCH; i++)
        tlsf_free(tlsf, blocks[order[b][i]]);
}

void arena_rows(void) {
    void (*const runs[SUBJECTS])(int) = {run_ours, run_libc, run_tlsf};
    double best[SUBJECTS] = {1e18, 1e18, 1e18};
    prepare();
    arena = vesta_arena_create(&(VestaArenaConfig){arena_size, 64, 0, NULL});
    void *memory = mmap(NULL, arena_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == NULL || memory == MAP_FAILED)
        abort();
    tlsf = tlsf_create(memory, arena_size);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SUBJECTS; i++) {
            int s = (round + i) % SUBJECTS;
            double start = nanoseconds();
            for (int b = 0; b < BATCHES; b++)
                runs[s](b);
            double time = nanoseconds() - start;
            best[s] = time < best[s] ? time : best[s];
        }
    }
    row_at_most("arena time, ours / the C library's aligned allocation", best[0] / best[1], 0.50, "times");
    row_at_most("arena time, ours / two-level segregated fit", best[0] / best[2], 1.0, "times");
    row_info("    ours, an allocation and its free", best[0] / BATCHES / BATCH, "ns");
    vesta_arena_destroy(arena);
    munmap(memory, arena_size);
}
