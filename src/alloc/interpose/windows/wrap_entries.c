/* The door of renaming: --wrap reaches calls, and by their import pointers those that were declared dllimport. */
#include "originals.h"
#include "runtimes.h"
#include "../entry.h"

#if VESTA_DOOR == VESTA_DOOR_WRAP

#define VESTA_RUNTIME_ENTRY(type, name) VESTA_EXPORTED type __wrap_##name
#define VESTA_RUNTIME_ORIGINAL(name) vesta_runtime_function(#name)
#include "runtime_entries.h"
#include "runtime_aligned_entries.h"

#define IMPORT_POINTER(name)                                                                                           \
    extern VestaFunction *const __wrap___imp_##name;                                                                   \
    VESTA_EXPORTED VestaFunction *const __wrap___imp_##name = (VestaFunction *)__wrap_##name;
VESTA_RUNTIME_NAMES(IMPORT_POINTER)
VESTA_RUNTIME_ALIGNED_NAMES(IMPORT_POINTER)

#endif
