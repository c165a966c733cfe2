#include "thread.h"

#include "fork.h"
#include "hooks.h"
#include "options.h"
#include "../os/os.h"

VestaHeap vesta_no_heap;
VestaHooks vesta_hooks;

#if !defined(_WIN32)
_Thread_local VestaHeap *vesta_heap_fast = &vesta_no_heap;
_Thread_local VestaHeap *vesta_heap_own;
_Thread_local bool vesta_ended;
#endif

/* What the thread still asks for is served from a borrowed heap, call by call. */
static void thread_ended(void) {
    VestaHeap *heap = vesta_heap_own;
    vesta_thread_set_ended();
    vesta_heap_set_fast(&vesta_no_heap);
    if (heap != NULL)
        vesta_registry_abandon(heap);
}

/* Once. With malloc being ours the first request comes before a second thread can exist; through the explicit interface
 * several threads may come at once, and wait for the options. Registering for fork may allocate, so it is last. */
static void start(void) {
    enum { NOT_STARTED, STARTING, STARTED };
    static uint32_t state;
    if (VESTA_LIKELY(__atomic_load_n(&state, __ATOMIC_ACQUIRE) == STARTED))
        return;
    uint32_t expected = NOT_STARTED;
    if (!__atomic_compare_exchange_n(&state, &expected, STARTING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != STARTED) {
        }
        return;
    }
    vesta_options_read();
    if (vesta_record_start != NULL && vesta_record_start(&vesta_hooks))
        __atomic_store_n(&vesta_options.stats, true, __ATOMIC_RELAXED);
    if (vesta_options.stats)
        vesta_os_keep_error_output();
    vesta_os_watch_threads(thread_ended);
    __atomic_store_n(&state, STARTED, __ATOMIC_RELEASE);
    vesta_fork_watch();
}

VestaHeap *vesta_heap_enter_first(void) {
    start();
    VestaHeap *heap = vesta_registry_adopt();
    if (heap == NULL || vesta_thread_has_ended())
        return heap;
    vesta_heap_set_own(heap);
    if (!vesta_options.stats && !VESTA_HARDENED)
        vesta_heap_set_fast(heap);
    vesta_os_watch_thread(); /* may allocate: the heap is in place */
    return heap;
}
