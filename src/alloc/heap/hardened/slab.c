#include "slab.h"

#include "guarded_span.h"
#include "lock.h"
#include "zero.h"
#include "../error.h"
#include "../slab.h"

#if VESTA_HARDENED

enum {
    /* A write that misses by no more than this is seen when a block beside it is freed. */
    REACH = 32,
    /* Slabs without a block in use that a class keeps. */
    EMPTY_MAX = 4,
    /* Longer than needed: fewer mappings, and more places to choose from. */
    SLAB_PAGES_MIN = 2,
    /* Blocks in quarantine, by class: so many bytes of them, within bounds. */
    QUARANTINE_BYTES = 16 << 10,
    QUARANTINE_MIN = 8,
};

static uint64_t secret; /* atomic; set before there are blocks */

/* ---- Bits ---- */

static bool has_bit(const uint64_t *words, uint32_t index) {
    return (__atomic_load_n(&words[index / 64], __ATOMIC_RELAXED) >> index % 64 & 1) != 0;
}

static void set_bit(uint64_t *words, uint32_t index) {
    __atomic_store_n(&words[index / 64], words[index / 64] | 1ull << index % 64, __ATOMIC_RELAXED);
}

static void clear_bit(uint64_t *words, uint32_t index) {
    __atomic_store_n(&words[index / 64], words[index / 64] & ~(1ull << index % 64), __ATOMIC_RELAXED);
}

/* A place that is not used, at random; there is one. */
static uint32_t find_place(const VestaPage *slab, uint64_t random) {
    uint32_t words = (slab->capacity + 63u) / 64, word = vesta_random_below(random, words), turn = random % 64;
    if (!VESTA_ALLOC_HARDEN_RANDOM)
        word = turn = 0;
    for (;; word = word + 1 < words ? word + 1 : 0) {
        uint64_t free = ~slab->used[word];
        if (free == 0)
            continue;
        uint64_t turned = turn == 0 ? free : free >> turn | free << (64 - turn);
        return word * 64 + (((uint32_t)__builtin_ctzll(turned) + turn) & 63);
    }
}

/* ---- Places ---- */

typedef struct Place {
    VestaPage *slab;
    uint32_t index;
    uint32_t inside; /* bytes from the block's start */
} Place;

static inline Place place_of(VestaPage *page, const void *address) {
    VestaPage *slab = vesta_slab_first(page);
    uint32_t offset = (uint32_t)((uintptr_t)address - vesta_page_address(slab));
    uint32_t index = (uint32_t)(offset / VESTA_GRANULE * slab->reciprocal >> 32);
    return (Place){slab, index, offset - index * slab->own.block_size};
}

static char *block_at(const VestaPage *slab, uint32_t index) {
    return (char *)vesta_page_address(slab) + (size_t)index * slab->own.block_size;
}

static bool is_live(const Place *place) {
    return place->index < place->slab->capacity && has_bit(place->slab->live, place->index);
}

static bool has_content(const VestaPage *slab) {
    return !VESTA_ALLOC_HARDEN_EMPTY || slab->slab_class != VESTA_EMPTY_CLASS;
}

/* ---- Slabs ---- */

static void enqueue(VestaHardenedQueue *queue, VestaPage *slab) {
    slab->next = NULL;
    slab->previous = queue->last;
    if (queue->last != NULL)
        queue->last->next = slab;
    else
        queue->first = slab;
    queue->last = slab;
    slab->state = VESTA_SLAB_PARTIAL;
}

static void dequeue(VestaHardenedQueue *queue, VestaPage *slab) {
    if (slab->previous != NULL)
        slab->previous->next = slab->next;
    else
        queue->first = slab->next;
    if (slab->next != NULL)
        slab->next->previous = slab->previous;
    else
        queue->last = slab->previous;
    slab->state = VESTA_SLAB_FULL;
}

static void need_secrets(VestaHardenedHeap *state) {
    uint64_t none = 0;
    uint64_t fresh = vesta_mix(vesta_os_random() ^ UINT64_C(0x589965cc75374cc3), vesta_os_cycles() | 1) | 1;
    __atomic_compare_exchange_n(&secret, &none, fresh, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    if (state->random == 0)
        state->random = vesta_mix(fresh ^ (uintptr_t)state, UINT64_C(0x1d8e4e27c47d124f)) | 1;
}

static VestaPage *create(VestaHeap *heap, uint32_t class_index) {
    need_secrets(&heap->hardened);
    uint32_t block_size = class_index == VESTA_EMPTY_CLASS ? VESTA_GRANULE : vesta_small_size(class_index);
    uint32_t pages = vesta_slab_pages(block_size);
    if (pages < SLAB_PAGES_MIN && block_size > VESTA_GRANULE)
        pages = SLAB_PAGES_MIN;
    VestaPage *slab = vesta_guarded_span_allocate(pages, 1, class_index == VESTA_EMPTY_CLASS ? 0 : pages);
    if (slab == NULL)
        return NULL;
    slab->capacity = (uint16_t)(((size_t)pages << VESTA_PAGE_SHIFT) / block_size);
    slab->reciprocal = ((1ull << 32) + block_size / VESTA_GRANULE - 1) / (block_size / VESTA_GRANULE);
    slab->used_blocks = 0;
    for (uint32_t word = 0; word < VESTA_SLAB_WORDS; word++) {
        slab->live[word] = 0;
        slab->used[word] = ~0ull;
    }
    for (uint32_t i = 0; i < slab->capacity; i++)
        clear_bit(slab->used, i);
    for (uint32_t i = 0; i < pages; i++) {
        slab[i].own.block_size = block_size;
        slab[i].distance = i;
        slab[i].kind = VESTA_PAGE_SLAB;
        slab[i].slab_class = (uint8_t)class_index;
        __atomic_store_n(&slab[i].owner, heap, __ATOMIC_RELEASE);
    }
    enqueue(&heap->hardened.partial[class_index], slab);
    heap->hardened.empty_slabs[class_index]++;
    vesta_counter_add(&heap->slabs, 1);
    return slab;
}

static void release(VestaHeap *heap, VestaPage *slab) {
    dequeue(&heap->hardened.partial[slab->slab_class], slab);
    heap->hardened.empty_slabs[slab->slab_class]--;
    vesta_counter_add(&heap->slabs, -1);
    for (uint32_t i = 0; i < slab->pages - VESTA_ALLOC_HARDEN_GUARDS; i++) {
        __atomic_store_n(&slab[i].owner, NULL, __ATOMIC_RELAXED);
        slab[i].kind = VESTA_PAGE_NONE;
    }
    vesta_guarded_span_conceal(slab);
    vesta_guarded_span_free(slab);
}

/* ---- Allocating: under the heap's lock ---- */

static void *take_locked(VestaHeap *heap, uint32_t class_index, size_t size, bool *written) {
    VestaHardenedHeap *state = &heap->hardened;
    VestaHardenedQueue *queue = &state->partial[class_index];
    VestaPage *slab = queue->first;
    if (VESTA_UNLIKELY(slab == NULL) && (slab = create(heap, class_index)) == NULL)
        return NULL;
    uint32_t index = find_place(slab, vesta_random_next(&state->random));
    set_bit(slab->used, index);
    set_bit(slab->live, index);
    if (slab->used_blocks++ == 0)
        state->empty_slabs[class_index]--;
    if (slab->used_blocks == slab->capacity)
        dequeue(queue, slab);
    char *block = block_at(slab, index);
    if (!has_content(slab))
        return block;
    if (VESTA_ALLOC_HARDEN_FILL && VESTA_UNLIKELY(!vesta_is_zero(block, slab->own.block_size))) {
        *written = true;
        vesta_make_zero(block, slab->own.block_size);
    }
    vesta_canary_write(block, slab->own.block_size, size, secret);
    return block;
}

void *vesta_hardened_take(VestaHeap *heap, uint32_t class_index, size_t size) {
    bool written = false;
    vesta_heap_lock(&heap->hardened.lock);
    void *block = take_locked(heap, class_index, size, &written);
    vesta_heap_unlock(&heap->hardened.lock);
    if (VESTA_UNLIKELY(written))
        vesta_heap_error("write to a block after it was freed", block);
    return block;
}

/* ---- Freeing: under the lock of the heap that owns the slab ---- */

static void give_back(VestaHeap *heap, void *block) {
    VestaHardenedHeap *state = &heap->hardened;
    Place place = place_of(vesta_page_of(block), block);
    VestaPage *slab = place.slab;
    uint32_t class_index = slab->slab_class;
    clear_bit(slab->used, place.index);
    if (slab->state == VESTA_SLAB_FULL)
        enqueue(&state->partial[class_index], slab);
    if (--slab->used_blocks == 0 && ++state->empty_slabs[class_index] > EMPTY_MAX)
        release(heap, slab);
}

static uint32_t quarantine_length(uint32_t block_size) {
    uint32_t length = QUARANTINE_BYTES / block_size;
    return length < QUARANTINE_MIN ? QUARANTINE_MIN : length < VESTA_QUARANTINE_MAX ? length : VESTA_QUARANTINE_MAX;
}

/* Puts a block in the ring; returns the one whose place it takes, or NULL. */
static void *exchange_for_oldest(VestaHardenedHeap *state, const VestaPage *slab, void *block) {
    uint32_t class_index = slab->slab_class, *next = &state->next_freed[class_index];
    void **place = &state->freed[class_index][*next];
    void *oldest = *place;
    *place = block;
    *next = *next + 1 < quarantine_length(slab->own.block_size) ? *next + 1 : 0;
    return oldest;
}

/* The blocks on both sides: a canary that is broken, or a free one that is not zero any more. */
static const char *check_neighbours(const Place *place, const char *block) {
    const VestaPage *slab = place->slab;
    uint32_t size = slab->own.block_size, reach = 0;
    for (uint32_t i = place->index; i-- > 0 && reach < REACH; reach += size) {
        const char *other = block_at(slab, i);
        uint32_t part = size < REACH - reach ? size : REACH - reach;
        if (has_bit(slab->live, i) ? vesta_canary_size(other, size, secret) == vesta_canary_broken
                                   : VESTA_ALLOC_HARDEN_FILL && !vesta_is_zero(other + size - part, part))
            return "write in front of a block";
    }
    reach = 0;
    for (uint32_t i = place->index + 1; i < slab->capacity && reach < REACH; i++, reach += size)
        if (VESTA_ALLOC_HARDEN_FILL && !has_bit(slab->live, i) &&
            !vesta_is_zero(block + (size_t)(i - place->index) * size, size < REACH - reach ? size : REACH - reach))
            return "write behind a block";
    return NULL;
}

static const char *check_content(const Place *place, const char *block) {
    if (!has_content(place->slab))
        return NULL;
    if (vesta_canary_check(block, place->slab->own.block_size, secret) == vesta_canary_broken)
        return "write behind a block";
    return VESTA_ALLOC_HARDEN_NEIGHBOURS ? check_neighbours(place, block) : NULL;
}

static const char *free_locked(VestaHeap *heap, VestaPage *page, void *block) {
    if (VESTA_UNLIKELY(vesta_page_owner(page) != heap))
        return "free of a block that is not in use";
    Place place = place_of(page, block);
    if (VESTA_UNLIKELY(!is_live(&place)))
        return place.index < place.slab->capacity && has_bit(place.slab->used, place.index)
                   ? "free of a block that was freed already"
                   : "free of a block that is not in use";
    if (VESTA_UNLIKELY(place.inside != 0))
        return "free of an address inside a block";
    const char *broken = check_content(&place, block);
    clear_bit(place.slab->live, place.index);
    if (VESTA_ALLOC_HARDEN_FILL && has_content(place.slab))
        vesta_make_zero(block, place.slab->own.block_size);
    void *ripe = VESTA_ALLOC_HARDEN_QUARANTINE ? exchange_for_oldest(&heap->hardened, place.slab, block) : block;
    if (ripe != NULL)
        give_back(heap, ripe);
    return broken;
}

void vesta_hardened_free(VestaPage *page, void *block) {
    VestaHeap *owner = vesta_page_owner(page);
    const char *wrong = "free of a block that is not in use";
    if (VESTA_LIKELY(owner != NULL)) {
        vesta_heap_lock(&owner->hardened.lock);
        wrong = free_locked(owner, page, block);
        vesta_heap_unlock(&owner->hardened.lock);
    }
    if (VESTA_UNLIKELY(wrong != NULL))
        vesta_heap_error(wrong, block);
}

/* ---- Asking and resizing: the block is the caller's ---- */

bool vesta_hardened_in_use(VestaPage *page, const void *block) {
    Place place = place_of(page, block);
    return place.inside == 0 && is_live(&place);
}

size_t vesta_hardened_size(const VestaPage *page, const void *block) {
    if (!has_content(page))
        return 0;
    size_t size = vesta_canary_size(block, page->own.block_size, secret);
    return size == vesta_canary_broken ? 0 : size;
}

bool vesta_hardened_resize(VestaPage *page, void *block, size_t size) {
    uint32_t block_size = page->own.block_size;
    if (!has_content(page) || size + VESTA_CANARY_BYTES > block_size || size < block_size / 2)
        return false;
    VestaHeap *owner = vesta_page_owner(page);
    vesta_heap_lock(&owner->hardened.lock);
    bool broken = vesta_canary_check(block, block_size, secret) == vesta_canary_broken;
    vesta_canary_write(block, block_size, size, secret);
    vesta_heap_unlock(&owner->hardened.lock);
    if (VESTA_UNLIKELY(broken))
        vesta_heap_error("write behind a block", block);
    return true;
}

size_t vesta_hardened_reach(VestaPage *page, const void *address) {
    Place place = place_of(page, address);
    if (!is_live(&place) || !has_content(place.slab))
        return 0;
    size_t size = vesta_hardened_size(place.slab, (const char *)address - place.inside);
    return size > place.inside ? size - place.inside : 0;
}

/* ---- Giving back ---- */

static void empty_quarantine(VestaHeap *heap) {
    VestaHardenedHeap *state = &heap->hardened;
    for (uint32_t class_index = 0; class_index < VESTA_HARDENED_CLASSES; class_index++) {
        for (int i = 0; i < VESTA_QUARANTINE_MAX && state->freed[class_index][i] != NULL; i++) {
            give_back(heap, state->freed[class_index][i]);
            state->freed[class_index][i] = NULL;
        }
        state->next_freed[class_index] = 0;
    }
}

void vesta_hardened_tidy(VestaHeap *heap) {
    vesta_hardened_let_go(heap);
    vesta_heap_lock(&heap->hardened.lock);
    empty_quarantine(heap);
    for (uint32_t i = 0; i < VESTA_HARDENED_CLASSES; i++) {
        VestaPage *next = NULL;
        for (VestaPage *slab = heap->hardened.partial[i].first; slab != NULL; slab = next) {
            next = slab->next;
            if (slab->used_blocks == 0)
                release(heap, slab);
        }
    }
    vesta_heap_unlock(&heap->hardened.lock);
}

void vesta_hardened_hold(VestaHeap *heap, VestaPage *span) {
    VestaHardenedHeap *state = &heap->hardened;
    vesta_heap_lock(&state->lock);
    uint32_t place = state->last_span++ % VESTA_SPAN_QUARANTINE;
    VestaPage *oldest = state->spans[place];
    state->spans[place] = span;
    vesta_heap_unlock(&state->lock);
    if (oldest != NULL)
        vesta_guarded_span_free(oldest);
}

void vesta_hardened_let_go(VestaHeap *heap) {
    for (int i = 0; i < VESTA_SPAN_QUARANTINE; i++)
        vesta_hardened_hold(heap, NULL);
}

#endif
