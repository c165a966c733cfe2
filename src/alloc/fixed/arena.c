#include "arena_state.h"

#define GRANULE VESTA_ARENA_GRANULE

static uintptr_t align_up(uintptr_t address, size_t alignment) {
    return (address + alignment - 1) & ~((uintptr_t)alignment - 1);
}

VestaArena *vesta_arena_create(const VestaArenaConfig *config) {
    size_t alignment = config->alignment < GRANULE ? GRANULE : config->alignment, slack = 0;
    if ((alignment & (alignment - 1)) != 0 || (config->alignment & (config->alignment - 1)) != 0 ||
        alignment > SIZE_MAX / 4 || config->size > SIZE_MAX / 4)
        return NULL;
    VestaMapping mapping = {NULL, 0};
    uintptr_t memory = (uintptr_t)config->memory;
    if (memory == 0) {
        slack = alignment;
        mapping = vesta_map(config->size + slack);
        memory = (uintptr_t)mapping.memory;
        if (memory == 0)
            return NULL;
    }
    uintptr_t base = align_up(memory, alignment);
    uintptr_t end = (slack != 0 ? base : memory) + config->size;
    uintptr_t nodes = (end - sizeof(VestaArena)) & ~(uintptr_t)(GRANULE - 1);
    size_t needed = sizeof(VestaArena) + (VESTA_ARENA_STEP_UNITS + 2) * GRANULE;
    if (end < base || end - base < needed || (nodes - base) / GRANULE >= UINT32_MAX) {
        vesta_unmap(mapping);
        return NULL;
    }
    VestaArena *self = (VestaArena *)nodes;
    size_t max_block = config->max_block != 0 ? config->max_block : VESTA_ARENA_MAX_BLOCK;
    self->base = (char *)base;
    self->max_units = max_block / GRANULE < UINT32_MAX ? (uint32_t)(max_block / GRANULE) : UINT32_MAX;
    self->mapping = mapping;
    self->blocks.total = (uint32_t)((nodes - base) / GRANULE) - VESTA_ARENA_STEP_UNITS;
    self->blocks.limit = VESTA_BLOCK_BORDER - VESTA_ARENA_STEP_LINKS;
    self->blocks.serial = vesta_blocks_first_serial(self);
    vesta_blocks_reset(&self->blocks);
    return self;
}

void vesta_arena_destroy(VestaArena *self) {
    if (self != NULL)
        vesta_unmap(self->mapping);
}

VESTA_INLINE void fill(VestaArena *self, VestaArenaHandle *handle, uint32_t offset, uint32_t units, int32_t link,
                       uint32_t serial) {
    handle->address = self->base + (size_t)offset * GRANULE;
    handle->size = (size_t)units * GRANULE;
    handle->node = (uint32_t)link;
    handle->serial = serial;
}

static VESTA_NOINLINE VestaStatus alloc_whole(VestaArena *self, int32_t link, VestaArenaHandle *handle) {
    const VestaBlock *block = vesta_block_at(&self->blocks, link);
    vesta_blocks_use(&self->blocks, link);
    fill(self, handle, block->offset, block->size, link, self->blocks.serial);
    return VESTA_OK;
}

/* Makes room for nodes at the end of the last block, if that is free and, being the one to be cut, large enough. */
static bool add_nodes(VestaBlocks *blocks, int32_t to_cut, uint32_t units) {
    int32_t last = vesta_block_at(blocks, VESTA_BLOCK_BORDER)->left;
    const VestaBlock *block = vesta_block_at(blocks, last);
    uint32_t kept = last == to_cut ? units : 1;
    if (!vesta_block_is_free(block) || block->size < kept + VESTA_ARENA_STEP_UNITS)
        return false;
    vesta_blocks_resize(blocks, last, block->size - VESTA_ARENA_STEP_UNITS);
    blocks->limit -= VESTA_ARENA_STEP_LINKS;
    blocks->total -= VESTA_ARENA_STEP_UNITS;
    blocks->free -= VESTA_ARENA_STEP_UNITS;
    return true;
}

static VESTA_NOINLINE VestaStatus alloc_without_node(VestaArena *self, int32_t link, uint32_t units,
                                                     VestaArenaHandle *handle) {
    VestaBlocks *blocks = &self->blocks;
    int32_t front;
    if (!add_nodes(blocks, link, units) || vesta_block_at(blocks, link)->size == units ||
        !vesta_blocks_take_node(blocks, &front))
        return alloc_whole(self, link, handle);
    fill(self, handle, vesta_block_at(blocks, link)->offset, units, front, vesta_blocks_next_serial(blocks));
    return vesta_blocks_use_front(blocks, link, front, units);
}

VESTA_INLINE VestaStatus alloc_from(VestaArena *self, int32_t link, uint64_t units, VestaArenaHandle *restrict handle) {
    VestaBlocks *blocks = &self->blocks;
    const VestaBlock *block = vesta_block_at(blocks, link);
    if (VESTA_UNLIKELY(block->size == units))
        return alloc_whole(self, link, handle);
    int32_t front;
    if (VESTA_UNLIKELY(!vesta_blocks_take_node(blocks, &front)))
        return alloc_without_node(self, link, (uint32_t)units, handle);
    fill(self, handle, block->offset, (uint32_t)units, front, vesta_blocks_next_serial(blocks));
    return vesta_blocks_use_front(blocks, link, front, (uint32_t)units);
}

/* The front block of the class is too small for the request. */
static VESTA_NOINLINE VestaStatus alloc_probing(VestaArena *self, uint32_t class_index, uint64_t units,
                                                VestaArenaHandle *handle) {
    int32_t link = vesta_blocks_probe(&self->blocks, class_index, (uint32_t)units);
    return link == 0 ? VESTA_EXHAUSTED : alloc_from(self, link, units, handle);
}

VestaStatus vesta_arena_alloc(VestaArena *self, size_t size, VestaArenaHandle *handle) {
    VestaBlocks *blocks = &self->blocks;
    uint64_t units = (size + GRANULE - 1) / GRANULE; /* 0 for 0 and for what overflows */
    if (VESTA_UNLIKELY(units - 1 >= self->max_units))
        return size == 0 && self->max_units != 0 ? vesta_arena_alloc(self, 1, handle) : VESTA_TOO_LARGE;
    uint32_t class_index;
    if (VESTA_UNLIKELY(!vesta_lists_find(&blocks->lists, vesta_lists_class((uint32_t)units), &class_index)))
        return VESTA_EXHAUSTED;
    int32_t link = blocks->lists.heads[class_index].next;
    if (VESTA_UNLIKELY(vesta_block_at(blocks, link)->size < units))
        return alloc_probing(self, class_index, units, handle);
    return alloc_from(self, link, units, handle);
}

int vesta_arena_try_alloc(VestaArena *self, size_t size, VestaArenaHandle *handle) {
    return vesta_arena_alloc(self, size, handle) == VESTA_OK;
}

VestaStatus vesta_arena_free(VestaArena *self, VestaArenaHandle handle) {
    if (VESTA_UNLIKELY(!vesta_blocks_has(&self->blocks, handle.node, handle.serial)))
        return VESTA_BAD_HANDLE;
    return vesta_blocks_free(&self->blocks, (int32_t)handle.node);
}
