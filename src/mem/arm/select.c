#include "neon.h"

#if VESTA_MEM_ARM

VestaMemCopy *vesta_mem_select_copy(void) {
    return vesta_mem_copy_neon;
}

VestaMemSet *vesta_mem_select_set(void) {
    return vesta_mem_set_neon;
}

#endif
