/* NEON: 16-byte vectors, which the compiler pairs into ldp and stp of 32 bytes. */
#include "neon.h"

#if VESTA_MEM_ARM

#define VESTA_MEM_WIDTH 16
#define VESTA_MEM_LOOP_WIDTH 16
#define VESTA_MEM_TARGET
#define VESTA_MEM_COPY vesta_mem_copy_neon
#define VESTA_MEM_SET vesta_mem_set_neon
#define VESTA_MEM_SMALL_COPY vesta_memcpy_inline
#define VESTA_MEM_SMALL_SET vesta_memset_inline
#include "../vector_path.h"

#endif
