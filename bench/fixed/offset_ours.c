#include "measure.h"
#include "offset_subject.h"

#include <vesta/offset.h>

#include <stdlib.h>

static VestaOffsetAllocator *allocator;
static VestaOffsetAllocation slots[OFFSET_SLOTS];

#define ALLOCATE(size, slot) (vesta_offset_alloc(allocator, size, &slots[slot]) == VESTA_OK)
#define ALLOCATE_ALIGNED(size, alignment, slot)                                                                        \
    (vesta_offset_alloc_aligned(allocator, size, alignment, &slots[slot]) == VESTA_OK)
#define FREE(slot) ((void)vesta_offset_free(allocator, slots[slot]))

OFFSET_RUN

static void create(uint64_t capacity) {
    allocator = vesta_offset_create(capacity, OFFSET_SLOTS, NULL);
    if (allocator == NULL)
        abort();
}

static void destroy(void) {
    vesta_offset_destroy(allocator);
}

static void reset(void) {
    vesta_offset_reset(allocator);
}

const OffsetSubject ours = {"ours", create, destroy, reset, run, allocate, free_slot};
