/* How an entry is named and exported. Each entry is written once, as VESTA_ENTRY(type, name)(parameters), and becomes
 *   - `name` itself behind the door of symbol definition (VESTA_ALLOC_DEFINE_MALLOC; the shared library always): a
 *     definition in the executable or a preloaded library outranks the C library's, for its own calls too;
 *   - `__wrap_name` behind the door of renaming at the link (VESTA_ALLOC_INTERPOSE_MALLOC, -Wl,--wrap=name), which
 *     reaches the objects of that link alone.
 * With both on, symbol definition serves every entry and nothing is renamed. On Windows a jump in the C runtime's code
 * (VESTA_ALLOC_HOOK_MSVCRT) takes the place of the first; its entries are in windows/. With neither, or under a
 * sanitizer, which must see the program's own calls, there are no entries. */
#ifndef VESTA_INTERPOSE_ENTRY_H
#define VESTA_INTERPOSE_ENTRY_H

#include "../base/compiler.h"

#if defined(__has_feature)
#define VESTA_HAS_FEATURE(feature) __has_feature(feature)
#else
#define VESTA_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || VESTA_HAS_FEATURE(address_sanitizer) ||           \
    VESTA_HAS_FEATURE(thread_sanitizer) || VESTA_HAS_FEATURE(memory_sanitizer)
#define VESTA_SANITIZED 1
#else
#define VESTA_SANITIZED 0
#endif

#define VESTA_DOOR_NONE 0
#define VESTA_DOOR_DEFINE 1
#define VESTA_DOOR_WRAP 2
#define VESTA_DOOR_HOOK 3

#if defined(VESTA_ALLOC_DEFINE_MALLOC) && !VESTA_SANITIZED
#define VESTA_DOOR VESTA_DOOR_DEFINE
#define VESTA_ENTRY_NAME(name) name
#elif defined(VESTA_ALLOC_HOOK_MSVCRT)
#define VESTA_DOOR VESTA_DOOR_HOOK
#elif defined(VESTA_ALLOC_INTERPOSE_MALLOC) && !defined(VESTA_ALLOC_DEFINE_MALLOC)
#if VESTA_SANITIZED
#error "--wrap hides allocations from the sanitizer: configure with VESTA_ALLOC_INTERPOSE_MALLOC off"
#endif
#define VESTA_DOOR VESTA_DOOR_WRAP
#define VESTA_ENTRY_NAME(name) __wrap_##name
#else
#define VESTA_DOOR VESTA_DOOR_NONE
#endif

/* `used`: link-time optimisation sees no caller of an entry that only other libraries call, and must keep it. */
#if defined(_WIN32)
#define VESTA_EXPORTED __attribute__((used))
#else
#define VESTA_EXPORTED __attribute__((visibility("default"), used))
#endif
#define VESTA_ENTRY(type, name) VESTA_EXPORTED type VESTA_ENTRY_NAME(name)

/* A second name of an entry. Weak: musl has some of these names for itself, and a static link may need its definitions.
 */
#define VESTA_STRING(text) #text
#define VESTA_EXPANDED_STRING(text) VESTA_STRING(text)
#define VESTA_ENTRY_ALIAS(type, name, of)                                                                              \
    extern VESTA_EXPORTED __attribute__((weak, alias(VESTA_EXPANDED_STRING(VESTA_ENTRY_NAME(of))))) type               \
    VESTA_ENTRY_NAME(name)

#endif
