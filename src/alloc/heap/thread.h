/* Which heap the calling thread works on, from its first request until after its own end. */
#ifndef VESTA_HEAP_THREAD_H
#define VESTA_HEAP_THREAD_H

#include "registry.h"
#include "thread_variables.h"

/* Makes a thread's first heap, or borrows one for a thread that was torn down already; NULL if there is no memory. */
VestaHeap *vesta_heap_enter_first(void);

/* The frame of every slow path: between the two the heap is the caller's alone. */
VESTA_INLINE VestaHeap *vesta_heap_enter(void) {
    VestaHeap *heap = vesta_heap_own;
    if (VESTA_UNLIKELY(heap == NULL) && (heap = vesta_heap_enter_first()) == NULL)
        return NULL;
    heap->busy++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return heap;
}

VESTA_INLINE void vesta_heap_leave(VestaHeap *heap) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    heap->busy--;
    if (VESTA_UNLIKELY(heap != vesta_heap_own))
        vesta_registry_abandon(heap); /* it was borrowed */
}

#endif
