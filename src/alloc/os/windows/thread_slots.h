/* A few words per thread. MinGW's _Thread_local is a call that allocates; a slot of the system's is one
 * instruction away, if it is among those in the TEB. Slots begin as zero. */
#ifndef VESTA_OS_WINDOWS_THREAD_SLOTS_H
#define VESTA_OS_WINDOWS_THREAD_SLOTS_H

#include "../../base/compiler.h"

#include <stdint.h>

typedef enum VestaThreadSlot { VESTA_SLOT_FAST, VESTA_SLOT_OWN, VESTA_SLOT_PURPOSE, VESTA_SLOT_COUNT } VestaThreadSlot;

/* Where in the TEB the fast path's word is; while there is none, a place that reads as zero. */
extern uintptr_t vesta_fast_slot;

/* The word for the fast path: always zero if the process had used up the slots in the TEB. */
VESTA_INLINE uintptr_t vesta_fast_slot_read(void) {
    uintptr_t value;
    __asm__ volatile("movq %%gs:(%1), %0" : "=r"(value) : "r"(vesta_fast_slot));
    return value;
}

uintptr_t vesta_slot_read(VestaThreadSlot slot);
void vesta_slot_write(VestaThreadSlot slot, uintptr_t value);

#endif
