/* What the doors need beyond the public interface and the fast path. */
#ifndef VESTA_HEAP_HOST_ALLOC_H
#define VESTA_HEAP_HOST_ALLOC_H

#include "page.h"

/* As the public functions; `site` is the address of the caller, whose habits decide how large blocks are zeroed. */
void *vesta_heap_alloc_zeroed(size_t size, const void *site);
void *vesta_heap_calloc(size_t count, size_t size, const void *site);

/* As vesta_host_realloc, for a block whose page was found. */
void *vesta_heap_resize(void *block, VestaPage *page, size_t size);

#endif
