/* SSE2, which every x86-64 has. */
#include "x86.h"

#if VESTA_MEM_X86

#include "large.h"

#define VESTA_MEM_WIDTH 16
#define VESTA_MEM_LOOP_WIDTH 16
#define VESTA_MEM_TARGET
#define VESTA_MEM_COPY vesta_mem_copy_sse2
#define VESTA_MEM_SET vesta_mem_set_sse2
#define VESTA_MEM_SMALL_COPY vesta_memcpy_inline
#define VESTA_MEM_SMALL_SET vesta_memset_inline
#include "../vector_path.h"

#endif
