#include "runtimes.h"
#include "../entry.h"

#if VESTA_DOOR == VESTA_DOOR_HOOK

static struct { VESTA_RUNTIME_NAMES(VESTA_HOOK_ORIGINAL) } originals;

#define VESTA_RUNTIME_ENTRY VESTA_HOOKED_ENTRY
#define VESTA_RUNTIME_ORIGINAL(name) originals.name
#include "runtime_entries.h"

/* The names that are there; the others call one of these. */
const VestaHook vesta_ucrtbase_inner_hooks[] = {
    {"_malloc_base", (VestaFunction *)malloc_entry, &originals.malloc},
    {"_calloc_base", (VestaFunction *)calloc_entry, &originals.calloc},
    {"_free_base", (VestaFunction *)free_entry, &originals.free},
    {"_realloc_base", (VestaFunction *)realloc_entry, &originals.realloc},
    {"_msize_base", (VestaFunction *)_msize_entry, &originals._msize},
    {"_expand_base", (VestaFunction *)_expand_entry, &originals._expand},
    {"_recalloc_base", (VestaFunction *)_recalloc_entry, &originals._recalloc},
};

#endif
