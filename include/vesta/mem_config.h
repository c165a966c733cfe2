/* What the memory primitives are compiled for, and why. */
#ifndef VESTA_MEM_CONFIG_H
#define VESTA_MEM_CONFIG_H

/* Exactly one folder of src/mem is compiled in; with both macros set to 0, the generic one. x86-64 has several paths
 * and picks one when the program starts; arm64 has one, which needs no look at the CPU. */
#ifndef VESTA_MEM_X86
#if defined(__x86_64__)
#define VESTA_MEM_X86 1
#else
#define VESTA_MEM_X86 0
#endif
#endif
#ifndef VESTA_MEM_ARM
#if defined(__aarch64__)
#define VESTA_MEM_ARM 1
#else
#define VESTA_MEM_ARM 0
#endif
#endif
#define VESTA_MEM_GENERIC (!VESTA_MEM_X86 && !VESTA_MEM_ARM)

/* The largest size that the inline forms move without a loop: four 16-byte moves, the widest that every x86-64 and
 * arm64 machine has. Wider ones need dispatch, so more would be a longer ladder at every call site. vesta_memcpy and
 * vesta_memset work in place up to here if the compiler knows the size. */
#define VESTA_MEM_INLINE_MAX 64

/* A vector store that crosses the border of such a page costs as much as 30 others, so loops end at the border. Not the
 * page size of the system but what the load-store units of current processors are built around. */
#define VESTA_MEM_STORE_PAGE 4096

#endif
