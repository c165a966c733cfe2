/* How pages come to sizes and go from them. */
#include "pool_state.h"

enum { FULLEST_TRIES = 8 };

static int32_t index_of(const VestaPool *self, const VestaPoolPage *page) {
    return (int32_t)(page - self->records);
}

static VestaPoolZone *zone_of(VestaPool *self, uint32_t list) {
    return list < self->control.first_list ? &self->ordinary : &self->control;
}

/* ---- Rings ---- */

/* Inserts a page before `position`, which is the last place if that is the first page. */
static void ring_insert(VestaPool *self, int32_t position, VestaPoolPage *page) {
    int32_t index = index_of(self, page);
    if (position == VESTA_POOL_NONE) {
        page->next = page->previous = index;
        return;
    }
    VestaPoolPage *behind = &self->records[position];
    page->next = position;
    page->previous = behind->previous;
    self->records[behind->previous].next = index;
    behind->previous = index;
}

/* Removes a page and returns the one behind it, or VESTA_POOL_NONE if it was the only one. */
static int32_t ring_remove(VestaPool *self, VestaPoolPage *page) {
    if (page->next == index_of(self, page))
        return VESTA_POOL_NONE;
    self->records[page->previous].next = page->next;
    self->records[page->next].previous = page->previous;
    return page->next;
}

/* ---- Free pages ---- */

static uint32_t free_pages(const VestaPoolZone *zone) {
    return zone->warm_count + zone->cold_count + (uint32_t)(zone->end - zone->untouched);
}

/* A page that nobody has, rather a warm one. There must be one. */
static VestaPoolPage *take_free(VestaPool *self, VestaPoolZone *zone) {
    int32_t index;
    if (zone->warm != VESTA_POOL_NONE) {
        index = zone->warm;
        zone->warm = ring_remove(self, &self->records[index]);
        zone->warm_count--;
    } else if (zone->cold != VESTA_POOL_NONE) {
        index = zone->cold;
        zone->cold = self->records[index].next;
        zone->cold_count--;
    } else {
        index = zone->untouched++;
    }
    self->used_pages++;
    return &self->records[index];
}

/* Current pages may be empty and are counted as if they were, as long as that leaves half of the limit. */
static uint32_t warm_limit(const VestaPoolZone *zone) {
    uint32_t half = zone->warm_pages / 2;
    return zone->currents < zone->warm_pages - half ? zone->warm_pages - zone->currents : half;
}

static void purge_beyond_limit(VestaPool *self, VestaPoolZone *zone) {
    while (zone->warm_count > warm_limit(zone)) {
        VestaPoolPage *oldest = &self->records[self->records[zone->warm].previous];
        if (ring_remove(self, oldest) == VESTA_POOL_NONE)
            zone->warm = VESTA_POOL_NONE;
        zone->warm_count--;
        if (vesta_os_discard((uintptr_t)vesta_pool_memory(self, oldest), VESTA_POOL_PAGE))
            self->purged += VESTA_POOL_PAGE;
        oldest->next = zone->cold;
        zone->cold = index_of(self, oldest);
        zone->cold_count++;
    }
}

/* Makes an empty page that is in no list free. */
static void release(VestaPool *self, VestaPoolPage *page) {
    VestaPoolZone *zone = zone_of(self, page->list);
    self->owned[page->list]--;
    self->used_pages--;
    page->state = VESTA_POOL_RELEASED;
    page->frees_left = 0;
    ring_insert(self, zone->warm, page);
    zone->warm = index_of(self, page);
    zone->warm_count++;
    purge_beyond_limit(self, zone);
}

/* ---- Lists of pages with room ---- */

static void make_current(VestaPool *self, VestaPoolPage *page, uint32_t in_use) {
    self->current[page->list] = page;
    page->state = VESTA_POOL_CURRENT;
    page->given = (uint16_t)(in_use + 1);
    page->frees_left = INT16_MAX;
}

/* Puts a page with room into its list. */
static void list_append(VestaPool *self, VestaPoolPage *page, uint32_t in_use) {
    VestaPoolPage *current = self->current[page->list];
    if (current == &self->nothing) {
        ring_insert(self, VESTA_POOL_NONE, page);
        make_current(self, page, in_use);
        zone_of(self, page->list)->currents++;
    } else if (in_use == 0) {
        release(self, page);
    } else {
        page->state = VESTA_POOL_LISTED;
        page->frees_left = (int16_t)(in_use - 1);
        ring_insert(self, index_of(self, current), page);
    }
}

static VestaPoolPage *fullest(VestaPool *self, VestaPoolPage *page) {
    VestaPoolPage *best = page;
    for (int i = 1; i < FULLEST_TRIES; i++) {
        page = &self->records[page->next];
        best = page->frees_left > best->frees_left ? page : best;
    }
    return best;
}

static void list_remove(VestaPool *self, VestaPoolPage *page) {
    int32_t next = ring_remove(self, page);
    if (page->state != VESTA_POOL_CURRENT)
        return;
    if (next == VESTA_POOL_NONE) {
        self->current[page->list] = &self->nothing;
        zone_of(self, page->list)->currents--;
    } else {
        /* A ring begins anywhere. */
        VestaPoolPage *successor = &self->records[next];
        successor = self->fullest_first ? fullest(self, successor) : successor;
        make_current(self, successor, (uint32_t)successor->frees_left + 1);
    }
}

void vesta_pool_set_full(VestaPool *self, VestaPoolPage *page) {
    list_remove(self, page);
    page->state = VESTA_POOL_FULL;
    page->frees_left = 0;
}

/* ---- What happens to a page ---- */

VestaStatus vesta_pool_settle(VestaPool *self, VestaPoolPage *page) {
    switch ((VestaPoolPageState)page->state) {
    case VESTA_POOL_CURRENT: /* It stays so when it is empty: a size that comes and goes keeps its page. */
        page->frees_left = INT16_MAX;
        return VESTA_OK;
    case VESTA_POOL_FULL:
        list_append(self, page, page->capacity - 1u);
        return VESTA_OK;
    case VESTA_POOL_LISTED:
        list_remove(self, page);
        release(self, page);
        return VESTA_OK;
    default:
        page->frees_left = 0;
        return page->state == VESTA_POOL_RELEASED ? VESTA_DOUBLE_FREE : VESTA_FOREIGN;
    }
}

/* Releases a current page that is empty; false if there is none, or if that would still leave no more than the reserve
 * to take from. */
static bool release_current(VestaPool *self, VestaPoolZone *zone, uint32_t reserve) {
    VestaPoolPage *victim = NULL;
    uint32_t empty = 0;
    for (uint32_t list = zone->first_list; list < zone->end_list; list++) {
        VestaPoolPage *page = self->current[list];
        if (page->state == VESTA_POOL_CURRENT && vesta_pool_current_in_use(page) == 0) {
            victim = page;
            empty++;
        }
    }
    if (victim == NULL || free_pages(zone) + empty <= reserve)
        return false;
    list_remove(self, victim);
    release(self, victim);
    return true;
}

static bool add_page(VestaPool *self, uint32_t list) {
    VestaPoolZone *zone = zone_of(self, list);
    uint32_t reserve = self->owned[list] == 0 ? 0 : zone->reserve;
    while (free_pages(zone) <= reserve)
        if (!release_current(self, zone, reserve))
            return false;
    VestaPoolPage *page = take_free(self, zone);
    uint32_t block_size = (list % VESTA_POOL_SIZES + 1) * VESTA_POOL_STEP;
    *page = (VestaPoolPage){
        .inverse = UINT32_MAX / block_size + 1,
        .block_size = (uint16_t)block_size,
        .list = (uint8_t)list,
        .capacity = (uint16_t)(VESTA_POOL_PAGE / block_size),
    };
    self->owned[list]++;
    list_append(self, page, 0);
    return true;
}

bool vesta_pool_refill(VestaPool *self, uint32_t list) {
    return self->current[list] != &self->nothing || add_page(self, list);
}
