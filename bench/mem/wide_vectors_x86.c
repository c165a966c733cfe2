/* Not chosen: vectors of 64 bytes. */
#include <stddef.h>
#include <stdint.h>

#include <vesta/mem_config.h>

#if VESTA_MEM_X86

void *copy_wide(void *dst, const void *src, size_t size);
void *set_wide(void *dst, int byte, size_t size);

#define VESTA_MEM_WIDTH 64
#define VESTA_MEM_LOOP_WIDTH 64
#define VESTA_MEM_TARGET __attribute__((target("avx512f")))
#define VESTA_MEM_COPY copy_wide
#define VESTA_MEM_SET set_wide
#define VESTA_MEM_SMALL_COPY vesta_memcpy_inline
#define VESTA_MEM_SMALL_SET vesta_memset_inline
#include "mem/vector_path.h"

#endif
