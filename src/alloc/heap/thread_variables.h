/* What each thread knows of its heap: `vesta_heap_fast` is what the fast path works on, vesta_no_heap while the thread
 * has none yet or the slow path must see every call; `vesta_heap_own` is the real one, or NULL. */
#ifndef VESTA_HEAP_THREAD_VARIABLES_H
#define VESTA_HEAP_THREAD_VARIABLES_H

#include "heap.h"

/* Has no blocks and owns none, so that every request and every free of its thread takes the slow path. Never written.
 */
extern VESTA_HIDDEN VestaHeap vesta_no_heap;

#if defined(_WIN32)

#include "../os/windows/thread_slots.h"

#define vesta_heap_fast vesta_heap_fast_slot()
#define vesta_heap_own vesta_heap_own_slot()

/* The slot holds the distance from vesta_no_heap, so that a new thread's zero is that heap without a branch. */
VESTA_INLINE VestaHeap *vesta_heap_fast_slot(void) {
    return (VestaHeap *)((uintptr_t)&vesta_no_heap + vesta_fast_slot_read());
}

static inline void vesta_heap_set_fast(VestaHeap *heap) {
    vesta_slot_write(VESTA_SLOT_FAST, (uintptr_t)heap - (uintptr_t)&vesta_no_heap);
}

enum { VESTA_OWN_ENDED = 1 }; /* no heap's address */

static inline VestaHeap *vesta_heap_own_slot(void) {
    uintptr_t own = vesta_slot_read(VESTA_SLOT_OWN);
    return own != VESTA_OWN_ENDED ? (VestaHeap *)own : NULL;
}

static inline void vesta_heap_set_own(VestaHeap *heap) {
    vesta_slot_write(VESTA_SLOT_OWN, (uintptr_t)heap);
}

static inline bool vesta_thread_has_ended(void) {
    return vesta_slot_read(VESTA_SLOT_OWN) == VESTA_OWN_ENDED;
}

static inline void vesta_thread_set_ended(void) {
    vesta_slot_write(VESTA_SLOT_OWN, VESTA_OWN_ENDED);
}

#else

#define VESTA_THREAD_VARIABLE extern VESTA_HIDDEN _Thread_local __attribute__((tls_model("initial-exec")))

VESTA_THREAD_VARIABLE VestaHeap *vesta_heap_fast;
VESTA_THREAD_VARIABLE VestaHeap *vesta_heap_own;
VESTA_THREAD_VARIABLE bool vesta_ended;

static inline void vesta_heap_set_fast(VestaHeap *heap) {
    vesta_heap_fast = heap;
}

static inline void vesta_heap_set_own(VestaHeap *heap) {
    vesta_heap_own = heap;
}

static inline bool vesta_thread_has_ended(void) {
    return vesta_ended;
}

/* It has no heap of its own any more. */
static inline void vesta_thread_set_ended(void) {
    vesta_heap_own = NULL;
    vesta_ended = true;
}

#endif

#endif
