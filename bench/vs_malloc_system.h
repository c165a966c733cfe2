/* What vs_malloc.c needs of a system: the two allocators, and the time. */
#ifndef BENCH_VS_MALLOC_SYSTEM_H
#define BENCH_VS_MALLOC_SYSTEM_H

#include <stddef.h>

typedef struct Allocator {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
} Allocator;

/* Finds both and returns the name of the other one's library; ends the program if there are no two. */
const char *find_allocators(Allocator *ours, Allocator *theirs);

/* Nanoseconds of a clock. */
double now_ns(void);

#endif
