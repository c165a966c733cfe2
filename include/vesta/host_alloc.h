/* The host allocator: a general-purpose heap over the memory of the operating system.
 *
 * Thread safety, said per function: "safe" may be called from anywhere at any time; "safe by partition" means that no
 * synchronisation happens because each thread works on its own data, and that this is enough: it too may be called
 * from any thread, and a block may be freed by a thread that did not allocate it.
 *
 * Errors: a request that cannot be met returns NULL and sets errno to ENOMEM where there is a C library. A pointer
 * that was never given out by this allocator, or not any more, is a hard error wherever a block is expected: one line
 * on stderr, then abort (VESTA_HOST_ALLOC_ON_ERROR=report carries on and ignores the call). */
#ifndef VESTA_HOST_ALLOC_H
#define VESTA_HOST_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"

VESTA_BEGIN_DECLS

/* Blocks of every size are aligned to this many bytes at least. */
#define VESTA_HOST_ALLOC_ALIGNMENT 16

/* Allocates `size` bytes with unspecified content, aligned to 16 bytes. A size of 0 gives a unique block.
 * Returns the block, or NULL with errno ENOMEM; sizes above PTRDIFF_MAX always fail.
 * Safe by partition. Cost: a handful of instructions up to 16 KiB, some tens of nanoseconds above, plus page faults. */
VESTA_API void *vesta_host_alloc(size_t size);

/* Like vesta_host_alloc, with the block's first `size` bytes zero. Memory that is known to be zero is not written. */
VESTA_API void *vesta_host_alloc_zeroed(size_t size);

/* Like vesta_host_alloc_zeroed for `count` times `size` bytes; an overflowing product fails with ENOMEM. */
VESTA_API void *vesta_host_calloc(size_t count, size_t size);

/* Allocates `size` bytes at a multiple of `alignment` bytes, which must be a power of two (else NULL, EINVAL).
 * Released with vesta_host_free_aligned. Safe by partition. Cost: as vesta_host_alloc of the size rounded up. */
VESTA_API void *vesta_host_alloc_aligned(size_t size, size_t alignment);

/* Like vesta_host_alloc_aligned, for a block that will be released with vesta_host_free or free. */
VESTA_API void *vesta_host_alloc_aligned_freeable(size_t size, size_t alignment);

/* Resizes a block to `size` bytes; the first min(old usable, new) bytes keep their content. In place where the shape
 * allows it; otherwise moved, very large blocks by moving page tables. NULL allocates; a size of 0 frees the block and
 * gives a new unique one. On failure returns NULL with ENOMEM and the old block is untouched. Alignment beyond 16 bytes
 * is not kept. Safe by partition. */
VESTA_API void *vesta_host_realloc(void *block, size_t size);

/* Frees a block, from any thread. NULL is ignored; errno is preserved. Safe by partition. */
VESTA_API void vesta_host_free(void *block);

/* Like vesta_host_free; `size` is what was asked for. It is not trusted: a wrong size does no harm. */
VESTA_API void vesta_host_free_sized(void *block, size_t size);

/* Frees a block of vesta_host_alloc_aligned. */
VESTA_API void vesta_host_free_aligned(void *block);

/* How many bytes from `block` on may be used: at least what was asked for, constant while the block lives.
 * 0 for NULL. Safe by partition. */
VESTA_API size_t vesta_host_usable_size(const void *block);

/* Whether `address`, which may be any value, lies in memory that this allocator manages: 1 or 0. Never touches the
 * memory. Safe. */
VESTA_API int vesta_host_owns(const void *address);

/* Whether this process's malloc is this allocator: 1 or 0. It asks for a block and looks where it came from, so a
 * program that linked the archive without its members finds out. Safe. */
VESTA_API int vesta_host_alloc_active(void);

/* Gives free memory back to the system, keeping at most `keep` bytes of it ready: what the calling thread's heap, the
 * shared free spans and the heaps of ended threads hold. Returns 1 if something was given back, else 0.
 * Safe. Cost: proportional to what is free, one system call per free span. */
VESTA_API int vesta_host_trim(size_t keep);

/* What the heap holds. All sizes in bytes. */
typedef struct VestaHostStats {
    uint64_t counting;        /* 1 if the five counters below are kept (VESTA_HOST_ALLOC_STATS), else they are 0 */
    uint64_t allocations;     /* blocks given out since the start; one that is resized is freed and given out anew */
    uint64_t frees;           /* blocks taken back */
    uint64_t allocated_bytes; /* as asked for, since the start */
    uint64_t live_bytes;      /* usable bytes of the blocks in use */
    uint64_t peak_live_bytes; /* the highest live_bytes, within what each thread has not yet added up (64 KiB) */
    uint64_t used_bytes;      /* memory in slabs and large blocks in use; kept always */
    uint64_t committed_bytes; /* memory that may be touched: used, free and never touched yet */
    uint64_t peak_committed_bytes;
    uint64_t dirty_bytes;    /* free memory that the system still backs */
    uint64_t purged_bytes;   /* given back to the system since the start */
    uint64_t reserved_bytes; /* address space */
    uint64_t regions;
    uint64_t slabs;        /* in use now */
    uint64_t large_blocks; /* blocks of more than 16 KiB in use now, while counting */
    uint64_t thread_heaps; /* ever made; ended threads' heaps are used again */
    uint64_t remote_frees; /* blocks freed by a thread that did not own them, as far as already handed over */
} VestaHostStats;

/* Fills `*stats`. Safe; the figures of threads that run meanwhile are approximate. Cost: linear in thread heaps. */
VESTA_API void vesta_host_alloc_stats(VestaHostStats *stats);

/* One step of the size split: requests of size_min to size_max bytes. */
typedef struct VestaHostSize {
    uint64_t size_min;
    uint64_t size_max;
    uint64_t allocations;
    uint64_t bytes;
} VestaHostSize;

/* Writes up to `capacity` non-empty steps of the size split, ascending, and returns how many there are. Zero unless
 * counting is on and the library was built with VESTA_ALLOC_SIZE_HISTOGRAM. Safe. */
VESTA_API unsigned vesta_host_alloc_sizes(VestaHostSize *sizes, unsigned capacity);

VESTA_END_DECLS

#endif
