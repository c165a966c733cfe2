/* Not chosen: the last vector is stored across a page border like across any other. */
#include <stddef.h>
#include <stdint.h>

#include <vesta/mem_config.h>

#if VESTA_MEM_X86

#undef VESTA_MEM_STORE_PAGE
#define VESTA_MEM_STORE_PAGE SIZE_MAX

void *copy_across_pages(void *dst, const void *src, size_t size);
void *set_across_pages(void *dst, int byte, size_t size);

#define VESTA_MEM_WIDTH 32
#define VESTA_MEM_LOOP_WIDTH 32
#define VESTA_MEM_TARGET __attribute__((target("avx2")))
#define VESTA_MEM_COPY copy_across_pages
#define VESTA_MEM_SET set_across_pages
#define VESTA_MEM_SMALL_COPY vesta_memcpy_inline
#define VESTA_MEM_SMALL_SET vesta_memset_inline
#include "mem/vector_path.h"

#endif
