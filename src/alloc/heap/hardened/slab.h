/* Slabs of the hardened build: no links in blocks, every state in the page records, one lock per thread heap.
 *
 * A block is in use (its bits in `used` and `live` are set), in quarantine (`used` alone) or free (neither). A slab is
 * full or in the queue of its class. Any thread frees a block on the spot, under the lock of the heap that owns its
 * slab: a double free is seen at once, whoever makes it. After the design of hardened_malloc. */
#ifndef VESTA_HARDENED_SLAB_H
#define VESTA_HARDENED_SLAB_H

#include "../heap.h"
#include "canary.h"

/* A block for `size` bytes of a class that has room for them and the canary; NULL if there is no memory. */
void *vesta_hardened_take(VestaHeap *heap, uint32_t class_index, size_t size);

/* Frees what is said to be a block of the page's slab, or reports what is wrong with it. */
void vesta_hardened_free(VestaPage *page, void *block);

/* Whether it is the start of a block in use. */
bool vesta_hardened_in_use(VestaPage *page, const void *block);

/* What was asked for. */
size_t vesta_hardened_size(const VestaPage *page, const void *block);

/* Makes a block in use larger or smaller if its place has room for that. */
bool vesta_hardened_resize(VestaPage *page, void *block, size_t size);

/* How many bytes from an address inside a slab on belong to the same block in use: 0 if it is in none. */
size_t vesta_hardened_reach(VestaPage *page, const void *address);

/* Ends the quarantine, and gives back what has no block in use. */
void vesta_hardened_tidy(VestaHeap *heap);

/* A large block that is concealed waits here; what waited longest is given back. */
void vesta_hardened_hold(VestaHeap *heap, VestaPage *span);
/* Gives all of them back: address space is short. */
void vesta_hardened_let_go(VestaHeap *heap);

#endif
