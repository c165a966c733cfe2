/* The calling thread's purpose, as one small number. */
#ifndef VESTA_HEAP_PURPOSE_H
#define VESTA_HEAP_PURPOSE_H

#include "../base/compiler.h"
#include "vesta/purpose.h"

enum { VESTA_PURPOSES = VESTA_USES * VESTA_SHAPES };

/* use * VESTA_SHAPES + shape: always less than VESTA_PURPOSES. */
#if defined(_WIN32)

#include "../os/windows/thread_slots.h"

#define vesta_purpose_now ((uint32_t)vesta_slot_read(VESTA_SLOT_PURPOSE))

static inline void vesta_set_purpose_now(uint32_t index) {
    vesta_slot_write(VESTA_SLOT_PURPOSE, index);
}

#else

extern VESTA_HIDDEN _Thread_local uint32_t vesta_purpose_now __attribute__((tls_model("initial-exec")));

static inline void vesta_set_purpose_now(uint32_t index) {
    vesta_purpose_now = index;
}

#endif

static inline VestaPurpose vesta_purpose_of(uint32_t index) {
    return (VestaPurpose){(uint8_t)(index / VESTA_SHAPES), (uint8_t)(index % VESTA_SHAPES)};
}

#endif
