#include "originals.h"

#include "../entry.h"
#include "foreign_blocks.h"
#include "../foreign.h"
#include "../../os/windows/nt.h"

#include <stdint.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

VestaFunction *vesta_runtime_function(const char *name) {
#if defined(_UCRT)
    HMODULE runtime = GetModuleHandleW(L"ucrtbase.dll");
#else
    HMODULE runtime = GetModuleHandleW(L"msvcrt.dll");
#endif
    return runtime != NULL ? (VestaFunction *)(uintptr_t)GetProcAddress(runtime, name) : NULL;
}

/* What reaches an operator delete and is not of this heap. */
void vesta_foreign_free(void *block) {
    vesta_runtime_free(vesta_runtime_function("free"), block);
}

#endif
