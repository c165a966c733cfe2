#include "../os.h"
#include "nt.h"

/* Ticks of 10 to 16 milliseconds are exact enough for decay. */
uint64_t vesta_os_milliseconds(void) {
    return GetTickCount64();
}

void vesta_os_yield(void) {
    SwitchToThread();
}

uint64_t vesta_os_cycles(void) {
    return __builtin_ia32_rdtsc();
}
