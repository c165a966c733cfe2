#include "pool_state.h"

/* ---- Life ---- */

VestaPoolConfig vesta_pool_defaults(size_t budget) {
    VestaPoolConfig config = {.budget = budget != 0 ? budget : VESTA_POOL_BUDGET, .control_pages = 3, .lifetimes = 1};
    size_t pages = config.budget / VESTA_POOL_PAGE;
    config.reserve_pages = (uint32_t)(pages * 14 / 1000);
    config.warm_pages = pages >= 16 ? (uint32_t)(pages / 8 - 1) : 1;
    return config;
}

static VestaPoolZone make_zone(int32_t first, int32_t end, uint32_t first_kind, uint32_t end_kind) {
    return (VestaPoolZone){
        .warm = VESTA_POOL_NONE,
        .cold = VESTA_POOL_NONE,
        .untouched = first,
        .end = end,
        .warm_pages = VESTA_POOL_KEEP_ALL,
        .first_list = first_kind * VESTA_POOL_SIZES,
        .end_list = end_kind * VESTA_POOL_SIZES,
    };
}

VestaPool *vesta_pool_create(const VestaPoolConfig *config) {
    size_t os_page = vesta_os_page_size(), pages = config->budget / (VESTA_POOL_PAGE + sizeof(VestaPoolPage));
    if (pages <= config->control_pages || pages > INT32_MAX || config->budget > SIZE_MAX / 4)
        return NULL;
    size_t state = (sizeof(VestaPool) + os_page - 1) & ~(os_page - 1);
    VestaMapping mapping = vesta_map(state + config->budget);
    if (mapping.memory == NULL)
        return NULL;
    VestaPool *self = mapping.memory;
    self->mapping = mapping;
    self->memory = (char *)mapping.memory + state;
    self->extent = pages * VESTA_POOL_PAGE;
    self->records = (VestaPoolPage *)(void *)(self->memory + self->extent);
    self->nothing = (VestaPoolPage){.fresh = VESTA_POOL_PAGE, .block_size = 1};
    for (uint32_t list = 0; list < VESTA_POOL_LISTS; list++)
        self->current[list] = &self->nothing;
    int32_t end = (int32_t)pages, control = (int32_t)config->control_pages;
    self->ordinary = make_zone(control, end, VESTA_POOL_KIND_SHORT, VESTA_POOL_KIND_CONTROL);
    self->ordinary.reserve = config->reserve_pages;
    self->ordinary.warm_pages = config->warm_pages;
    self->control = make_zone(0, control, VESTA_POOL_KIND_CONTROL, VESTA_POOL_KINDS);
    self->key = (vesta_os_random() ^ vesta_os_cycles()) * 0x9E3779B97F4A7C15u;
    self->long_lists = config->lifetimes ? VESTA_POOL_KIND_LONG * VESTA_POOL_SIZES : 0;
    self->fullest_first = config->fullest_first != 0;
    self->on_overwritten = config->on_overwritten;
    self->context = config->context;
    return self;
}

void vesta_pool_destroy(VestaPool *self) {
    if (self != NULL)
        vesta_unmap(self->mapping);
}

/* ---- Allocating ---- */

VESTA_INLINE uint64_t key_of(const VestaPool *self) {
    return VESTA_ALLOC_POOL_HARDEN ? self->key : 0;
}

VESTA_INLINE void *give(VestaPoolPage *page, VestaFreeBlock *block) {
    if (VESTA_ALLOC_POOL_HARDEN)
        vesta_free_list_unseal(block);
    page->given++;
    return block;
}

/* The first block of the page's list, or NULL if that is empty or the block was written to. */
VESTA_INLINE void *pop(const VestaPool *self, VestaPoolPage *page) {
    VestaFreeBlock *block = page->free;
    if (VESTA_UNLIKELY(block == NULL))
        return NULL;
    if (VESTA_ALLOC_POOL_HARDEN && VESTA_UNLIKELY(!vesta_free_list_is_sealed(block, key_of(self))))
        return NULL;
    page->free = vesta_free_list_next(block, key_of(self));
    return give(page, block);
}

/* The program wrote to a free block: neither it nor what it led to can be trusted until the page is empty. */
static VESTA_COLD void drop_list(VestaPool *self, VestaPoolPage *page) {
    VestaFreeBlock *block = page->free;
    uint32_t in_use = vesta_pool_current_in_use(page);
    page->free = NULL;
    if (in_use == 0)
        page->fresh = 0;
    page->capacity = (uint16_t)(in_use + (VESTA_POOL_PAGE - page->fresh) / page->block_size);
    self->overwritten++;
    if (self->on_overwritten != NULL)
        self->on_overwritten(self->context, block);
}

static VESTA_NOINLINE void *alloc_slow(VestaPool *self, size_t list) {
    do {
        VestaPoolPage *page = self->current[list];
        void *block = pop(self, page);
        if (block != NULL)
            return block;
        if (page->free != NULL)
            drop_list(self, page);
        uint32_t offset = page->fresh, behind = offset + page->block_size;
        if (behind <= VESTA_POOL_PAGE) {
            page->fresh = (uint16_t)behind;
            return give(page, (VestaFreeBlock *)(void *)(vesta_pool_memory(self, page) + offset));
        }
        if (page != &self->nothing)
            vesta_pool_set_full(self, page);
    } while (vesta_pool_refill(self, (uint32_t)list));
    return NULL;
}

VESTA_INLINE void *alloc(VestaPool *self, size_t size, size_t first_list) {
    size_t step = (size - 1) / VESTA_POOL_STEP;
    if (VESTA_UNLIKELY(step >= VESTA_POOL_SIZES)) {
        if (size != 0)
            return NULL;
        step = 0;
    }
    size_t list = first_list + step;
    void *block = pop(self, self->current[list]);
    return VESTA_LIKELY(block != NULL) ? block : alloc_slow(self, list);
}

void *vesta_pool_alloc(VestaPool *self, size_t size) {
    return alloc(self, size, VESTA_POOL_KIND_SHORT * VESTA_POOL_SIZES);
}

void *vesta_pool_alloc_hint(VestaPool *self, size_t size, VestaPoolLifetime lifetime) {
    return alloc(self, size, lifetime == VESTA_POOL_LONG ? self->long_lists : 0);
}

void *vesta_pool_alloc_control(VestaPool *self, size_t size) {
    return alloc(self, size, VESTA_POOL_KIND_CONTROL * VESTA_POOL_SIZES);
}

/* ---- Freeing ---- */

/* Whether no block of the page begins here. */
VESTA_INLINE bool is_inside(const VestaPoolPage *page, uint32_t offset) {
    /* With i = 2^32 / d rounded up, offset is a multiple of d if and only if offset * i mod 2^32 is less than i. */
    return offset * page->inverse >= page->inverse;
}

VestaStatus vesta_pool_free(VestaPool *self, void *address) {
    VestaFreeBlock *block = address;
    size_t distance = (size_t)((uintptr_t)block - (uintptr_t)self->memory);
    if (VESTA_UNLIKELY(distance >= self->extent))
        return block == NULL ? VESTA_OK : VESTA_FOREIGN;
    VestaPoolPage *page = &self->records[distance / VESTA_POOL_PAGE];
    if (VESTA_ALLOC_POOL_HARDEN) {
        if (VESTA_UNLIKELY(is_inside(page, distance % VESTA_POOL_PAGE)))
            return VESTA_FOREIGN;
        if (VESTA_UNLIKELY(vesta_free_list_is_sealed(block, self->key)))
            return VESTA_DOUBLE_FREE;
        vesta_free_list_seal(block, page->free);
    }
    vesta_free_list_push(&page->free, block, key_of(self));
    return VESTA_LIKELY(--page->frees_left >= 0) ? VESTA_OK : vesta_pool_settle(self, page);
}

size_t vesta_pool_size(const VestaPool *self, const void *block) {
    return self->records[(size_t)((const char *)block - self->memory) / VESTA_POOL_PAGE].block_size;
}

void vesta_pool_report(const VestaPool *self, VestaPoolReport *report) {
    *report = (VestaPoolReport){
        .memory = self->memory,
        .pages = (uint32_t)(self->extent / VESTA_POOL_PAGE),
        .used_pages = self->used_pages,
        .warm_pages = self->ordinary.warm_count + self->control.warm_count,
        .purged = self->purged,
        .overwritten = self->overwritten,
    };
}
