#include "foreign_blocks.h"

#include "../../heap/error.h"
#include "../../os/windows/nt.h"

/* The words before a block are read by whoever gave it out: they must be there. */
bool vesta_runtime_is_block(VestaFunction *original, const void *address, const char *bad_call) {
    const char *header = (const char *)address - 2 * sizeof(size_t);
    MEMORY_BASIC_INFORMATION area;
    if (original != NULL && VirtualQuery(header, &area, sizeof area) != 0 && area.State == MEM_COMMIT &&
        (area.Protect & (PAGE_NOACCESS | PAGE_GUARD)) == 0)
        return true;
    vesta_heap_error(bad_call, address);
    return false;
}

void vesta_runtime_free(VestaFunction *original, void *block) {
    if (vesta_runtime_is_block(original, block, VESTA_BAD_POINTER("free")))
        ((void (*)(void *))original)(block);
}

void *vesta_runtime_realloc(VestaFunction *original, void *block, size_t size) {
    return vesta_runtime_is_block(original, block, VESTA_BAD_POINTER("realloc"))
               ? ((void *(*)(void *, size_t))original)(block, size)
               : NULL;
}

size_t vesta_runtime_size(VestaFunction *original, void *block) {
    return vesta_runtime_is_block(original, block, VESTA_BAD_POINTER("_msize")) ? ((size_t(*)(void *))original)(block)
                                                                                : 0;
}

void *vesta_runtime_recalloc(VestaFunction *original, void *block, size_t count, size_t size) {
    return vesta_runtime_is_block(original, block, VESTA_BAD_POINTER("_recalloc"))
               ? ((void *(*)(void *, size_t, size_t))original)(block, count, size)
               : NULL;
}
