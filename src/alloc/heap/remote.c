#include "remote.h"

#include "registry.h"
#include "slab.h"

#if !VESTA_HARDENED

enum {
    /* Enough to share the cost of one contended line, little enough to be reused soon. */
    BATCH_BLOCKS = 64,
    BATCH_BYTES = 16 << 10,
};

/* Pushes a chain of blocks onto the inbox of their owner. Nobody pops single blocks, so there is no ABA. */
static void push(VestaHeap *owner, void *first, void *last) {
    void *head = __atomic_load_n(&owner->inbox, __ATOMIC_RELAXED);
    do
        *(void **)last = head;
    while (!__atomic_compare_exchange_n(&owner->inbox, &head, first, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

static bool is_abandoned(VestaHeap *heap) {
    return __atomic_load_n(&heap->state, __ATOMIC_SEQ_CST) == VESTA_HEAP_ABANDONED;
}

/* Frees a chain of blocks that were the heap's when they were pushed; returns how many. */
static int64_t free_chain(VestaHeap *heap, void *block) {
    int64_t count = 0;
    for (void *next = NULL; block != NULL; block = next, count++) {
        next = *(void **)block;
        VestaPage *page = vesta_page_of(block);
        VestaHeap *owner = vesta_page_owner(page);
        if (VESTA_LIKELY(owner == heap))
            vesta_slab_free(heap, page, block);
        else
            push(owner, block, block); /* without a look at its state: this may run under the registry's lock */
    }
    return count;
}

static void flush(VestaHeap *heap, uint32_t index) {
    VestaBatch batch = heap->batches[index];
    heap->batches[index].owner = NULL;
    heap->batches_filled &= ~(1u << index);
    if (VESTA_UNLIKELY(is_abandoned(batch.owner)) && vesta_registry_claim(heap, batch.owner, batch.first)) {
        free_chain(heap, batch.first);
        return;
    }
    push(batch.owner, batch.first, batch.last);
    if (VESTA_UNLIKELY(is_abandoned(batch.owner)))
        vesta_registry_collect(batch.owner);
}

void vesta_remote_free(VestaHeap *heap, VestaPage *page, void *block) {
    VestaHeap *owner = vesta_page_owner(page);
    uint32_t index = (uint32_t)((uintptr_t)owner >> VESTA_PAGE_SHIFT) % VESTA_BATCHES;
    VestaBatch *batch = &heap->batches[index];
    if (batch->owner != owner) {
        if (batch->owner != NULL)
            flush(heap, index);
        batch->owner = owner;
        batch->first = NULL;
        batch->last = block;
        batch->blocks = 0;
        batch->bytes = 0;
        heap->batches_filled |= 1u << index;
    }
    *(void **)block = batch->first; /* ends with NULL: a batch may be walked before it is pushed */
    batch->first = block;
    batch->blocks++;
    batch->bytes += page->own.block_size;
    if (batch->blocks >= BATCH_BLOCKS || batch->bytes >= BATCH_BYTES)
        flush(heap, index);
}

void vesta_remote_free_alone(VestaPage *page, void *block) {
    VestaHeap *owner = vesta_page_owner(page);
    push(owner, block, block);
    if (is_abandoned(owner))
        vesta_registry_collect(owner);
}

void vesta_remote_flush_all(VestaHeap *heap) {
    while (heap->batches_filled != 0)
        flush(heap, (uint32_t)__builtin_ctz(heap->batches_filled));
}

void vesta_remote_collect_all(VestaHeap *heap) {
    vesta_counter_add(&heap->remote_frees, free_chain(heap, __atomic_exchange_n(&heap->inbox, NULL, __ATOMIC_ACQUIRE)));
}

#endif
