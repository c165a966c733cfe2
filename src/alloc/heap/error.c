#include "error.h"

#include "options.h"
#include "../base/compiler.h"
#include "../base/text.h"
#include "../os/os.h"

enum { LINE_MAX = 256 };

static void print(VestaText *line) {
    line->characters[line->length++] = '\n';
    vesta_os_write_error(line->characters, line->length);
}

VESTA_COLD void vesta_heap_error(const char *what, const void *address) {
    char characters[LINE_MAX];
    VestaText line = {.characters = characters, .capacity = LINE_MAX - 1};
    vesta_text_add(&line, "vesta_alloc: ");
    vesta_text_add(&line, what);
    vesta_text_add(&line, ": 0x");
    vesta_text_add_number(&line, (uintptr_t)address, 16);
    print(&line);
    if (!__atomic_load_n(&vesta_options.report_errors, __ATOMIC_RELAXED))
        vesta_os_abort();
}

#ifdef VESTA_DEBUG
void vesta_assert_failed(const char *invariant, const char *file, int at) {
    char characters[LINE_MAX];
    VestaText line = {.characters = characters, .capacity = LINE_MAX - 1};
    vesta_text_add(&line, "vesta_alloc: invariant does not hold: ");
    vesta_text_add(&line, invariant);
    vesta_text_add(&line, ", ");
    vesta_text_add(&line, file);
    vesta_text_add(&line, ", line ");
    vesta_text_add_number(&line, (unsigned)at, 10);
    print(&line);
    vesta_os_abort();
}
#endif
