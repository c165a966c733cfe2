#include "foreign.h"

#include "../../heap/error.h"
#include "../../os/windows/nt.h"

/* The words before a block are read by whoever gave it out: they must be there. */
bool vesta_foreign_is_block(VestaFunction *original, const void *address) {
    const char *header = (const char *)address - 2 * sizeof(size_t);
    MEMORY_BASIC_INFORMATION area;
    if (original != NULL && VirtualQuery(header, &area, sizeof area) != 0 && area.State == MEM_COMMIT &&
        (area.Protect & (PAGE_NOACCESS | PAGE_GUARD)) == 0)
        return true;
    vesta_heap_error("use of a pointer that no allocator gave out", address);
    return false;
}

void vesta_foreign_free(VestaFunction *original, void *block) {
    if (vesta_foreign_is_block(original, block))
        ((void (*)(void *))original)(block);
}

void *vesta_foreign_realloc(VestaFunction *original, void *block, size_t size) {
    return vesta_foreign_is_block(original, block) ? ((void *(*)(void *, size_t))original)(block, size) : NULL;
}

size_t vesta_foreign_size(VestaFunction *original, void *block) {
    return vesta_foreign_is_block(original, block) ? ((size_t(*)(void *))original)(block) : 0;
}

void *vesta_foreign_recalloc(VestaFunction *original, void *block, size_t count, size_t size) {
    return vesta_foreign_is_block(original, block) ? ((void *(*)(void *, size_t, size_t))original)(block, count, size)
                                                   : NULL;
}
