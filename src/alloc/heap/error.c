#include "error.h"

#include "options.h"
#include "../base/compiler.h"
#include "../os/os.h"

typedef struct Line {
    char text[256];
    size_t length;
} Line;

static void add_text(Line *line, const char *text) {
    while (*text != '\0' && line->length < sizeof line->text - 1)
        line->text[line->length++] = *text++;
}

static void add_hex(Line *line, uintptr_t value) {
    char digits[2 * sizeof value + 1];
    size_t start = sizeof digits - 1;
    digits[start] = '\0';
    do
        digits[--start] = "0123456789abcdef"[value % 16];
    while ((value /= 16) != 0);
    add_text(line, "0x");
    add_text(line, digits + start);
}

static void print(Line *line) {
    line->text[line->length++] = '\n';
    vesta_os_write_error(line->text, line->length);
}

VESTA_COLD void vesta_heap_error(const char *what, const void *address) {
    Line line;
    line.length = 0;
    add_text(&line, "vesta_alloc: ");
    add_text(&line, what);
    add_text(&line, ": ");
    add_hex(&line, (uintptr_t)address);
    print(&line);
    if (!__atomic_load_n(&vesta_options.report_errors, __ATOMIC_RELAXED))
        vesta_os_abort();
}

#ifdef VESTA_DEBUG
void vesta_assert_failed(const char *invariant, const char *file, int at) {
    Line line;
    line.length = 0;
    add_text(&line, "vesta_alloc: invariant does not hold: ");
    add_text(&line, invariant);
    add_text(&line, ", ");
    add_text(&line, file);
    add_text(&line, ", line ");
    add_hex(&line, (uintptr_t)at);
    print(&line);
    vesta_os_abort();
}
#endif
