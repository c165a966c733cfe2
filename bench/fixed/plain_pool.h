/* The page pool built once more without hardening, under other names. */
#ifndef BENCH_PLAIN_POOL_H
#define BENCH_PLAIN_POOL_H

#include <vesta/pool.h>

VestaPool *plain_pool_create(const VestaPoolConfig *config);
void plain_pool_destroy(VestaPool *pool);
void *plain_pool_alloc(VestaPool *pool, size_t size);
VestaStatus plain_pool_free(VestaPool *pool, void *block);

#endif
