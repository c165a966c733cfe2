#include "purpose.h"

#if !defined(_WIN32)
_Thread_local uint32_t vesta_purpose_now;
#endif

VestaPurpose vesta_alloc_set_purpose(VestaPurpose purpose) {
    VestaPurpose before = vesta_purpose_of(vesta_purpose_now);
    uint32_t use = purpose.use < VESTA_USES ? purpose.use : VESTA_USE_UNKNOWN;
    uint32_t shape = purpose.shape < VESTA_SHAPES ? purpose.shape : VESTA_SHAPE_UNKNOWN;
    vesta_set_purpose_now(use * VESTA_SHAPES + shape);
    return before;
}

VestaPurpose vesta_alloc_purpose(void) {
    return vesta_purpose_of(vesta_purpose_now);
}

const char *vesta_use_name(unsigned use) {
    static const char *const names[VESTA_USES] = {"unknown", "short", "medium", "long", "cache"};
    return names[use < VESTA_USES ? use : VESTA_USE_UNKNOWN];
}

const char *vesta_shape_name(unsigned shape) {
    static const char *const names[VESTA_SHAPES] = {"unknown", "fixed", "growing"};
    return names[shape < VESTA_SHAPES ? shape : VESTA_SHAPE_UNKNOWN];
}
