#include "generic.h"

#if VESTA_MEM_GENERIC

VestaMemCopy *vesta_mem_select_copy(void) {
    return vesta_mem_copy_generic;
}

VestaMemSet *vesta_mem_select_set(void) {
    return vesta_mem_set_generic;
}

#endif
