/* Blocks that reach an entry but are not of our heap: they belong to the allocator that this one replaced. The C
 * library may have given them out before this library was loaded, a library under RTLD_DEEPBIND or outside a --wrap
 * link still takes its memory there. Where no other allocator is there, or the address cannot be a block of any, it is
 * an error. */
#ifndef VESTA_INTERPOSE_FOREIGN_H
#define VESTA_INTERPOSE_FOREIGN_H

#include "../heap/fast_path.h"

#include <stddef.h>

void vesta_foreign_free(void *block);
void *vesta_foreign_realloc(void *block, size_t size);
size_t vesta_foreign_usable_size(void *block);

/* The body of free and of every operator delete: a block of ours, or somebody else's. */
VESTA_INLINE void vesta_entry_free(void *block) {
    if (VESTA_UNLIKELY(!vesta_heap_free(block)))
        vesta_foreign_free(block);
}

#endif
