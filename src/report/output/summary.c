#include "summary.h"

#include "text.h"
#include "../../alloc/os/os.h"
#include "vesta/host_alloc.h"

/* Less than 40 lines of less than 80 characters. */
enum { TEXT_MAX = 4 << 10, SIZES_MAX = 80 };

/* Where the columns end. */
enum { NUMBER_END = 46, UNIT_END = 60 };

static void add_count(VestaText *text, const char *label, uint64_t value) {
    vesta_text_add(text, "  ");
    vesta_text_add(text, label);
    vesta_text_number(text, value, NUMBER_END);
    vesta_text_end_line(text);
}

static void add_bytes(VestaText *text, const char *label, uint64_t value) {
    vesta_text_add(text, "  ");
    vesta_text_add(text, label);
    vesta_text_number(text, value, NUMBER_END);
    vesta_text_bytes(text, value, UNIT_END);
    vesta_text_end_line(text);
}

static void add_title(VestaText *text, const char *title) {
    vesta_text_add(text, title);
    vesta_text_end_line(text);
}

static void add_figures(VestaText *text, const VestaHostStats *stats) {
    add_title(text, "blocks");
    add_count(text, "allocations", stats->allocations);
    add_count(text, "frees", stats->frees);
    add_bytes(text, "bytes asked for", stats->allocated_bytes);
    add_bytes(text, "live", stats->live_bytes);
    add_bytes(text, "peak live", stats->peak_live_bytes);
    add_title(text, "memory");
    add_bytes(text, "used by slabs and large blocks", stats->used_bytes);
    add_bytes(text, "committed", stats->committed_bytes);
    add_bytes(text, "peak committed", stats->peak_committed_bytes);
    add_bytes(text, "free, still backed", stats->dirty_bytes);
    add_bytes(text, "returned to the system", stats->purged_bytes);
    add_bytes(text, "address space", stats->reserved_bytes);
    add_title(text, "heap");
    add_count(text, "regions", stats->regions);
    add_count(text, "slabs in use", stats->slabs);
    add_count(text, "large blocks in use", stats->large_blocks);
    add_count(text, "thread heaps", stats->thread_heaps);
    add_count(text, "remote frees", stats->remote_frees);
}

enum { SIZE_MIN_END = 10, SIZE_MAX_END = 20, COUNT_END = 34, COUNT_SHARE_END = 44, BYTES_END = 62, SHARE_END = 72 };

/* The heap's steps are finer than one cares to read: a line is for a doubling of the size, from half of `size_max`. */
typedef struct Line {
    uint64_t size_max;
    uint64_t allocations;
    uint64_t bytes;
} Line;

enum { LINE_MIN = 16, LINE_MAX = 16 << 10 };

static uint64_t line_of(const VestaHostSize *step) {
    uint64_t size_max = LINE_MIN;
    while (size_max < step->size_max && size_max <= LINE_MAX)
        size_max *= 2;
    return size_max;
}

static void add_line(VestaText *text, const Line *line, const Line *total) {
    vesta_text_number(text, line->size_max > LINE_MIN ? line->size_max / 2 + 1 : 0, SIZE_MIN_END);
    if (line->size_max <= LINE_MAX) {
        vesta_text_add(text, " to");
        vesta_text_number(text, line->size_max, SIZE_MAX_END);
    } else {
        vesta_text_add(text, " and more");
    }
    vesta_text_number(text, line->allocations, COUNT_END);
    vesta_text_share(text, line->allocations, total->allocations, COUNT_SHARE_END);
    vesta_text_number(text, line->bytes, BYTES_END);
    vesta_text_share(text, line->bytes, total->bytes, SHARE_END);
    vesta_text_end_line(text);
}

static void add_sizes(VestaText *text) {
    VestaHostSize steps[SIZES_MAX];
    unsigned count = vesta_host_alloc_sizes(steps, SIZES_MAX);
    if (count == 0)
        return;
    if (count > SIZES_MAX)
        count = SIZES_MAX;
    Line total = {.allocations = 0};
    for (unsigned i = 0; i < count; i++) {
        total.allocations += steps[i].allocations;
        total.bytes += steps[i].bytes;
    }
    add_title(text, "sizes                allocations     share             bytes     share");
    for (unsigned i = 0; i < count;) {
        Line line = {.size_max = line_of(&steps[i])};
        for (; i < count && line_of(&steps[i]) == line.size_max; i++) {
            line.allocations += steps[i].allocations;
            line.bytes += steps[i].bytes;
        }
        add_line(text, &line, &total);
    }
}

void vesta_report_summary(void) {
    char characters[TEXT_MAX];
    VestaText text = {.characters = characters, .capacity = sizeof characters};
    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    vesta_text_add(&text, "vesta_alloc: ");
    vesta_text_add(&text, vesta_os_program_name());
    vesta_text_add(&text, ", process ");
    vesta_text_number(&text, vesta_os_process_id(), 0);
    vesta_text_end_line(&text);
    add_figures(&text, &stats);
    add_sizes(&text);
    vesta_os_write_error(text.characters, text.length);
}
