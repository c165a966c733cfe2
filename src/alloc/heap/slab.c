#include "slab.h"

#include "registry.h"
#include "remote.h"
#include "span.h"
#include "span_cache.h"
#include "../os/os.h"

#if !VESTA_HARDENED

enum {
    /* A full slab is looked at again when an eighth of it came back: at its first free nearly every allocation under
     * churn would come through here. */
    WAKE_SHARE = 8,
    /* Blocks are linked as far as this at once: memory that is not needed yet is not touched. */
    FRESH_BYTES = 4096,
    /* Reading the cycle counter costs as much as a short refill. */
    DECAY_EVERY = 16,
};

/* ---- State changes ---- */

static void set_bin(VestaPage *slab, VestaBin *bin) {
    for (uint32_t i = 0; i < slab->pages; i++)
        slab[i].bin = bin;
}

static void enqueue(VestaSlabQueue *queue, VestaPage *slab) {
    slab->next = NULL;
    slab->previous = queue->last;
    if (queue->last != NULL)
        queue->last->next = slab;
    else
        queue->first = slab;
    queue->last = slab;
}

static void dequeue(VestaSlabQueue *queue, VestaPage *slab) {
    if (slab->previous != NULL)
        slab->previous->next = slab->next;
    else
        queue->first = slab->next;
    if (slab->next != NULL)
        slab->next->previous = slab->previous;
    else
        queue->last = slab->previous;
}

static void become_full(VestaPage *slab) {
    slab->state = VESTA_SLAB_FULL;
    slab->own.frees_left = slab->capacity / WAKE_SHARE; /* at least 16 / 8 */
    set_bin(slab, &slab->own);
}

static void become_partial(VestaHeap *heap, VestaPage *slab, uint32_t used) {
    slab->state = VESTA_SLAB_PARTIAL;
    slab->own.frees_left = used;
    enqueue(&heap->partial[slab->slab_class], slab);
}

static void become_active(VestaHeap *heap, VestaPage *slab) {
    VestaBin *bin = &heap->bins[slab->slab_class];
    slab->state = VESTA_SLAB_ACTIVE;
    bin->list = slab->own.list;
    bin->frees_left = UINT32_MAX;
    slab->own.list = NULL;
    set_bin(slab, bin);
    heap->active[slab->slab_class] = slab;
}

static void release(VestaHeap *heap, VestaPage *slab) {
    vesta_counter_add(&heap->slabs, -1);
    for (uint32_t i = 0; i < slab->pages; i++) {
        __atomic_store_n(&slab[i].owner, NULL, __ATOMIC_RELAXED);
        slab[i].kind = VESTA_PAGE_NONE;
    }
    /* Slabs have 1 to 16 pages: each length has a slot of its own. */
    if (!vesta_span_cache_push(heap, vesta_span_cache_slot(slab->pages), slab))
        vesta_span_free(slab, false);
}

void vesta_slab_changed(VestaHeap *heap, VestaPage *page) {
    VestaPage *slab = vesta_slab_first(page);
    switch (slab->state) {
    case VESTA_SLAB_ACTIVE:
        heap->bins[slab->slab_class].frees_left = UINT32_MAX;
        break;
    case VESTA_SLAB_FULL:
        become_partial(heap, slab, slab->capacity - slab->capacity / WAKE_SHARE);
        break;
    default:
        dequeue(&heap->partial[slab->slab_class], slab);
        release(heap, slab);
    }
}

/* ---- Refilling ---- */

static VestaPage *create(VestaHeap *heap, uint32_t class_index) {
    uint32_t block_size = vesta_small_size(class_index);
    uint32_t pages = vesta_slab_pages(block_size);
    bool zero;
    VestaPage *slab = vesta_span_cache_pop(heap, vesta_span_cache_slot(pages));
    if (slab == NULL && (slab = vesta_span_allocate(pages, 1, VESTA_SPAN_WISH_BACKED, &zero)) == NULL)
        return NULL;
    for (uint32_t i = 0; i < slab->pages; i++) {
        slab[i].own = (VestaBin){.block_size = block_size};
        slab[i].distance = i;
        slab[i].kind = VESTA_PAGE_SLAB;
        slab[i].slab_class = (uint8_t)class_index;
        __atomic_store_n(&slab[i].owner, heap, __ATOMIC_RELAXED);
    }
    slab->capacity = (uint16_t)(((size_t)slab->pages << VESTA_PAGE_SHIFT) / block_size);
    slab->fresh = 0;
    vesta_counter_add(&heap->slabs, 1);
    return slab;
}

/* Links the next blocks that were never given out, in the order of their addresses. */
static void link_fresh(VestaBin *bin, VestaPage *slab) {
    uint32_t size = slab->own.block_size, count = FRESH_BYTES / size, rest = slab->capacity - slab->fresh;
    count = count == 0 ? 1 : count < rest ? count : rest;
    char *first = (char *)vesta_page_address(slab) + (size_t)slab->fresh * size;
    char *last = first + (size_t)(count - 1) * size;
    for (char *block = first; block != last; block += size)
        *(void **)block = block + size;
    *(void **)last = NULL;
    slab->fresh = (uint16_t)(slab->fresh + count);
    bin->list = first;
}

void *vesta_slab_refill(VestaHeap *heap, uint32_t class_index) {
    VestaBin *bin = &heap->bins[class_index];
    if (++heap->refills % DECAY_EVERY == 0)
        vesta_span_decay();
    vesta_span_cache_expire(heap);
    vesta_remote_flush(heap);
    vesta_remote_collect(heap);
    if (bin->list != NULL)
        return vesta_bin_pop(bin);
    VestaPage *slab = heap->active[class_index];
    if (slab != NULL && slab->fresh == slab->capacity) {
        become_full(slab);
        heap->active[class_index] = slab = NULL;
    }
    if (slab == NULL) {
        VestaSlabQueue *queue = &heap->partial[class_index];
        if (queue->first == NULL)
            vesta_registry_steal(heap, class_index);
        slab = queue->first;
        if (slab != NULL)
            dequeue(queue, slab);
        else if ((slab = create(heap, class_index)) == NULL)
            return NULL;
        become_active(heap, slab);
    }
    if (bin->list == NULL)
        link_fresh(bin, slab);
    return vesta_bin_pop(bin);
}

/* ---- Leaving ---- */

static uint32_t list_length(void *list) {
    uint32_t length = 0;
    for (; list != NULL; list = *(void **)list)
        length++;
    return length;
}

void vesta_slab_deactivate_all(VestaHeap *heap) {
    for (uint32_t i = 0; i < VESTA_SMALL_CLASSES; i++) {
        VestaPage *slab = heap->active[i];
        if (slab == NULL)
            continue;
        VestaBin *bin = &heap->bins[i];
        uint32_t used = slab->fresh - list_length(bin->list);
        slab->own.list = bin->list;
        bin->list = NULL;
        heap->active[i] = NULL;
        set_bin(slab, &slab->own);
        if (used == 0)
            release(heap, slab);
        else if (used == slab->capacity)
            become_full(slab);
        else
            become_partial(heap, slab, used);
    }
}

void vesta_slab_move(VestaHeap *from, VestaHeap *to, VestaPage *slab) {
    VESTA_ASSERT(slab->state != VESTA_SLAB_ACTIVE);
    bool queued = slab->state == VESTA_SLAB_PARTIAL;
    if (queued)
        dequeue(&from->partial[slab->slab_class], slab);
    vesta_counter_add(&from->slabs, -1);
    vesta_counter_add(&to->slabs, 1);
    for (uint32_t i = 0; i < slab->pages; i++)
        __atomic_store_n(&slab[i].owner, to, __ATOMIC_RELAXED);
    if (queued)
        enqueue(&to->partial[slab->slab_class], slab);
}

#endif
