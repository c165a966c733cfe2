/* The defences of the hardened build (VESTA_ALLOC_HARDEN). Each can be left out with a definition of 0;
 * docs/security.md says what each catches and costs. */
#ifndef VESTA_HARDENED_SWITCHES_H
#define VESTA_HARDENED_SWITCHES_H

#ifdef VESTA_ALLOC_HARDEN
#define VESTA_HARDENED 1
#else
#define VESTA_HARDENED 0
#endif

/* Eight bytes behind each block that are checked when it is freed, and the room between what was asked for and them. */
#ifndef VESTA_ALLOC_HARDEN_CANARY
#define VESTA_ALLOC_HARDEN_CANARY 1
#endif

/* A block that is freed looks at what lies up to 32 bytes away on both sides. */
#ifndef VESTA_ALLOC_HARDEN_NEIGHBOURS
#define VESTA_ALLOC_HARDEN_NEIGHBOURS 1
#endif

/* Blocks are zeroed when they are freed, and checked to be zero when they are given out again. */
#ifndef VESTA_ALLOC_HARDEN_FILL
#define VESTA_ALLOC_HARDEN_FILL 1
#endif

/* Which block of a slab is given out next is random. */
#ifndef VESTA_ALLOC_HARDEN_RANDOM
#define VESTA_ALLOC_HARDEN_RANDOM 1
#endif

/* Freed blocks wait in a ring before they can be given out again. */
#ifndef VESTA_ALLOC_HARDEN_QUARANTINE
#define VESTA_ALLOC_HARDEN_QUARANTINE 1
#endif

/* Inaccessible memory around slabs and large blocks, and in place of large blocks that were freed. */
#ifndef VESTA_ALLOC_HARDEN_GUARDS
#define VESTA_ALLOC_HARDEN_GUARDS 1
#endif

/* Blocks of size 0 are inaccessible. */
#ifndef VESTA_ALLOC_HARDEN_EMPTY
#define VESTA_ALLOC_HARDEN_EMPTY 1
#endif

/* The size that a sized delete or free_sized names must be the block's. */
#ifndef VESTA_ALLOC_HARDEN_SIZES
#define VESTA_ALLOC_HARDEN_SIZES 1
#endif

/* The shared library's memcpy, memmove and memset stay inside blocks. */
#ifndef VESTA_ALLOC_HARDEN_MEMORY_CALLS
#define VESTA_ALLOC_HARDEN_MEMORY_CALLS 1
#endif

#endif
