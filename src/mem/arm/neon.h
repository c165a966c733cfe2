/* The path of arm64, which has NEON always. */
#ifndef VESTA_MEM_NEON_H
#define VESTA_MEM_NEON_H

#include "../path.h"

#pragma GCC visibility push(hidden)

VestaMemCopy vesta_mem_copy_neon;
VestaMemSet vesta_mem_set_neon;

#pragma GCC visibility pop

#endif
