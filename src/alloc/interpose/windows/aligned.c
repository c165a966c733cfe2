#include "aligned.h"

#include "../../heap/fast_path.h"
#include "../../heap/host_alloc.h"
#include "../../os/os.h"
#include "vesta/host_alloc.h"
#include "vesta/mem.h"

#define EINVAL 22

static void *refuse(void) {
    vesta_os_set_errno(EINVAL);
    return NULL;
}

void *vesta_aligned_alloc(size_t size, size_t alignment, size_t offset, const VestaCaller *caller) {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || (offset != 0 && offset >= size))
        return refuse();
    size_t before = (0 - offset) & (alignment - 1);
    if (before == 0)
        return vesta_heap_alloc_aligned(size, alignment, caller);
    while (before < sizeof(void *))
        before += alignment;
    size_t total;
    if (__builtin_add_overflow(size, before, &total))
        total = SIZE_MAX; /* which fails as it should */
    char *start = vesta_heap_alloc_aligned(total, alignment, caller);
    if (start == NULL)
        return NULL;
    vesta_memcpy_inline(start + before - sizeof start, &start, sizeof start);
    return start + before;
}

static bool is_start(const void *block, VestaPage *page) {
    if (page->kind != VESTA_PAGE_SLAB)
        return page->kind == VESTA_PAGE_LARGE && (uintptr_t)block == vesta_page_address(page);
    return ((uintptr_t)block - vesta_page_address(vesta_slab_first(page))) % page->own.block_size == 0;
}

/* The block that an aligned one lies in; for what is none, the address itself, which the heap refuses. */
static void *start_of(void *block) {
    VestaPage *page = vesta_heap_page(block);
    if (page == NULL || is_start(block, page))
        return block;
    void *start;
    vesta_memcpy_inline(&start, (char *)block - sizeof start, sizeof start);
    page = vesta_heap_page(start);
    return page != NULL && (uintptr_t)start < (uintptr_t)block && is_start(start, page) ? start : block;
}

void vesta_aligned_free(void *block) {
    if (block != NULL)
        vesta_host_free(start_of(block));
}

size_t vesta_aligned_usable_size(void *block) {
    void *start = start_of(block);
    return vesta_host_usable_size(start) - ((uintptr_t)block - (uintptr_t)start);
}

void *vesta_aligned_realloc(void *block, size_t size, size_t alignment, size_t offset, bool zeroed,
                            const VestaCaller *caller) {
    if (size == 0 && block != NULL) {
        vesta_aligned_free(block);
        return NULL;
    }
    size_t before = block != NULL ? vesta_aligned_usable_size(block) : 0;
    bool stays = block != NULL && size <= before && size >= before / 2 && alignment != 0 &&
                 ((uintptr_t)block + offset) % alignment == 0;
    char *resized = stays ? block : vesta_aligned_alloc(size, alignment, offset, caller);
    if (resized == NULL)
        return NULL;
    size_t kept = before < size ? before : size;
    if (!stays)
        vesta_memcpy(resized, block, kept);
    if (zeroed)
        vesta_memset(resized + kept, 0, vesta_aligned_usable_size(resized) - kept);
    if (!stays)
        vesta_aligned_free(block);
    return resized;
}
