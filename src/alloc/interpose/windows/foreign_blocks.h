/* Blocks that reach an entry but are not of our heap: those that the C runtime gave out before it was hooked, or that a
 * DLL outside a --wrap link took from it. They go to the function that the entry replaced, where they can be a block.
 */
#ifndef VESTA_INTERPOSE_WINDOWS_FOREIGN_BLOCKS_H
#define VESTA_INTERPOSE_WINDOWS_FOREIGN_BLOCKS_H

#include "hook.h"

#include <stdbool.h>
#include <stddef.h>

#define VESTA_BAD_POINTER(call) call " of a pointer that no allocator gave out"

/* Whether `original` may be asked about the address; reports the bad call if not. */
bool vesta_runtime_is_block(VestaFunction *original, const void *address, const char *bad_call);

/* The block goes to `original`, which is of the kind of free, realloc, _msize or _recalloc. */
void vesta_runtime_free(VestaFunction *original, void *block);
void *vesta_runtime_realloc(VestaFunction *original, void *block, size_t size);
size_t vesta_runtime_size(VestaFunction *original, void *block);
void *vesta_runtime_recalloc(VestaFunction *original, void *block, size_t count, size_t size);

#endif
