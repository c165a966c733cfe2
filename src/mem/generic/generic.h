/* The path that any architecture can compile. */
#ifndef VESTA_MEM_GENERIC_H
#define VESTA_MEM_GENERIC_H

#include "../path.h"

#pragma GCC visibility push(hidden)

VestaMemCopy vesta_mem_copy_generic;
VestaMemSet vesta_mem_set_generic;

#pragma GCC visibility pop

#endif
