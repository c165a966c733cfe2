/* Sizes as small floats: log-linear classes with `bits` mantissa bits, 2^bits classes per doubling.
 *
 * Below 2^bits every size has a class of its own (the denormals of the float); above, a size's class is its exponent
 * and its top `bits` bits after the leading one. Rounding down is truncation; rounding up is ru(size) = rd(size - 1)
 * + 1. The same arithmetic serves blocks (in granules of 16 bytes), spans (in pages) and offsets (in quanta). */
#ifndef VESTA_BASE_SIZE_CLASS_H
#define VESTA_BASE_SIZE_CLASS_H

#include <stdint.h>

/* How far `size` is shifted to leave its leading one and `bits` bits after it; 0 for the denormals. */
#define VESTA_CLASS_SHIFT(size, bits) ((63u ^ (uint32_t)__builtin_clzll((uint64_t)(size) | 1ull << (bits))) - (bits))

/* The class of the largest class size that is not above `size`. Usable in constant expressions. */
#define VESTA_CLASS_DOWN(size, bits)                                                                                   \
    ((VESTA_CLASS_SHIFT(size, bits) << (bits)) + (uint32_t)((uint64_t)(size) >> VESTA_CLASS_SHIFT(size, bits)))

/* The class of the smallest class size that is not below `size`. */
#define VESTA_CLASS_UP(size, bits) ((size) == 0 ? 0u : VESTA_CLASS_DOWN((uint64_t)(size)-1, bits) + 1u)

static inline uint32_t vesta_class_down(uint64_t size, uint32_t bits) {
    return VESTA_CLASS_DOWN(size, bits);
}

static inline uint32_t vesta_class_up(uint64_t size, uint32_t bits) {
    return VESTA_CLASS_UP(size, bits);
}

/* The size that `class_index` stands for: the inverse of both. */
static inline uint64_t vesta_class_size(uint32_t class_index, uint32_t bits) {
    uint32_t exponent = class_index >> bits;
    uint64_t mantissa = class_index & ((1u << bits) - 1);
    return exponent == 0 ? mantissa : (mantissa | 1ull << bits) << (exponent - 1);
}

#endif
