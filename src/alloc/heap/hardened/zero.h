/* Blocks that read as zero: sizes and addresses are multiples of 16 bytes, and nearly always small. */
#ifndef VESTA_HARDENED_ZERO_H
#define VESTA_HARDENED_ZERO_H

#include "vesta/mem.h"
#include "vesta/mem_inline.h"

#include <stdbool.h>
#include <stddef.h>

static inline bool vesta_is_zero(const void *memory, size_t size) {
    const unsigned char *bytes = memory, *end = bytes + size;
    VestaMem16 any = {0, 0};
    for (; bytes != end; bytes += 16)
        any |= *(const VestaMem16 *)bytes;
    return (any[0] | any[1]) == 0;
}

static inline void vesta_make_zero(void *memory, size_t size) {
    const VestaMem16 zero = {0, 0};
    if (size > 128) {
        vesta_memset(memory, 0, size);
        return;
    }
    unsigned char *bytes = memory, *end = bytes + size;
    do {
        *(VestaMem16 *)bytes = zero;
        bytes += 16;
        VESTA_MEM_OPAQUE(bytes);
    } while (bytes != end);
}

#endif
