/* What C11 lacks and gcc and clang have; and the assert of the debug build. */
#ifndef VESTA_BASE_COMPILER_H
#define VESTA_BASE_COMPILER_H

#define VESTA_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define VESTA_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define VESTA_INLINE static inline __attribute__((always_inline))
#define VESTA_NOINLINE __attribute__((noinline))
#define VESTA_COLD __attribute__((cold, noinline))
#define VESTA_WEAK __attribute__((weak))
/* -fvisibility=hidden does not reach declarations: without this, code would fetch the address of a variable first. */
#if defined(_WIN32)
#define VESTA_HIDDEN
#else
#define VESTA_HIDDEN __attribute__((visibility("hidden")))
#endif

#ifdef VESTA_DEBUG
/* Prints the failed invariant in one line and aborts; defined beside the error messages of the os layer. */
__attribute__((noreturn)) void vesta_assert_failed(const char *invariant, const char *file, int line);
#define VESTA_ASSERT(invariant) ((invariant) ? (void)0 : vesta_assert_failed(#invariant, __FILE__, __LINE__))
#else
#define VESTA_ASSERT(invariant) ((void)0)
#endif

#endif
