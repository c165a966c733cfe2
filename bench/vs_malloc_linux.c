/* This program is linked with the heap, so `malloc` is ours, and theirs is what the dynamic linker finds next: the C
 * library's, or that of a preloaded allocator. */
#define _GNU_SOURCE
#include "vs_malloc_system.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "vesta/host_alloc.h"

static void *next_symbol(const char *name) {
    void *symbol = dlsym(RTLD_NEXT, name);
    if (symbol == NULL) {
        fprintf(stderr, "no %s beside ours was found: %s\n", name, dlerror());
        exit(1);
    }
    return symbol;
}

const char *find_allocators(Allocator *ours, Allocator *theirs) {
    *ours = (Allocator){malloc, calloc, realloc, free};
    *(void **)&theirs->malloc = next_symbol("malloc");
    *(void **)&theirs->calloc = next_symbol("calloc");
    *(void **)&theirs->realloc = next_symbol("realloc");
    *(void **)&theirs->free = next_symbol("free");
    void *foreign = theirs->malloc(64);
    if (!vesta_host_alloc_active() || vesta_host_owns(foreign)) {
        fprintf(stderr, "this program must be linked with the heap as its malloc, beside another one\n");
        exit(1);
    }
    theirs->free(foreign);
    Dl_info library;
    return dladdr(*(void **)&theirs->malloc, &library) != 0 ? library.dli_fname : "?";
}

/* Time of this thread on a processor, in the kernel included: others that want the processor too do not count. */
double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}
