#include "memory.h"

#include "../../alloc/os/os.h"

enum { CHUNK = 64 << 10 };

static size_t total;

void vesta_record_count_memory(size_t size) {
    __atomic_fetch_add(&total, size, __ATOMIC_RELAXED);
}

size_t vesta_record_memory(void) {
    return __atomic_load_n(&total, __ATOMIC_RELAXED);
}

void *vesta_record_pages(size_t size, int sparse) {
    size_t os_page = vesta_os_page_size();
    size = (size + os_page - 1) / os_page * os_page;
    uintptr_t address = vesta_os_reserve_anywhere(size);
    if (address == 0)
        return NULL;
    if (!vesta_os_commit(address, size)) {
        vesta_os_unreserve(address, size);
        return NULL;
    }
    vesta_os_huge_pages(address, size, false);
    if (!sparse)
        vesta_record_count_memory(size);
    return (void *)address;
}

void *vesta_record_take(VestaRecordPool *pool, size_t size) {
    size = (size + 15) & ~(size_t)15;
    uintptr_t alignment = size % 64 == 0 ? 64 : 16;
    uintptr_t start = (pool->next + alignment - 1) & ~(alignment - 1);
    if (pool->next == 0 || start + size > pool->end) {
        start = (uintptr_t)vesta_record_pages(CHUNK, 0);
        if (start == 0)
            return NULL;
        pool->end = start + CHUNK;
    }
    pool->next = start + size;
    return (void *)start;
}
