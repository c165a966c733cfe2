/* What the vector paths do with blocks past their loop. */
#ifndef VESTA_MEM_X86_LARGE_H
#define VESTA_MEM_X86_LARGE_H

#include "../path.h"
#include "thresholds.h"

#pragma GCC visibility push(hidden)

VestaMemCopy vesta_mem_copy_large;
VestaMemSet vesta_mem_set_large;

#define VESTA_MEM_LARGE_COPY_MIN atomic_load_explicit(&vesta_mem_thresholds.copy_rep, memory_order_relaxed)
#define VESTA_MEM_LARGE_COPY vesta_mem_copy_large
#define VESTA_MEM_LARGE_SET_MIN atomic_load_explicit(&vesta_mem_thresholds.set_rep, memory_order_relaxed)
#define VESTA_MEM_LARGE_SET vesta_mem_set_large

#pragma GCC visibility pop

#endif
