/* The futex mutex of Ulrich Drepper, "Futexes Are Tricky" (2011), section 5: 0 free, 1 held, 2 held and waited for;
 * with the system's wait on an address, which neither allocates nor needs a C runtime. */
#include "../os.h"
#include "../../base/compiler.h"
#include "nt.h"

/* Longer than a typical critical section (a bin search and a cut), shorter than a sleep and wake-up. */
enum { SPINS = 100 };

/* At the end of a process all other threads are stopped where they are: who held the lock never gives it back. */
static VESTA_NOINLINE void lock_contended(VestaLock *lock) {
    for (int i = 0; i < SPINS; i++) {
        uint32_t free_word = 0;
        if (__atomic_load_n(&lock->word, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&lock->word, &free_word, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        __builtin_ia32_pause();
    }
    const uint32_t held = 2;
    while (__atomic_exchange_n(&lock->word, held, __ATOMIC_ACQUIRE) != 0 && !RtlDllShutdownInProgress())
        RtlWaitOnAddress(&lock->word, &held, sizeof held, NULL);
}

void vesta_lock(VestaLock *lock) {
    uint32_t free_word = 0;
    if (!__atomic_compare_exchange_n(&lock->word, &free_word, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        lock_contended(lock);
}

void vesta_unlock(VestaLock *lock) {
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2)
        RtlWakeAddressSingle(&lock->word);
}

void vesta_lock_reset(VestaLock *lock) {
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}
