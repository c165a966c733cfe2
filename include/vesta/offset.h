/* The offset allocator: a range of numbers cut into allocations, for memory that it never touches: a heap of a graphics
 * device, a file, address space.
 *
 * Sizes and offsets are bytes in 64 bits. Inside they count in quanta, the smallest power of two of bytes for which
 * 32 bits cover the capacity: 1 byte up to 4 GiB. Each block, allocated or free, needs one node of 24 bytes; the array
 * of nodes has a fixed size and is touched only as far as it was ever needed.
 *
 * Not safe: the caller guarantees that one thread at a time uses an allocator. */
#ifndef VESTA_OFFSET_H
#define VESTA_OFFSET_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "status.h"

VESTA_BEGIN_DECLS

typedef struct VestaOffsetAllocator VestaOffsetAllocator;

/* What was allocated. A copy of it is as good; `node` and `serial` are the allocator's business. All zero names
 * nothing. */
typedef struct VestaOffsetAllocation {
    uint64_t offset;
    uint32_t node;
    uint32_t serial;
} VestaOffsetAllocation;

/* The bytes of memory that an allocator needs which holds at most `max_blocks` blocks, allocated and free ones
 * counted; 0 if that is too many (above some 700 million). */
VESTA_API size_t vesta_offset_footprint(uint32_t max_blocks);

/* Makes an allocator of `capacity` bytes, at most 2^63, in `memory`: vesta_offset_footprint(max_blocks) bytes, aligned
 * to 8. With NULL the memory comes from the operating system. Returns NULL if an argument is out of range or there is
 * no memory. Constant time: the memory is hardly touched. */
VESTA_API VestaOffsetAllocator *vesta_offset_create(uint64_t capacity, uint32_t max_blocks, void *memory);

/* Ends an allocator; memory from the operating system goes back to it. NULL is ignored. */
VESTA_API void vesta_offset_destroy(VestaOffsetAllocator *allocator);

/* Allocates `size` bytes. VESTA_OK fills `*allocation`; otherwise it is untouched and the answer is VESTA_EXHAUSTED,
 * VESTA_OUT_OF_NODES, VESTA_TOO_LARGE (above the capacity) or VESTA_INVALID (a size of 0). Constant time: two bit
 * scans, at most four blocks looked at. */
VESTA_API VestaStatus vesta_offset_alloc(VestaOffsetAllocator *allocator, uint64_t size,
                                         VestaOffsetAllocation *allocation);

/* Like vesta_offset_alloc, at a multiple of `alignment` bytes, a power of two (else VESTA_INVALID). What is skipped for
 * it stays free. Constant time where there is room to spare; before it fails it looks at up to four blocks of each
 * class between the size and the size plus the alignment. */
VESTA_API VestaStatus vesta_offset_alloc_aligned(VestaOffsetAllocator *allocator, uint64_t size, uint64_t alignment,
                                                 VestaOffsetAllocation *allocation);

/* Frees an allocation and merges it with its free neighbours. VESTA_BAD_HANDLE, and nothing happens, if it was freed
 * before, comes from another allocator or from before a reset. Constant time. */
VESTA_API VestaStatus vesta_offset_free(VestaOffsetAllocator *allocator, VestaOffsetAllocation allocation);

/* Frees an allocation once vesta_offset_retire is called with `fence` or a later value; until then it stays where it is
 * but cannot be freed again. Answers as vesta_offset_free. Constant time when fences never decrease; otherwise linear
 * in the number of different fences that wait. Takes a node per such fence; when none is left, the allocation joins
 * those of a later fence. */
VESTA_API VestaStatus vesta_offset_free_after(VestaOffsetAllocator *allocator, VestaOffsetAllocation allocation,
                                              uint64_t fence);

/* Frees all that waits for `completed` or an earlier fence; returns how many. Constant time for each. */
VESTA_API uint32_t vesta_offset_retire(VestaOffsetAllocator *allocator, uint64_t completed);

/* Frees everything, also what waits for fences; older handles are bad from now on. Constant time. */
VESTA_API void vesta_offset_reset(VestaOffsetAllocator *allocator);

/* The bytes that an allocation covers, at least what was asked for; 0 if the handle is bad. Constant time. */
VESTA_API uint64_t vesta_offset_size(VestaOffsetAllocator *allocator, VestaOffsetAllocation allocation);

typedef struct VestaOffsetReport {
    uint64_t capacity; /* bytes */
    uint64_t quantum;  /* bytes */
    uint64_t free;     /* bytes in all free blocks */
    uint64_t largest;  /* bytes in the largest one */
    uint32_t blocks;   /* nodes that can still be had: how many more blocks there may be */
    uint32_t waiting;  /* allocations that wait for a fence */
} VestaOffsetReport;

/* Fills `*report`. Linear in the free blocks of the largest class that has one and in the nodes that are not in use. */
VESTA_API void vesta_offset_report(VestaOffsetAllocator *allocator, VestaOffsetReport *report);

/* The free blocks of one size class. */
typedef struct VestaOffsetClass {
    uint64_t size_min; /* bytes; at most a sixteenth less than the next class's */
    uint64_t bytes;    /* in all of them */
    uint32_t blocks;
} VestaOffsetClass;

/* Writes up to `capacity` classes that have free blocks, ascending, and returns how many there are. Linear in the free
 * blocks. */
VESTA_API uint32_t vesta_offset_classes(VestaOffsetAllocator *allocator, VestaOffsetClass *classes, uint32_t capacity);

/* One block of a walk. */
typedef struct VestaOffsetBlock {
    uint64_t offset;
    uint64_t size;
    uint32_t used;     /* 1 or 0 */
    uint32_t position; /* where the walk stands */
} VestaOffsetBlock;

/* Steps to the block behind `*block`, in the order of offsets, and returns 1; 0 at the end. A walk starts with all
 * fields 0; nothing may be allocated or freed during it. For debuggers and tests. */
VESTA_API int vesta_offset_walk(VestaOffsetAllocator *allocator, VestaOffsetBlock *block);

VESTA_END_DECLS

#endif
