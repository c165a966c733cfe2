/* A baseline for the fixed arena: two-level segregated fit with headers in the blocks, as it is usually built, written
 * anew. */
#ifndef BENCH_TLSF_H
#define BENCH_TLSF_H

#include <stddef.h>

typedef struct Tlsf Tlsf;

Tlsf *tlsf_create(void *memory, size_t size);
void *tlsf_alloc(Tlsf *tlsf, size_t size);
void tlsf_free(Tlsf *tlsf, void *block);

#endif
