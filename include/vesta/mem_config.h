/* What the memory primitives are compiled for, and why. Everything here may be set on the command line. */
#ifndef VESTA_MEM_CONFIG_H
#define VESTA_MEM_CONFIG_H

/* 16-byte moves where the base instruction set has registers for them; they need no dispatch. */
#ifndef VESTA_MEM_HAS_VECTOR16
#if defined(__SSE2__) || defined(__ARM_NEON)
#define VESTA_MEM_HAS_VECTOR16 1
#else
#define VESTA_MEM_HAS_VECTOR16 0
#endif
#endif

/* Up to this size vesta_memcpy and vesta_memset do the work in place; above it a call pays for itself. The last step of
 * the inline ladder without a loop. */
#define VESTA_MEM_INLINE_MAX 64

#endif
