/* What the doors need beyond the public interface and the fast path. */
#ifndef VESTA_HEAP_HOST_ALLOC_H
#define VESTA_HEAP_HOST_ALLOC_H

#include "caller.h"
#include "page.h"

/* As the public functions, for a caller further up. Its habits decide how large blocks are zeroed. */
void *vesta_heap_alloc_zeroed(size_t size, const VestaCaller *caller);
void *vesta_heap_calloc(size_t count, size_t size, const VestaCaller *caller);
void *vesta_heap_alloc_aligned(size_t size, size_t alignment, const VestaCaller *caller);

/* As vesta_host_realloc, for a block whose page was found. */
void *vesta_heap_resize(void *block, VestaPage *page, size_t size, const VestaCaller *caller);

#endif
