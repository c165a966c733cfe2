/* A path is one copy and one fill for one instruction set. An architecture is a folder with paths and a select.c, and
 * one branch in vesta/mem_config.h. */
#ifndef VESTA_MEM_PATH_H
#define VESTA_MEM_PATH_H

#include <stddef.h>

#include <vesta/mem_config.h>

typedef void *VestaMemCopy(void *dst, const void *src, size_t size);
typedef void *VestaMemSet(void *dst, int byte, size_t size);

/* Hidden already where they are used, so that nothing of this needs a relocation. */
#pragma GCC visibility push(hidden)

/* The best path of this CPU. Called once or, by threads that start at once, a few times. */
VestaMemCopy *vesta_mem_select_copy(void);
VestaMemSet *vesta_mem_select_set(void);

#pragma GCC visibility pop

#endif
