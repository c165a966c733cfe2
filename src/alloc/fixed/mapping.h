/* Memory from the operating system for an allocator that was given none. */
#ifndef VESTA_FIXED_MAPPING_H
#define VESTA_FIXED_MAPPING_H

#include "../os/os.h"

typedef struct VestaMapping {
    void *memory; /* NULL: there is none */
    size_t size;
} VestaMapping;

static inline VestaMapping vesta_map(size_t size) {
    size_t os_page = vesta_os_page_size();
    VestaMapping none = {NULL, 0};
    if (size > SIZE_MAX / 2)
        return none;
    size = (size + os_page - 1) & ~(os_page - 1);
    uintptr_t address = vesta_os_reserve_anywhere(size);
    if (address == 0)
        return none;
    if (!vesta_os_commit(address, size)) {
        vesta_os_unreserve(address, size);
        return none;
    }
    return (VestaMapping){(void *)address, size};
}

static inline void vesta_unmap(VestaMapping mapping) {
    if (mapping.memory != NULL)
        vesta_os_unreserve((uintptr_t)mapping.memory, mapping.size);
}

#endif
