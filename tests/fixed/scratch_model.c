#include "model.h"
#include "support.h"

#include <vesta/scratch.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 256, MARKS = 16 };

typedef struct Live {
    unsigned char *block;
    size_t size;
    unsigned char fill;
} Live;

typedef struct Model {
    VestaScratch scratch;
    Live live[MOST];
    unsigned count;
    VestaScratchMark marks[MARKS];
    unsigned counts[MARKS];
    unsigned mark_count;
    bool grows;
} Model;

/* All blocks still hold what was written to them. */
static void check_blocks(const Model *m) {
    for (unsigned i = 0; i < m->count; i++)
        for (size_t j = 0; j < m->live[i].size; j++)
            CHECK(m->live[i].block[j] == m->live[i].fill);
}

static void allocate(Model *m, size_t size, size_t alignment, unsigned char fill, unsigned failing) {
    if (m->count == MOST)
        return;
    fail_request(failing);
    unsigned char *block = alignment == 1 ? vesta_scratch_alloc(&m->scratch, size)
                                          : vesta_scratch_alloc_aligned(&m->scratch, size, alignment);
    fail_request(0);
    CHECK(block != NULL || failing != 0 || !m->grows || size > PTRDIFF_MAX / 2);
    if (block == NULL)
        return;
    CHECK((uintptr_t)block % (alignment < 16 ? 16 : alignment) == 0 && size <= PTRDIFF_MAX / 2);
    memset(block, fill, size);
    m->live[m->count++] = (Live){block, size, fill};
}

static void rewind_to(Model *m, unsigned index) {
    vesta_scratch_rewind(&m->scratch, m->marks[index]);
    m->count = m->counts[index];
    m->mark_count = index;
}

static void step(Model *m, Script *script) {
    uint8_t operation = read8(script), choice = read8(script);
    switch (operation % 8) {
    case 0:
        if (m->mark_count == MARKS)
            break;
        m->counts[m->mark_count] = m->count;
        m->marks[m->mark_count++] = vesta_scratch_mark(&m->scratch);
        break;
    case 1:
        if (m->mark_count != 0)
            rewind_to(m, choice % m->mark_count);
        break;
    case 2:
        if (choice >= 64)
            break;
        vesta_scratch_reset(&m->scratch);
        m->count = m->mark_count = 0;
        break;
    case 3:
        allocate(m, read_size(script, 10), 1u << choice % 13, choice, operation / 8 % 4 == 0);
        break;
    case 4:
        allocate(m, SIZE_MAX - choice, choice % 2 == 0 ? 1 : 4096, choice, 0);
        break;
    default:
        allocate(m, read_size(script, 12), 1, choice, operation / 8 % 4 == 0);
    }
}

void run_scratch_model(const uint8_t *bytes, size_t size) {
    Script script = {bytes, bytes + size};
    Model m = {.count = 0};
    size_t before = host_blocks(), buffer_size = read16(&script) % 4096, chunk_size = read16(&script) % 8192;
    /* Exactly as large as it says, for the sanitizer. */
    char *buffer = malloc(buffer_size);
    if (read8(&script) % 2 == 0) {
        vesta_scratch_init(&m.scratch, chunk_size);
        m.grows = true;
    } else {
        chunk_size = chunk_size % 4 == 0 ? 0 : chunk_size;
        vesta_scratch_init_buffer(&m.scratch, buffer, buffer_size, chunk_size);
        m.grows = chunk_size != 0;
    }
    while (script.at != script.end) {
        step(&m, &script);
        check_blocks(&m);
    }
    vesta_scratch_destroy(&m.scratch);
    CHECK(host_blocks() == before);
    free(buffer);
}
