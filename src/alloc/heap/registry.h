/* All thread heaps there are, and those whose thread has ended.
 *
 * A thread that ends abandons its heap; the next thread that needs one adopts it, with everything in it. Until then
 * other threads take single slabs with free blocks out of it, and who frees blocks of it collects them on its behalf.
 */
#ifndef VESTA_HEAP_REGISTRY_H
#define VESTA_HEAP_REGISTRY_H

#include "heap.h"

/* An abandoned heap, or a new one; NULL if there is no memory. */
VestaHeap *vesta_registry_adopt(void);

void vesta_registry_abandon(VestaHeap *heap);

/* Takes a slab with free blocks of the class from an abandoned heap, if there is one. */
void vesta_registry_steal(VestaHeap *heap, uint32_t class_index);

/* Makes the slabs of a chain of blocks, freed by `heap`'s thread, its own, as far as they belong to `owner`; false if
 * that is not abandoned any more. Who frees a lost heap's blocks frees more of them: so only the first of a slab is
 * remote. */
bool vesta_registry_claim(VestaHeap *heap, VestaHeap *owner, void *blocks);

/* Takes back what others freed, on behalf of an abandoned heap. */
void vesta_registry_collect(VestaHeap *heap);

/* The same for all of them. */
void vesta_registry_collect_all(void);

/* The first of all heaps, linked through `next`; heaps are only ever added. */
VestaHeap *vesta_registry_first(void);

/* Around fork. In the child every heap but `survivor` has lost its thread. */
void vesta_registry_lock(void);
void vesta_registry_unlock(void);
void vesta_registry_reset(VestaHeap *survivor);

#endif
