/* The paths of x86-64, and what they hand large blocks to. */
#ifndef VESTA_MEM_X86_H
#define VESTA_MEM_X86_H

#include "../path.h"

#pragma GCC visibility push(hidden)

/* One file each. Every one is correct for all sizes on a CPU that has the instructions. */
VestaMemCopy vesta_mem_copy_sse2, vesta_mem_copy_avx2, vesta_mem_copy_avx512, vesta_mem_copy_erms;
VestaMemSet vesta_mem_set_sse2, vesta_mem_set_avx2, vesta_mem_set_avx512, vesta_mem_set_erms;

/* Past the cache: stores that do not read the lines they overwrite. For more than VESTA_MEM_INLINE_MAX bytes. */
VestaMemCopy vesta_mem_copy_stream;
VestaMemSet vesta_mem_set_stream;

#pragma GCC visibility pop

#endif
