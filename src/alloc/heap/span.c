#include "span.h"

#include "options.h"
#include "../base/bitmap.h"
#include "../base/size_class.h"
#include "../os/os.h"

#ifndef VESTA_ALLOC_SPAN_CLASS_BITS
#define VESTA_ALLOC_SPAN_CLASS_BITS 3 /* eight classes per doubling */
#endif

enum {
    BITS = VESTA_ALLOC_SPAN_CLASS_BITS,
    MAX_PAGES = 1 << (VESTA_REGION_SHIFT - VESTA_PAGE_SHIFT),
    CLASSES = VESTA_CLASS_DOWN(MAX_PAGES, BITS) + 1,
    SAME_CLASS_TRIES = 4,
    DIRTY_FLOOR = 128 << 20 >> VESTA_PAGE_SHIFT, /* pages that may stay dirty however few are used */
};

typedef struct Bins {
    uint64_t top;
    uint64_t words[VESTA_BITMAP_WORDS(CLASSES)];
    VestaPage *first[CLASSES];
    uint8_t state; /* VESTA_SPAN_DIRTY or VESTA_SPAN_CLEAN */
} Bins;

static VestaLock lock;
static Bins dirty = {.state = VESTA_SPAN_DIRTY};
static Bins clean = {.state = VESTA_SPAN_CLEAN};
static size_t used_pages, dirty_pages, purged_pages;
static uint32_t tick = 1;

/* ---- Bins ---- */

static Bins *bins_of(uint8_t state) {
    return state == VESTA_SPAN_DIRTY ? &dirty : &clean;
}

static void set_state(VestaPage *span, uint8_t state) {
    VestaPage *last = span + span->pages - 1;
    last->pages = span->pages;
    span->span_state = last->span_state = state;
}

static void bin_insert(Bins *bins, VestaPage *span) {
    uint32_t class_index = vesta_class_down(span->pages, BITS);
    VestaPage *next = bins->first[class_index];
    span->previous = NULL;
    span->next = next;
    if (next != NULL)
        next->previous = span;
    else
        vesta_bitmap_set(&bins->top, bins->words, class_index);
    bins->first[class_index] = span;
    set_state(span, bins->state);
    if (bins == &dirty)
        dirty_pages += span->pages;
}

static void bin_remove(Bins *bins, VestaPage *span) {
    VESTA_ASSERT(span->span_state == bins->state);
    uint32_t class_index = vesta_class_down(span->pages, BITS);
    if (span->next != NULL)
        span->next->previous = span->previous;
    if (span->previous != NULL) {
        span->previous->next = span->next;
    } else {
        bins->first[class_index] = span->next;
        if (span->next == NULL)
            vesta_bitmap_clear(&bins->top, bins->words, class_index);
    }
    if (bins == &dirty)
        dirty_pages -= span->pages;
    set_state(span, VESTA_SPAN_NONE);
}

static VestaPage *bin_find(Bins *bins, uint32_t pages) {
    uint32_t class_index = vesta_class_down(pages, BITS);
    VestaPage *span = bins->first[class_index];
    for (int i = 0; i < SAME_CLASS_TRIES && span != NULL; i++, span = span->next)
        if (span->pages >= pages)
            return span;
    uint32_t above =
        class_index + 1 < CLASSES ? vesta_bitmap_find(bins->top, bins->words, class_index + 1) : VESTA_BITMAP_NONE;
    return above == VESTA_BITMAP_NONE ? NULL : bins->first[above];
}

/* Inserts a span, merged with its free neighbours of the same kind. */
static void insert_merged(Bins *bins, VestaPage *span) {
    VestaPage *behind = span + span->pages;
    if (behind->span_state == bins->state) {
        bin_remove(bins, behind);
        span->pages += behind->pages;
    }
    if (span[-1].span_state == bins->state) {
        VestaPage *before = span - span[-1].pages;
        bin_remove(bins, before);
        before->pages += span->pages;
        span = before;
    }
    span->tick = tick;
    bin_insert(bins, span);
}

/* ---- Allocating: all under the lock ---- */

static void mark_used(VestaPage *span) {
    span->span_state = VESTA_SPAN_USED;
    used_pages += span->pages;
}

/* Cuts `pages` pages out of a free span that was removed from its bin; what is left on both sides stays free. */
static VestaPage *cut(Bins *bins, VestaPage *span, uint32_t pages, uint32_t alignment) {
    uint32_t index = (uint32_t)((vesta_page_address(span) & (VESTA_REGION_ALIGNMENT - 1)) >> VESTA_PAGE_SHIFT);
    uint32_t gap = (0 - index) & (alignment - 1);
    uint32_t old_tick = span->tick, rest = span->pages - gap - pages;
    VESTA_ASSERT(span->pages >= gap + pages);
    if (gap != 0) {
        span->pages = gap;
        bin_insert(bins, span);
        span += gap;
    }
    span->pages = pages;
    if (rest != 0) {
        span[pages].pages = rest;
        span[pages].tick = old_tick;
        bin_insert(bins, span + pages);
    }
    return span;
}

/* Makes a range that was free usable again. */
static bool is_backed(const Bins *bins, const VestaPage *first, uint32_t pages) {
    return bins == &dirty || vesta_os_recommit(vesta_page_address(first), (size_t)pages << VESTA_PAGE_SHIFT);
}

static VestaPage *take_from_bins(Bins *bins, uint32_t pages, uint32_t alignment) {
    VestaPage *span = bin_find(bins, pages + alignment - 1);
    if (span == NULL)
        return NULL;
    bin_remove(bins, span);
    span = cut(bins, span, pages, alignment);
    if (is_backed(bins, span, pages))
        return span;
    insert_merged(bins, span);
    return NULL;
}

static void keep_skipped(VestaPage *first, uint32_t pages) {
    first->pages = pages;
    insert_merged(&clean, first);
}

static VestaPage *take(uint32_t pages, uint32_t alignment, VestaSpanWish wish, bool *zero) {
    VestaPage *span = NULL;
    *zero = false;
    if (wish == VESTA_SPAN_WISH_BACKED && (span = take_from_bins(&dirty, pages, alignment)) != NULL)
        return span;
    *zero = true;
    if (wish != VESTA_SPAN_WISH_GROWTH && (span = take_from_bins(&clean, pages, alignment)) != NULL)
        return span;
    if ((span = vesta_region_take(pages, alignment, keep_skipped)) != NULL)
        return span;
    if ((span = take_from_bins(&clean, pages, alignment)) != NULL)
        return span;
    *zero = false;
    return take_from_bins(&dirty, pages, alignment);
}

VestaPage *vesta_span_allocate(uint32_t pages, uint32_t alignment, VestaSpanWish wish, bool *zero) {
    if (pages >= MAX_PAGES || alignment >= MAX_PAGES || pages + alignment > MAX_PAGES)
        return NULL;
    vesta_lock(&lock);
    VestaPage *span = take(pages, alignment, wish, zero);
    if (span == NULL && dirty_pages != 0) {
        /* Dirty and clean spans side by side may make one that is long enough. */
        vesta_unlock(&lock);
        vesta_span_purge(0);
        vesta_lock(&lock);
        span = take(pages, alignment, wish, zero);
    }
    if (span != NULL)
        mark_used(span);
    vesta_unlock(&lock);
    return span;
}

bool vesta_span_extend(VestaPage *span, uint32_t pages) {
    vesta_lock(&lock);
    uint32_t more = pages - span->pages;
    VestaPage *behind = span + span->pages;
    bool extended = false;
    if (behind->span_state == VESTA_SPAN_DIRTY || behind->span_state == VESTA_SPAN_CLEAN) {
        Bins *bins = bins_of(behind->span_state);
        if (behind->pages >= more && is_backed(bins, behind, more)) {
            bin_remove(bins, behind);
            cut(bins, behind, more, 1);
            extended = true;
        }
    } else if (behind->span_state == VESTA_SPAN_NONE) {
        extended = vesta_region_take_behind(behind, more);
    }
    if (extended) {
        span->pages = pages;
        used_pages += more;
    }
    vesta_unlock(&lock);
    return extended;
}

/* ---- Freeing and purging ---- */

static void free_locked(VestaPage *span, bool zero) {
    used_pages -= span->pages;
    insert_merged(zero ? &clean : &dirty, span);
}

static bool past_bound(void) {
    return dirty_pages > DIRTY_FLOOR && dirty_pages > used_pages;
}

/* Takes dirty spans freed at `newest` or before out of their bins, largest first, until at most `keep` dirty pages are
 * left: as a list through `next`, which nobody else can see. */
static VestaPage *collect_dirty(uint32_t newest, size_t keep) {
    VestaPage *list = NULL;
    uint32_t class_index = CLASSES;
    while (class_index-- > 0 && dirty_pages > keep) {
        VestaPage *next = NULL;
        for (VestaPage *span = dirty.first[class_index]; span != NULL && dirty_pages > keep; span = next) {
            next = span->next;
            if ((int32_t)(span->tick - newest) > 0)
                continue;
            bin_remove(&dirty, span);
            mark_used(span);
            span->next = list;
            list = span;
        }
    }
    return list;
}

/* Purges the spans of a list outside the lock: a large one takes the system milliseconds. */
static size_t purge_list(VestaPage *list) {
    size_t purged = 0;
    for (VestaPage *next = NULL; list != NULL; list = next) {
        next = list->next;
        uint32_t pages = list->pages;
        bool zero = vesta_os_purge(vesta_page_address(list), (size_t)pages << VESTA_PAGE_SHIFT);
        vesta_lock(&lock);
        if (zero) {
            purged += pages;
            purged_pages += pages;
        }
        free_locked(list, zero);
        vesta_unlock(&lock);
    }
    return purged;
}

void vesta_span_free(VestaPage *span, bool zero) {
    vesta_lock(&lock);
    VESTA_ASSERT(span->span_state == VESTA_SPAN_USED);
    free_locked(span, zero);
    VestaPage *list = past_bound() ? collect_dirty(tick, dirty_pages / 2) : NULL;
    vesta_unlock(&lock);
    purge_list(list);
}

void vesta_span_shrink(VestaPage *span, uint32_t pages) {
    vesta_lock(&lock);
    VestaPage *rest = span + pages;
    rest->pages = span->pages - pages;
    span->pages = pages;
    free_locked(rest, false);
    vesta_unlock(&lock);
}

size_t vesta_span_purge(size_t keep) {
    vesta_lock(&lock);
    VestaPage *list = collect_dirty(tick, keep);
    vesta_unlock(&lock);
    return purge_list(list);
}

uint32_t vesta_span_tick(void) {
    return __atomic_load_n(&tick, __ATOMIC_RELAXED);
}

void vesta_span_decay(void) {
    /* The cycle counter only keeps the clock from being asked more often than every few milliseconds. */
    static uint64_t next_look, next_tick;
    const uint64_t look = 1 << 24;
    uint64_t cycles = vesta_os_cycles();
    if (VESTA_LIKELY((int64_t)(cycles - __atomic_load_n(&next_look, __ATOMIC_RELAXED)) < 0))
        return;
    __atomic_store_n(&next_look, cycles + look, __ATOMIC_RELAXED);
    uint64_t now = vesta_os_milliseconds();
    vesta_lock(&lock);
    VestaPage *list = NULL;
    if (now >= next_tick) {
        /* Two ticks make the decay: what is purged has been dirty for one of them at least, for two at most. */
        next_tick = now + vesta_options.decay / 2;
        __atomic_store_n(&tick, tick + 1, __ATOMIC_RELAXED);
        list = collect_dirty(tick - 2, 0);
    }
    vesta_unlock(&lock);
    purge_list(list);
}

void vesta_span_stats(VestaSpanStats *spans, VestaRegionStats *regions) {
    vesta_lock(&lock);
    *spans = (VestaSpanStats){used_pages, dirty_pages, purged_pages};
    vesta_region_stats(regions);
    vesta_unlock(&lock);
}

void vesta_span_lock(void) {
    vesta_lock(&lock);
}

void vesta_span_unlock(void) {
    vesta_unlock(&lock);
}

void vesta_span_lock_reset(void) {
    vesta_lock_reset(&lock);
}
