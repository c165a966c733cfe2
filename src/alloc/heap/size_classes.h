/* Block sizes: granules of 16 bytes, eight classes per doubling, up to 16 KiB. What is larger is a span of its own. */
#ifndef VESTA_HEAP_SIZE_CLASSES_H
#define VESTA_HEAP_SIZE_CLASSES_H

#include "page.h"
#include "../base/size_class.h"

#define VESTA_GRANULE 16
#define VESTA_SMALL_MAX 16384
#define VESTA_SMALL_BITS 3
/* Classes are counted from 0 = 16 bytes; the arithmetic counts from 0 = nothing. */
#define VESTA_SMALL_CLASSES VESTA_CLASS_UP(VESTA_SMALL_MAX / VESTA_GRANULE, VESTA_SMALL_BITS)

/* By granules (0 to 1,024): the offset in bytes of the size's bin in an array of bins. */
extern VESTA_HIDDEN const uint16_t vesta_small_bins[VESTA_SMALL_MAX / VESTA_GRANULE + 1];

static inline uint32_t vesta_small_class(size_t size) {
    return vesta_small_bins[(size + VESTA_GRANULE - 1) / VESTA_GRANULE] / (uint32_t)sizeof(VestaBin);
}

static inline uint32_t vesta_small_size(uint32_t class_index) {
    return (uint32_t)vesta_class_size(class_index + 1, VESTA_SMALL_BITS) * VESTA_GRANULE;
}

/* A slab has at least this many blocks: fewer would visit the span allocator too often. */
#define VESTA_SLAB_BLOCKS_MIN 16

static inline uint32_t vesta_slab_pages(uint32_t block_size) {
    return (uint32_t)((block_size * VESTA_SLAB_BLOCKS_MIN + VESTA_PAGE_SIZE - 1) >> VESTA_PAGE_SHIFT);
}

#endif
