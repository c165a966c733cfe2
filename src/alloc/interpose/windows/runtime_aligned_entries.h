/* The _aligned_ family, included behind runtime_entries.h. */
#include "aligned.h"

static const char bad_aligned[] = VESTA_BAD_POINTER("_aligned_realloc or _aligned_msize");

VESTA_RUNTIME_ENTRY(void *, _aligned_malloc)(size_t size, size_t alignment) {
    return vesta_keep_frame(vesta_aligned_alloc(size, alignment, 0, VESTA_CALLER));
}

VESTA_RUNTIME_ENTRY(void *, _aligned_offset_malloc)(size_t size, size_t alignment, size_t offset) {
    return vesta_keep_frame(vesta_aligned_alloc(size, alignment, offset, VESTA_CALLER));
}

VESTA_RUNTIME_ENTRY(void, _aligned_free)(void *block) {
    if (block == NULL || is_ours(block))
        vesta_aligned_free(block);
    else
        vesta_runtime_free(VESTA_RUNTIME_ORIGINAL(_aligned_free), block);
}

VESTA_RUNTIME_ENTRY(size_t, _aligned_msize)(void *block, size_t alignment, size_t offset) {
    typedef size_t Original(void *, size_t, size_t);
    if (block == NULL) {
        vesta_os_set_errno(VESTA_EINVAL);
        return SIZE_MAX;
    }
    Original *original = (Original *)VESTA_RUNTIME_ORIGINAL(_aligned_msize);
    if (is_ours(block))
        return vesta_aligned_usable_size(block);
    return vesta_runtime_is_block((VestaFunction *)original, block, bad_aligned) ? original(block, alignment, offset)
                                                                                 : SIZE_MAX;
}

VESTA_RUNTIME_ENTRY(void *, _aligned_realloc)(void *block, size_t size, size_t alignment) {
    typedef void *Original(void *, size_t, size_t);
    Original *original = (Original *)VESTA_RUNTIME_ORIGINAL(_aligned_realloc);
    if (block != NULL && !is_ours(block))
        return vesta_runtime_is_block((VestaFunction *)original, block, bad_aligned) ? original(block, size, alignment)
                                                                                     : NULL;
    return vesta_keep_frame(vesta_aligned_realloc(block, size, alignment, 0, false, VESTA_CALLER));
}

VESTA_RUNTIME_ENTRY(void *, _aligned_offset_realloc)(void *block, size_t size, size_t alignment, size_t offset) {
    typedef void *Original(void *, size_t, size_t, size_t);
    Original *original = (Original *)VESTA_RUNTIME_ORIGINAL(_aligned_offset_realloc);
    if (block != NULL && !is_ours(block))
        return vesta_runtime_is_block((VestaFunction *)original, block, bad_aligned)
                   ? original(block, size, alignment, offset)
                   : NULL;
    return vesta_keep_frame(vesta_aligned_realloc(block, size, alignment, offset, false, VESTA_CALLER));
}

VESTA_RUNTIME_ENTRY(void *, _aligned_recalloc)(void *block, size_t count, size_t size, size_t alignment) {
    typedef void *Original(void *, size_t, size_t, size_t);
    Original *original = (Original *)VESTA_RUNTIME_ORIGINAL(_aligned_recalloc);
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return no_memory();
    if (block != NULL && !is_ours(block))
        return vesta_runtime_is_block((VestaFunction *)original, block, bad_aligned)
                   ? original(block, count, size, alignment)
                   : NULL;
    return vesta_keep_frame(vesta_aligned_realloc(block, total, alignment, 0, true, VESTA_CALLER));
}

VESTA_RUNTIME_ENTRY(void *, _aligned_offset_recalloc)
(void *block, size_t count, size_t size, size_t alignment, size_t offset) {
    typedef void *Original(void *, size_t, size_t, size_t, size_t);
    Original *original = (Original *)VESTA_RUNTIME_ORIGINAL(_aligned_offset_recalloc);
    size_t total;
    if (__builtin_mul_overflow(count, size, &total))
        return no_memory();
    if (block != NULL && !is_ours(block))
        return vesta_runtime_is_block((VestaFunction *)original, block, bad_aligned)
                   ? original(block, count, size, alignment, offset)
                   : NULL;
    return vesta_keep_frame(vesta_aligned_realloc(block, total, alignment, offset, true, VESTA_CALLER));
}
