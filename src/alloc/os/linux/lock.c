/* The futex mutex of Ulrich Drepper, "Futexes Are Tricky" (2011), section 5: 0 free, 1 held, 2 held and waited for. */
#include "../os.h"
#include "../../base/compiler.h"
#include "syscall.h"

#define VESTA_FUTEX_WAIT_PRIVATE 128
#define VESTA_FUTEX_WAKE_PRIVATE 129

/* Longer than a typical critical section (a bin search and a cut), shorter than a sleep and wake-up. */
enum { SPINS = 100 };

static inline void pause_cpu(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static VESTA_NOINLINE void lock_contended(VestaLock *lock) {
    for (int i = 0; i < SPINS; i++) {
        uint32_t free_word = 0;
        if (__atomic_load_n(&lock->word, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&lock->word, &free_word, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        pause_cpu();
    }
    while (__atomic_exchange_n(&lock->word, 2, __ATOMIC_ACQUIRE) != 0)
        vesta_syscall(__NR_futex, (long)&lock->word, VESTA_FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

void vesta_lock(VestaLock *lock) {
    uint32_t free_word = 0;
    if (!__atomic_compare_exchange_n(&lock->word, &free_word, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        lock_contended(lock);
}

void vesta_unlock(VestaLock *lock) {
    if (__atomic_exchange_n(&lock->word, 0, __ATOMIC_RELEASE) == 2)
        vesta_syscall(__NR_futex, (long)&lock->word, VESTA_FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

void vesta_lock_reset(VestaLock *lock) {
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}
