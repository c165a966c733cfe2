/* The lock of a thread heap: taken by every call, and free nearly always. While the C library knows of one thread only,
 * it needs no atomic operation: no thread is made inside a critical section. */
#ifndef VESTA_HARDENED_LOCK_H
#define VESTA_HARDENED_LOCK_H

#include "../../base/compiler.h"
#include "../../os/os.h"

extern char __libc_single_threaded VESTA_WEAK; /* glibc 2.32 */

static inline bool vesta_is_alone(void) {
    return &__libc_single_threaded != NULL && __libc_single_threaded != 0;
}

static inline void vesta_heap_lock(VestaLock *lock) {
    if (VESTA_LIKELY(vesta_is_alone()))
        __atomic_store_n(&lock->word, 1, __ATOMIC_RELAXED);
    else
        vesta_lock(lock);
}

static inline void vesta_heap_unlock(VestaLock *lock) {
    if (VESTA_LIKELY(vesta_is_alone()))
        __atomic_store_n(&lock->word, 0, __ATOMIC_RELAXED);
    else
        vesta_unlock(lock);
}

#endif
