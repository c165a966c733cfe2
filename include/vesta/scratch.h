/* The scratch arena: memory for work that ends all at once. Allocating is moving a bound; nothing is freed singly, but
 * everything since a mark can be.
 *
 * Memory comes in chunks from the host allocator, or from a buffer of the caller's, or first from the buffer and then
 * in chunks. A chunk is given out from its end downwards: so one subtraction is also the check whether there is room.
 *
 * Not safe, deliberately: an allocation is two loads and a store, a lock would cost more than that. The caller
 * guarantees that one thread at a time uses a scratch arena. */
#ifndef VESTA_SCRATCH_H
#define VESTA_SCRATCH_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"

VESTA_BEGIN_DECLS

#define VESTA_SCRATCH_ALIGNMENT 16
#define VESTA_SCRATCH_CHUNK_SIZE ((size_t)64 << 10)

/* A piece of memory from the host allocator. */
typedef struct VestaScratchChunk {
    struct VestaScratchChunk *next;
    size_t size; /* bytes behind this header */
} VestaScratchChunk;

/* The fields are the arena's business; they stand here so that allocating needs no call. */
typedef struct VestaScratch {
    char *base;               /* where the memory begins that is given out now */
    size_t left;              /* bytes of it not yet given out; a multiple of the alignment */
    VestaScratchChunk *chunk; /* which it lies in, or NULL: the buffer */
    VestaScratchChunk *first; /* of all chunks, in the order of their use */
    char *buffer;
    size_t buffer_size;
    size_t chunk_size;
} VestaScratch;

/* Where an arena stood. */
typedef struct VestaScratchMark {
    VestaScratchChunk *chunk;
    size_t left;
} VestaScratchMark;

/* Makes an arena that grows by chunks of `chunk_size` bytes (0 = VESTA_SCRATCH_CHUNK_SIZE), or as large as a request
 * needs. Nothing is allocated yet. Constant time. */
VESTA_API void vesta_scratch_init(VestaScratch *scratch, size_t chunk_size);

/* Makes an arena that uses `size` bytes at `buffer`, and then grows by chunks of `chunk_size` bytes; with 0 it never
 * grows. Constant time. */
VESTA_API void vesta_scratch_init_buffer(VestaScratch *scratch, void *buffer, size_t size, size_t chunk_size);

/* Ends an arena: all chunks go back to the host allocator. Linear in the chunks. */
VESTA_API void vesta_scratch_destroy(VestaScratch *scratch);

/* Allocates where the current chunk has no room: in the next one that is kept, or a new one. What the functions below
 * come to; of no other use. */
VESTA_API void *vesta_scratch_grow(VestaScratch *scratch, size_t size, size_t alignment);

/* Allocates `size` bytes with unspecified content, aligned to 16 bytes, or returns NULL if there is no memory or the
 * arena does not grow. Constant time but for the host allocator's when the arena grows. */
static inline void *vesta_scratch_alloc(VestaScratch *scratch, size_t size) {
    size_t left, mask = VESTA_SCRATCH_ALIGNMENT - 1;
#if defined(__GNUC__)
    /* A size that the compiler knows is rounded by the compiler. */
    if (__builtin_constant_p(size) && size <= SIZE_MAX / 2) {
        size = (size + mask) & ~mask;
        mask = 0;
    }
    if (__builtin_expect(__builtin_sub_overflow(scratch->left, size, &left), 0))
        return vesta_scratch_grow(scratch, size, VESTA_SCRATCH_ALIGNMENT);
#else
    left = scratch->left - size;
    if (size > scratch->left)
        return vesta_scratch_grow(scratch, size, VESTA_SCRATCH_ALIGNMENT);
#endif
    left &= ~mask;
    scratch->left = left;
    return scratch->base + left;
}

/* Like vesta_scratch_alloc, at a multiple of `alignment` bytes, which must be a power of two; less than 16 counts as
 * 16. */
static inline void *vesta_scratch_alloc_aligned(VestaScratch *scratch, size_t size, size_t alignment) {
    size_t left = scratch->left;
    size_t mask = (alignment > VESTA_SCRATCH_ALIGNMENT ? alignment : VESTA_SCRATCH_ALIGNMENT) - 1;
    if (size <= left) {
        size_t padding = (size_t)((uintptr_t)scratch->base + left - size) & mask;
        if (padding <= left - size) {
            scratch->left = left - size - padding;
            return scratch->base + scratch->left;
        }
    }
    return vesta_scratch_grow(scratch, size, alignment);
}

/* Where the arena stands. Constant time. */
static inline VestaScratchMark vesta_scratch_mark(const VestaScratch *scratch) {
    VestaScratchMark mark = {scratch->chunk, scratch->left};
    return mark;
}

/* Gives back all that was allocated since the mark, and keeps the chunks. Marks taken since then are void. Constant
 * time. */
VESTA_API void vesta_scratch_rewind(VestaScratch *scratch, VestaScratchMark mark);

/* Gives back everything and keeps the chunks. All marks are void. Constant time. */
VESTA_API void vesta_scratch_reset(VestaScratch *scratch);

VESTA_END_DECLS

#endif
