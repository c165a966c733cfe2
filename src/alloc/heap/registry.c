#include "registry.h"

#include "remote.h"
#include "slab.h"
#include "span.h"
#include "span_cache.h"
#include "hardened/guarded_span.h"
#include "../os/os.h"
#include "vesta/mem.h"

static VestaLock lock;
static VestaHeap *all;           /* atomic: read without the lock */
static VestaHeap *abandoned;     /* last in, first out: what was used last is warm */
static uint32_t abandoned_count; /* atomic: a hint read without the lock */

enum {
    HEAP_PAGES = (sizeof(VestaHeap) + VESTA_PAGE_SIZE - 1) / VESTA_PAGE_SIZE,
    STEAL_TRIES = 32, /* abandoned heaps looked at for a slab: a bound on the time under the lock */
};

static VestaHeap *create(void) {
    bool zero;
#if VESTA_HARDENED
    VestaPage *span = vesta_guarded_span_allocate(HEAP_PAGES, 1, HEAP_PAGES);
    zero = true;
#else
    VestaPage *span = vesta_span_allocate(HEAP_PAGES, 1, VESTA_SPAN_WISH_ZERO, &zero);
#endif
    if (span == NULL)
        return NULL;
    VestaHeap *heap = (VestaHeap *)vesta_page_address(span);
    if (!zero)
        vesta_memset(heap, 0, sizeof *heap);
    heap->tick = vesta_span_tick();
    return heap;
}

/* ---- Under the lock ---- */

static void push_abandoned(VestaHeap *heap) {
    heap->next_abandoned = abandoned;
    abandoned = heap;
    __atomic_store_n(&abandoned_count, abandoned_count + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&heap->state, VESTA_HEAP_ABANDONED, __ATOMIC_SEQ_CST);
}

static VestaHeap *pop_abandoned(void) {
    VestaHeap *heap = abandoned;
    if (heap != NULL) {
        abandoned = heap->next_abandoned;
        __atomic_store_n(&abandoned_count, abandoned_count - 1, __ATOMIC_RELAXED);
        __atomic_store_n(&heap->state, VESTA_HEAP_OWNED, __ATOMIC_SEQ_CST);
    }
    return heap;
}

/* A push that comes after the last look at the inbox sees the state and collects itself: both orders are sequentially
 * consistent, so one of the two sides sees the other. */
static void collect_locked(VestaHeap *heap) {
    while (vesta_remote_waiting(heap))
        vesta_remote_collect_all(heap);
    vesta_span_cache_empty(heap);
    if (VESTA_HARDENED)
        vesta_slab_deactivate_all(heap);
}

/* ---- */

VestaHeap *vesta_registry_adopt(void) {
    vesta_lock(&lock);
    VestaHeap *heap = pop_abandoned();
    vesta_unlock(&lock);
    if (heap != NULL || (heap = create()) == NULL)
        return heap;
    vesta_lock(&lock);
    heap->next = all;
    __atomic_store_n(&all, heap, __ATOMIC_RELEASE);
    vesta_unlock(&lock);
    return heap;
}

void vesta_registry_abandon(VestaHeap *heap) {
    /* A child forked meanwhile must leave it alone, as in every slow path. */
    heap->busy++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    vesta_remote_flush(heap);
    vesta_remote_collect(heap);
    vesta_slab_deactivate_all(heap);
    vesta_span_cache_empty(heap);
    vesta_lock(&lock);
    heap->busy--;
    push_abandoned(heap);
    collect_locked(heap);
    vesta_unlock(&lock);
}

#if !VESTA_HARDENED

void vesta_registry_steal(VestaHeap *heap, uint32_t class_index) {
    if (__atomic_load_n(&abandoned_count, __ATOMIC_RELAXED) == 0)
        return;
    vesta_lock(&lock);
    VestaHeap *other = abandoned;
    for (int i = 0; i < STEAL_TRIES && other != NULL; i++, other = other->next_abandoned) {
        VestaPage *slab = other->partial[class_index].first;
        if (slab != NULL) {
            vesta_slab_move(other, heap, slab);
            break;
        }
    }
    vesta_unlock(&lock);
}

bool vesta_registry_claim(VestaHeap *heap, VestaHeap *owner, void *blocks) {
    vesta_lock(&lock);
    bool claimed = owner->state == VESTA_HEAP_ABANDONED;
    if (claimed) {
        collect_locked(owner);
        for (void *block = blocks; block != NULL; block = *(void **)block) {
            VestaPage *page = vesta_page_of(block);
            if (vesta_page_owner(page) == owner)
                vesta_slab_move(owner, heap, vesta_slab_first(page));
        }
    }
    vesta_unlock(&lock);
    return claimed;
}

#endif

void vesta_registry_collect(VestaHeap *heap) {
    vesta_lock(&lock);
    if (heap->state == VESTA_HEAP_ABANDONED)
        collect_locked(heap);
    vesta_unlock(&lock);
}

/* Blocks that travel on from one heap may land in another: until nothing moves. */
void vesta_registry_collect_all(void) {
    vesta_lock(&lock);
    for (bool waiting = true; waiting;) {
        waiting = false;
        for (VestaHeap *heap = abandoned; heap != NULL; heap = heap->next_abandoned) {
            waiting = waiting || vesta_remote_waiting(heap);
            collect_locked(heap);
        }
    }
    vesta_unlock(&lock);
}

VestaHeap *vesta_registry_first(void) {
    return __atomic_load_n(&all, __ATOMIC_ACQUIRE);
}

void vesta_registry_lock(void) {
    vesta_lock(&lock);
#if VESTA_HARDENED
    for (VestaHeap *heap = all; heap != NULL; heap = heap->next)
        vesta_lock(&heap->hardened.lock);
#endif
}

void vesta_registry_unlock(void) {
#if VESTA_HARDENED
    for (VestaHeap *heap = all; heap != NULL; heap = heap->next)
        vesta_unlock(&heap->hardened.lock);
#endif
    vesta_unlock(&lock);
}

void vesta_registry_reset(VestaHeap *survivor) {
    vesta_lock_reset(&lock);
#if VESTA_HARDENED
    for (VestaHeap *heap = all; heap != NULL; heap = heap->next)
        vesta_lock_reset(&heap->hardened.lock);
#endif
    for (VestaHeap *heap = all; heap != NULL; heap = heap->next) {
        if (heap == survivor || heap->state != VESTA_HEAP_OWNED)
            continue;
        /* A thread that was inside a slow path left lists half changed: its heap is kept, and never touched again. */
        if (heap->busy != 0) {
            heap->state = VESTA_HEAP_LOST;
            continue;
        }
        vesta_slab_deactivate_all(heap);
        push_abandoned(heap);
    }
}
