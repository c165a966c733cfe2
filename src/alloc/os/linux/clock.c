#include "../os.h"
#include "syscall.h"

/* CLOCK_MONOTONIC_COARSE: ticks of a few milliseconds are exact enough for decay. */
#define VESTA_CLOCK_MONOTONIC_COARSE 6

uint64_t vesta_os_milliseconds(void) {
    int64_t time[2] = {0, 0}; /* seconds, nanoseconds */
    vesta_syscall(__NR_clock_gettime, VESTA_CLOCK_MONOTONIC_COARSE, (long)time, 0, 0, 0, 0);
    return (uint64_t)time[0] * 1000 + (uint64_t)time[1] / 1000000;
}

uint64_t vesta_os_cycles(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    /* The counter runs at 25 MHz to 1 GHz: scaled so that it never advances too slowly. */
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count * 64;
#endif
}
