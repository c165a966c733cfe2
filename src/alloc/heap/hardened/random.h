/* The generator of the hardened build: wyrand by Wang Yi, one multiplication per number. */
#ifndef VESTA_HARDENED_RANDOM_H
#define VESTA_HARDENED_RANDOM_H

#include <stdint.h>

__extension__ typedef unsigned __int128 VestaProduct;

static inline uint64_t vesta_mix(uint64_t a, uint64_t b) {
    VestaProduct product = (VestaProduct)a * b;
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static inline uint64_t vesta_random_next(uint64_t *state) {
    *state += UINT64_C(0xa0761d6478bd642f);
    return vesta_mix(*state, *state ^ UINT64_C(0xe7037ed1a0b428db));
}

/* A number below `limit`, from the upper half of a random one (Lemire 2019, without the correction). */
static inline uint32_t vesta_random_below(uint64_t random, uint32_t limit) {
    return (uint32_t)((random >> 32) * limit >> 32);
}

#endif
