/* What glibc offers to ask and tune its malloc, answered for this heap. */
#include "entry.h"
#include "../base/text.h"
#include "../os/os.h"

#include <vesta/host_alloc.h>

#include <errno.h>
#include <limits.h>
#include <stdio.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

/* struct mallinfo2 and mallinfo of mallinfo(3), which musl's headers do not have. What does not apply is 0. */
typedef struct VestaMallinfo2 {
    size_t arena;    /* bytes taken from the system */
    size_t ordblks;  /* free chunks */
    size_t smblks;   /* fastbin chunks */
    size_t hblks;    /* mapped regions */
    size_t hblkhd;   /* bytes in them */
    size_t usmblks;  /* always 0 */
    size_t fsmblks;  /* bytes in fastbins */
    size_t uordblks; /* bytes in use */
    size_t fordblks; /* bytes free */
    size_t keepcost; /* bytes that malloc_trim could give back */
} VestaMallinfo2;

typedef struct VestaMallinfo {
    int arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
} VestaMallinfo;

static VestaHostStats current_stats(void) {
    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    return stats;
}

static VestaMallinfo2 current_mallinfo(void) {
    VestaHostStats stats = current_stats();
    return (VestaMallinfo2){
        .arena = stats.committed_bytes,
        .uordblks = stats.used_bytes,
        .fordblks = stats.committed_bytes - stats.used_bytes,
        .keepcost = stats.dirty_bytes,
    };
}

static int saturated(size_t value) {
    return value < INT_MAX ? (int)value : INT_MAX;
}

VESTA_ENTRY(VestaMallinfo2, mallinfo2)(void) {
    return current_mallinfo();
}

VESTA_ENTRY(VestaMallinfo, mallinfo)(void) {
    VestaMallinfo2 info = current_mallinfo();
    return (VestaMallinfo){
        .arena = saturated(info.arena),
        .uordblks = saturated(info.uordblks),
        .fordblks = saturated(info.fordblks),
        .keepcost = saturated(info.keepcost),
    };
}

/* glibc's parameters are hints for another design; as there, what is unknown is accepted. */
VESTA_ENTRY(int, mallopt)(int parameter, int value) {
    (void)parameter;
    (void)value;
    return 1;
}

VESTA_ENTRY(int, malloc_trim)(size_t keep) {
    return vesta_host_trim(keep);
}

enum { TEXT_MAX = 512 };

static void add_line(VestaText *text, const char *before, uint64_t value, const char *after) {
    vesta_text_add(text, before);
    vesta_text_add_number(text, value, 10);
    vesta_text_add(text, after);
}

VESTA_ENTRY(void, malloc_stats)(void) {
    VestaHostStats stats = current_stats();
    char characters[TEXT_MAX];
    VestaText text = {.characters = characters, .capacity = TEXT_MAX};
    add_line(&text, "vesta_alloc: system bytes = ", stats.committed_bytes, "\n");
    add_line(&text, "vesta_alloc: in use bytes = ", stats.used_bytes, "\n");
    add_line(&text, "vesta_alloc: free bytes, backed by memory = ", stats.dirty_bytes, "\n");
    add_line(&text, "vesta_alloc: max system bytes = ", stats.peak_committed_bytes, "\n");
    vesta_os_write_error(text.characters, text.length);
}

/* The elements of glibc's format that apply. */
VESTA_ENTRY(int, malloc_info)(int options, FILE *file) {
    if (options != 0) {
        errno = EINVAL;
        return -1;
    }
    VestaHostStats stats = current_stats();
    char characters[TEXT_MAX];
    VestaText text = {.characters = characters, .capacity = TEXT_MAX};
    vesta_text_add(&text, "<malloc version=\"1\">\n");
    add_line(&text, "<total type=\"rest\" count=\"0\" size=\"", stats.committed_bytes - stats.used_bytes, "\"/>\n");
    add_line(&text, "<system type=\"current\" size=\"", stats.committed_bytes, "\"/>\n");
    add_line(&text, "<system type=\"max\" size=\"", stats.peak_committed_bytes, "\"/>\n");
    add_line(&text, "<aspace type=\"total\" size=\"", stats.reserved_bytes, "\"/>\n");
    vesta_text_add(&text, "</malloc>\n");
    return fwrite(text.characters, 1, text.length, file) == text.length ? 0 : -1;
}

VESTA_ENTRY_ALIAS(VestaMallinfo, __libc_mallinfo, mallinfo)(void);
VESTA_ENTRY_ALIAS(int, __libc_mallopt, mallopt)(int parameter, int value);

#endif
