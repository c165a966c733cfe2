/* The functions of each C runtime that are hooked. */
#ifndef VESTA_INTERPOSE_WINDOWS_RUNTIMES_H
#define VESTA_INTERPOSE_WINDOWS_RUNTIMES_H

#include "hook.h"

/* What runtime_entries.h and runtime_aligned_entries.h define. */
#define VESTA_RUNTIME_NAMES(X) X(malloc) X(calloc) X(free) X(realloc) X(_msize) X(_expand) X(_recalloc)
#define VESTA_RUNTIME_ALIGNED_NAMES(X)                                                                                 \
    X(_aligned_malloc)                                                                                                 \
    X(_aligned_offset_malloc)                                                                                          \
    X(_aligned_free)                                                                                                   \
    X(_aligned_msize)                                                                                                  \
    X(_aligned_realloc)                                                                                                \
    X(_aligned_offset_realloc)                                                                                         \
    X(_aligned_recalloc)                                                                                               \
    X(_aligned_offset_recalloc)

enum { VESTA_RUNTIME_HOOKS = 7, VESTA_RUNTIME_ALIGNED_HOOKS = 8 };

extern const VestaHook vesta_msvcrt_hooks[VESTA_RUNTIME_HOOKS + VESTA_RUNTIME_ALIGNED_HOOKS];
extern const VestaHook vesta_ucrtbase_hooks[VESTA_RUNTIME_HOOKS + VESTA_RUNTIME_ALIGNED_HOOKS];

/* What ucrtbase.dll calls itself, behind malloc and the others. */
extern const VestaHook vesta_ucrtbase_inner_hooks[VESTA_RUNTIME_HOOKS];

/* For the files that define these. */
#define VESTA_HOOKED_ENTRY(type, name) static type name##_entry
#define VESTA_HOOK_ORIGINAL(name) VestaFunction *name;
#define VESTA_HOOK_ROW(name) {#name, (VestaFunction *)name##_entry, &originals.name},

#endif
