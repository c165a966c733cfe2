/* Two machine words count as a vector; where there are vectors of that size the compiler uses them. */
#include "generic.h"

#if VESTA_MEM_GENERIC

#define VESTA_MEM_WIDTH 16
#define VESTA_MEM_LOOP_WIDTH 16
#define VESTA_MEM_TARGET
#define VESTA_MEM_COPY vesta_mem_copy_generic
#define VESTA_MEM_SET vesta_mem_set_generic
#define VESTA_MEM_SMALL_COPY vesta_memcpy_inline
#define VESTA_MEM_SMALL_SET vesta_memset_inline
#include "../vector_path.h"

#endif
