/* This program leaves the C runtime alone: ours is the explicit interface, theirs is msvcrt.dll. */
#include "vs_malloc_system.h"

#include <stdlib.h>

#include <windows.h>

#include "vesta/host_alloc.h"

const char *find_allocators(Allocator *ours, Allocator *theirs) {
    *ours = (Allocator){vesta_host_alloc, vesta_host_calloc, vesta_host_realloc, vesta_host_free};
    *theirs = (Allocator){malloc, calloc, realloc, free};
    /* The heap's start, which takes milliseconds under Wine, is no row's. */
    ours->free(ours->malloc(1));
    return "msvcrt.dll";
}

/* Wall time: that of a thread advances in steps of milliseconds. */
double now_ns(void) {
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return (double)now.QuadPart * 1e9 / (double)frequency.QuadPart;
}
