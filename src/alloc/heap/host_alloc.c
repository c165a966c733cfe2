/* The public interface, and the slow halves of the fast path. */
#include "vesta/host_alloc.h"

#include "error.h"
#include "fast_path.h"
#include "host_alloc.h"
#include "large.h"
#include "remote.h"
#include "stats.h"
#include "../os/os.h"
#include "vesta/mem.h"

#define ENOMEM 12
#define EINVAL 22

/* ---- Allocating ---- */

static VESTA_COLD void *fail(int error) {
    vesta_os_set_errno(error);
    return NULL;
}

static size_t usable_size(const VestaPage *page, const void *block) {
    return page->kind == VESTA_PAGE_SLAB ? vesta_slab_size(page, block) : vesta_large_size(page);
}

static bool is_small(size_t size) {
    return size <= VESTA_SMALL_MAX - VESTA_BLOCK_EXTRA;
}

static void *take(VestaHeap *heap, size_t size) {
    return is_small(size) ? vesta_slab_take(heap, vesta_slab_class(size), size)
                          : vesta_large_allocate(heap, size, VESTA_GRANULE);
}

/* Leaves the slow path with what it allocated. */
VESTA_INLINE void *finish(VestaHeap *heap, void *block, size_t size, const VestaCaller *caller) {
    if (VESTA_UNLIKELY(vesta_stats_on()) && block != NULL)
        vesta_stats_allocated(heap, block, size, usable_size(vesta_page_of(block), block), caller);
    vesta_heap_leave(heap);
    return block != NULL ? block : fail(ENOMEM);
}

static inline void *alloc_slow_for(size_t size, const VestaCaller *caller) {
    VestaHeap *heap = vesta_heap_enter();
    if (VESTA_UNLIKELY(heap == NULL))
        return fail(ENOMEM);
    return finish(heap, take(heap, size), size, caller);
}

/* Only here is a frame made: it takes the place of the entry's, which came by tail calls. */
static VESTA_NOINLINE void *alloc_slow(size_t size) {
    return vesta_keep_frame(alloc_slow_for(size, VESTA_CALLER));
}

/* Large blocks that the thread has at hand are not that slow. */
static inline void *large_take(size_t size) {
    return VESTA_LIKELY(size > VESTA_SMALL_MAX) ? vesta_large_pop(vesta_heap_fast, size) : NULL;
}

VESTA_NOINLINE void *vesta_heap_alloc_slow(size_t size) {
    void *block = large_take(size);
    return VESTA_LIKELY(block != NULL) ? block : alloc_slow(size);
}

VESTA_NOINLINE void *vesta_heap_alloc_slow_for(size_t size, const VestaCaller *caller) {
    void *block = large_take(size);
    return VESTA_LIKELY(block != NULL) ? block : alloc_slow_for(size, caller);
}

void *vesta_heap_alloc_zeroed(size_t size, const VestaCaller *caller) {
    if (is_small(size)) {
        void *block = vesta_heap_alloc_for(size, caller);
        bool zero = block == NULL || (VESTA_HARDENED && VESTA_ALLOC_HARDEN_FILL);
        return zero ? block : vesta_memset(block, 0, size);
    }
    VestaHeap *heap = vesta_heap_enter();
    if (VESTA_UNLIKELY(heap == NULL))
        return fail(ENOMEM);
    return finish(heap, vesta_large_allocate_zeroed(heap, size, caller->return_address), size, caller);
}

void *vesta_heap_calloc(size_t count, size_t size, const VestaCaller *caller) {
    size_t bytes;
    if (VESTA_UNLIKELY(__builtin_mul_overflow(count, size, &bytes)))
        return fail(ENOMEM);
    return vesta_heap_alloc_zeroed(bytes, caller);
}

/* A class whose blocks are all aligned: one whose size is a multiple of the alignment, for slabs begin at a page. */
static uint32_t aligned_class(size_t size, size_t alignment) {
    uint32_t class_index = vesta_small_class((size + VESTA_BLOCK_EXTRA + alignment - 1) & ~(alignment - 1));
    while (class_index < VESTA_SMALL_CLASSES && vesta_small_size(class_index) % alignment != 0)
        class_index++;
    return class_index;
}

void *vesta_heap_alloc_aligned(size_t size, size_t alignment, const VestaCaller *caller) {
    if (VESTA_UNLIKELY(alignment == 0 || (alignment & (alignment - 1)) != 0))
        return fail(EINVAL);
    if (alignment <= VESTA_GRANULE)
        return vesta_heap_alloc_for(size, caller);
    VestaHeap *heap = vesta_heap_enter();
    if (VESTA_UNLIKELY(heap == NULL))
        return fail(ENOMEM);
    void *block = NULL;
    if (is_small(size) && alignment <= VESTA_SMALL_MAX)
        block = vesta_slab_take(heap, aligned_class(size == 0 ? 1 : size, alignment), size);
    else
        block = vesta_large_allocate(heap, size, alignment);
    return finish(heap, block, size, caller);
}

void *vesta_host_alloc(size_t size) {
    return vesta_heap_alloc(size);
}

void *vesta_host_alloc_zeroed(size_t size) {
    return vesta_keep_frame(vesta_heap_alloc_zeroed(size, VESTA_CALLER));
}

void *vesta_host_calloc(size_t count, size_t size) {
    return vesta_keep_frame(vesta_heap_calloc(count, size, VESTA_CALLER));
}

void *vesta_host_alloc_aligned(size_t size, size_t alignment) {
    return vesta_keep_frame(vesta_heap_alloc_aligned(size, alignment, VESTA_CALLER));
}

void *vesta_host_alloc_aligned_freeable(size_t size, size_t alignment) {
    return vesta_keep_frame(vesta_heap_alloc_aligned(size, alignment, VESTA_CALLER));
}

/* ---- Freeing ---- */

/* Whether a block of the page can be in use; reports what was tried with it if not. */
static bool in_use(const void *block, VestaPage *page, const char *tried) {
    if (page->kind == VESTA_PAGE_SLAB && vesta_slab_in_use(page, block))
        return true;
    if (page->kind == VESTA_PAGE_LARGE && (uintptr_t)block == vesta_page_address(page))
        return true;
    vesta_heap_error(tried, block);
    return false;
}

#if !VESTA_HARDENED
VESTA_NOINLINE void vesta_heap_slab_changed(VestaPage *page) {
    VestaHeap *heap = vesta_heap_enter();
    vesta_slab_changed(heap, page);
    vesta_heap_leave(heap);
}
#endif

/* There was no memory for a heap of the thread's own. */
static VESTA_COLD void free_without_heap(void *block, VestaPage *page) {
    if (vesta_page_owner(page) == NULL)
        vesta_large_free(NULL, page);
    else
        vesta_remote_free_alone(page, block);
}

static void give_back(VestaHeap *heap, void *block, VestaPage *page) {
    VestaHeap *owner = vesta_page_owner(page);
    if (owner == NULL)
        vesta_large_free(heap, page);
    else if (owner == heap)
        vesta_slab_free(heap, page, block);
    else
        vesta_remote_free(heap, page, block);
}

static VESTA_NOINLINE void free_slow(void *block, VestaPage *page) {
    /* The hardened slab looks itself, under its lock, and knows better what is wrong. */
    bool looks_itself = VESTA_HARDENED && page->kind == VESTA_PAGE_SLAB;
    if (VESTA_UNLIKELY(!looks_itself && !in_use(block, page, "free of a block that is not in use")))
        return;
    VestaHeap *heap = vesta_heap_enter();
    if (VESTA_UNLIKELY(heap == NULL)) {
        free_without_heap(block, page);
        return;
    }
    if (VESTA_UNLIKELY(vesta_stats_on()) && (!looks_itself || vesta_slab_in_use(page, block)))
        vesta_stats_freed(heap, vesta_stats_counted(block, usable_size(page, block)));
    give_back(heap, block, page);
    vesta_heap_leave(heap);
}

/* Not so slow for large blocks; a heap that owns nothing must not keep them either. */
VESTA_NOINLINE void vesta_heap_free_slow(void *block, VestaPage *page) {
    VestaHeap *heap = vesta_heap_fast;
    if (page->kind != VESTA_PAGE_LARGE || (uintptr_t)block != vesta_page_address(page) || heap == &vesta_no_heap ||
        !vesta_large_push(heap, page))
        free_slow(block, page);
}

/* Outside the region that the fast path knows: nothing, a small region, or somebody else's. */
VESTA_NOINLINE bool vesta_heap_free_elsewhere(void *block) {
    if (block == NULL)
        return true;
    if (!vesta_region_holds(block))
        return false;
    vesta_heap_free_slow(block, vesta_page_of(block));
    return true;
}

void vesta_host_free(void *block) {
    if (VESTA_UNLIKELY(!vesta_heap_free(block)))
        vesta_heap_error("free of a block that was never allocated here", block);
}

void vesta_host_free_sized(void *block, size_t size) {
    (void)size;
    vesta_host_free(block);
}

void vesta_host_free_aligned(void *block) {
    vesta_host_free(block);
}

/* ---- Resizing and asking ---- */

static void *resize_in_place(void *block, VestaPage *page, size_t size) {
    if (page->kind == VESTA_PAGE_SLAB)
        return vesta_slab_resize(page, block, size) ? block : NULL;
    return !is_small(size) ? vesta_large_resize(page, size) : NULL;
}

static void copy_resized(void *to, const void *from, size_t usable, size_t size) {
    vesta_memcpy(to, from, usable < size ? usable : size);
}

/* A block that is resized counts as freed and allocated anew. */
static VESTA_COLD void *resize_counted(void *block, VestaPage *page, size_t size, const VestaCaller *caller) {
    VestaHeap *heap = vesta_heap_enter();
    if (heap == NULL)
        return fail(ENOMEM);
    VestaCounted before = vesta_stats_counted(block, usable_size(page, block));
    void *resized = resize_in_place(block, page, size);
    if (resized == NULL && (resized = take(heap, size)) != NULL) {
        copy_resized(resized, block, before.usable, size);
        give_back(heap, block, page);
    }
    if (resized != NULL)
        vesta_stats_freed(heap, before);
    return finish(heap, resized, size, caller);
}

void *vesta_heap_resize(void *block, VestaPage *page, size_t size, const VestaCaller *caller) {
    if (VESTA_UNLIKELY(!in_use(block, page, "realloc of a block that is not in use")))
        return fail(EINVAL);
    if (VESTA_UNLIKELY(vesta_stats_on()))
        return resize_counted(block, page, size, caller);
    VestaHeap *heap = page->kind == VESTA_PAGE_LARGE || VESTA_HARDENED ? vesta_heap_enter() : NULL;
    size_t usable = usable_size(page, block);
    void *resized = resize_in_place(block, page, size);
    if (heap != NULL)
        vesta_heap_leave(heap);
    if (resized != NULL)
        return resized;
    resized = vesta_heap_alloc(size);
    if (resized == NULL)
        return NULL;
    copy_resized(resized, block, usable, size);
    vesta_host_free(block);
    return resized;
}

static VestaPage *page_of_ours(const void *block) {
    VestaPage *page = vesta_heap_page(block);
    if (VESTA_UNLIKELY(page == NULL))
        vesta_heap_error("use of a block that was never allocated here", block);
    return page;
}

void *vesta_host_realloc(void *block, size_t size) {
    if (block == NULL)
        return vesta_keep_frame(vesta_heap_alloc_for(size, VESTA_CALLER));
    VestaPage *page = page_of_ours(block);
    return page != NULL ? vesta_keep_frame(vesta_heap_resize(block, page, size, VESTA_CALLER)) : fail(EINVAL);
}

size_t vesta_host_usable_size(const void *block) {
    if (block == NULL)
        return 0;
    VestaPage *page = page_of_ours(block);
    return page != NULL && in_use(block, page, "size of a block that is not in use") ? usable_size(page, block) : 0;
}

int vesta_host_owns(const void *address) {
    return vesta_region_holds(address);
}

extern void *malloc(size_t) VESTA_WEAK;
extern void free(void *) VESTA_WEAK;

int vesta_host_alloc_active(void) {
    if (malloc == NULL || free == NULL)
        return 0;
    void *block = malloc(1);
    int active = block != NULL && vesta_host_owns(block);
    free(block);
    return active;
}
