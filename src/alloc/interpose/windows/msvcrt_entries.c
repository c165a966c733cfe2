#include "runtimes.h"
#include "../entry.h"

#if VESTA_DOOR == VESTA_DOOR_HOOK

static struct {
    VESTA_RUNTIME_NAMES(VESTA_HOOK_ORIGINAL)
    VESTA_RUNTIME_ALIGNED_NAMES(VESTA_HOOK_ORIGINAL)
} originals;

#define VESTA_RUNTIME_ENTRY VESTA_HOOKED_ENTRY
#define VESTA_RUNTIME_ORIGINAL(name) originals.name
#include "runtime_entries.h"
#include "runtime_aligned_entries.h"

const VestaHook vesta_msvcrt_hooks[] = {VESTA_RUNTIME_NAMES(VESTA_HOOK_ROW) /* */
                                        VESTA_RUNTIME_ALIGNED_NAMES(VESTA_HOOK_ROW)};

#endif
