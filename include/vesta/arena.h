/* The fixed arena: one range of memory, taken up front, that never grows and never falls back to anything else.
 *
 * Blocks are multiples of 64 bytes, at multiples of 64 bytes, and carry no header: a handle names a block. What the
 * arena must know about them lies in nodes at the end of its own memory, which take more of it, 192 bytes at a time,
 * when there are more blocks than ever before.
 *
 * Not safe: the caller guarantees that one thread at a time uses an arena. */
#ifndef VESTA_ARENA_H
#define VESTA_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "api.h"
#include "status.h"

VESTA_BEGIN_DECLS

#define VESTA_ARENA_GRANULE 64
#define VESTA_ARENA_MAX_BLOCK ((size_t)32 << 20)

typedef struct VestaArena VestaArena;

typedef struct VestaArenaConfig {
    size_t size;      /* bytes of the whole arena, with all that it needs for itself (some 4 KiB); up to 256 GiB */
    size_t alignment; /* of the first block: a power of two; 0 = 64 bytes */
    size_t max_block; /* the largest block in bytes; 0 = VESTA_ARENA_MAX_BLOCK */
    void *memory;     /* `size` bytes to use; NULL = from the operating system */
} VestaArenaConfig;

/* A block: its address, and how many bytes may be used there. `node` and `serial` are the arena's business. All zero
 * names nothing. */
typedef struct VestaArenaHandle {
    void *address;
    size_t size;
    uint32_t node;
    uint32_t serial;
} VestaArenaHandle;

/* Makes an arena, or returns NULL if there is no memory, the size is too small or too large, or the alignment is not a
 * power of two. Constant time. */
VESTA_API VestaArena *vesta_arena_create(const VestaArenaConfig *config);

/* Ends an arena; memory from the operating system goes back to it. NULL is ignored. */
VESTA_API void vesta_arena_destroy(VestaArena *arena);

/* Allocates a block of at least `size` bytes; a size of 0 counts as 1. VESTA_OK fills `*handle`; otherwise it is
 * untouched and the answer is VESTA_TOO_LARGE (above the largest block) or VESTA_EXHAUSTED. When there is no room for
 * one node more, a free block is given whole. Constant time: two bit scans, at most four blocks looked at. */
VESTA_API VestaStatus vesta_arena_alloc(VestaArena *arena, size_t size, VestaArenaHandle *handle);

/* The same for those who do not ask why: 1, or 0 with the handle untouched. */
VESTA_API int vesta_arena_try_alloc(VestaArena *arena, size_t size, VestaArenaHandle *handle);

/* Frees a block and merges it with its free neighbours. VESTA_BAD_HANDLE, and nothing happens, if it was freed before
 * or comes from another arena. Constant time. */
VESTA_API VestaStatus vesta_arena_free(VestaArena *arena, VestaArenaHandle handle);

/* Makes as much of the arena usable as can be, and returns by how many bytes that is more than before. Free neighbours
 * need no collecting, as freeing merges them at once; what can be regained is the room of nodes that were needed when
 * there were more blocks. Linear in the nodes that are not in use. */
VESTA_API size_t vesta_arena_collect(VestaArena *arena);

typedef struct VestaArenaReport {
    size_t capacity; /* bytes that blocks can have now */
    size_t free;
    size_t largest;  /* free block */
    size_t metadata; /* bytes at the end that the arena needs for itself */
} VestaArenaReport;

/* Fills `*report`. Linear in the free blocks of the largest class that has one. */
VESTA_API void vesta_arena_report(VestaArena *arena, VestaArenaReport *report);

VESTA_END_DECLS

#endif
