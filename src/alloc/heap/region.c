#include "region.h"

#include "options.h"
#include "../os/os.h"

/* Not a canonical address, nor one that a program would make up: no pointer is within 1 TiB above it. */
#define NO_REGION ((uintptr_t)0xF1 << 48)

enum {
    SLOTS = 128, /* multiples of 1 TiB in the 47 bits of a process's half of the address space */
    COMMIT_STEP_MIN = 1 << 20,
    COMMIT_STEP_MAX = 64 << 20,
    RECORD_STEP = 256 << 10, /* records of 64 MiB */
    /* Between the records and the first page in the hardened build: inaccessible. */
    GUARD_SIZE = VESTA_HARDENED ? VESTA_PAGE_SIZE : 0,
};

typedef struct Region {
    size_t size;              /* bytes reserved, 0 if the slot has no region */
    size_t reach;             /* bytes from the start: the records of all below may be read; atomic */
    size_t first_page;        /* bytes from the start to the first page: the records take that much */
    size_t frontier;          /* bytes from the start: everything below was handed out */
    size_t committed;         /* bytes from the start: everything below may be touched */
    size_t records_committed; /* bytes of the record array that may be written */
} Region;

uintptr_t vesta_region_base = NO_REGION;
#if !VESTA_OS_HAS_FREE_ZEROS
uintptr_t vesta_region_reach;
#endif

static Region regions[SLOTS]; /* by address / 1 TiB */
static uint8_t opened[SLOTS]; /* the slots that have a region, in the order of their opening */
static VestaRegionStats totals;

static size_t round_up(size_t size, size_t step) {
    return (size + step - 1) / step * step;
}

static uintptr_t region_address(const Region *region) {
    return (uintptr_t)(region - regions) << VESTA_REGION_SHIFT;
}

bool vesta_region_holds(const void *address) {
    uintptr_t slot = (uintptr_t)address >> VESTA_REGION_SHIFT;
    if (slot >= SLOTS)
        return false;
    uintptr_t offset = (uintptr_t)address & (VESTA_REGION_ALIGNMENT - 1);
    size_t reach = __atomic_load_n(&regions[slot].reach, __ATOMIC_ACQUIRE);
    return offset < reach && offset >= regions[slot].first_page;
}

/* A region must start where nothing else is. Slots from 17 to 63 TiB lie between the program and the libraries in every
 * usual layout, and above the address sanitizer's shadow; so one of them, chosen at random like every other address of
 * the process, nearly always succeeds. */
static Region *reserve_region(size_t size) {
    enum { LOW = 17, HIGH = 64 };
    uint32_t first = (uint32_t)(vesta_os_random() >> 8) % (HIGH - LOW);
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t slot = i < HIGH - LOW ? LOW + (first + i) % (HIGH - LOW) : (i < HIGH ? i - (HIGH - LOW) : i);
        if (slot == 0 || regions[slot].size != 0)
            continue;
        if (vesta_os_reserve((uintptr_t)slot << VESTA_REGION_SHIFT, size))
            return &regions[slot];
        if (i >= 4 && size > VESTA_REGION_ALIGNMENT / 16)
            break; /* it is the size that is refused, not the place */
    }
    return NULL;
}

/* Makes the records up to the reach readable by those who ask about an address. */
static void set_reach(Region *region, size_t reach) {
    __atomic_store_n(&region->reach, reach, __ATOMIC_RELEASE);
#if !VESTA_OS_HAS_FREE_ZEROS
    if (region_address(region) == vesta_region_base)
        __atomic_store_n(&vesta_region_reach, reach, __ATOMIC_RELAXED);
#endif
}

/* The fast path knows one region. Where it goes by the region's size alone, nothing else may lie in its terabyte. */
static bool is_for_fast_path(size_t size) {
    return vesta_region_base == NO_REGION && (size == VESTA_REGION_ALIGNMENT || !VESTA_OS_HAS_FREE_ZEROS);
}

static bool open_region(size_t size) {
    Region *region = reserve_region(size);
    if (region == NULL)
        return false;
    uintptr_t address = region_address(region);
    size_t records = round_up(size >> VESTA_PAGE_SHIFT << VESTA_RECORD_SHIFT, VESTA_PAGE_SIZE);
    size_t first_page = records + GUARD_SIZE;
    if (VESTA_OS_HAS_FREE_ZEROS && !vesta_os_commit_readable(address, records)) {
        vesta_os_unreserve(address, size);
        return false;
    }
    vesta_os_huge_pages(address, size, vesta_options.huge_pages);
    region->first_page = region->frontier = region->committed = first_page;
    region->records_committed = 0;
    region->size = size;
    if (VESTA_OS_HAS_FREE_ZEROS)
        set_reach(region, size);
    if (is_for_fast_path(size))
        __atomic_store_n(&vesta_region_base, address, __ATOMIC_RELAXED);
    opened[totals.regions++] = (uint8_t)(region - regions);
    totals.reserved_bytes += size;
    return true;
}

/* Opens a region that has room for `need` bytes: the largest that can be had, but where the address space is limited no
 * more than a sixteenth of the limit at once, for the program needs room for its stacks and mappings too. */
static bool open_region_for(size_t need) {
    const size_t smallest = (size_t)4 << 20;
    const int records_share = VESTA_PAGE_SHIFT - VESTA_RECORD_SHIFT;
    size_t least = smallest;
    while (least - (least >> records_share) < need + GUARD_SIZE + VESTA_PAGE_SIZE && least < VESTA_REGION_ALIGNMENT)
        least *= 2;
    if (least - (least >> records_share) < need)
        return false;
    size_t size = VESTA_REGION_ALIGNMENT;
    size_t limit = vesta_os_address_space_limit();
    while (size > smallest && size > limit / 16)
        size /= 2;
    for (size = size > least ? size : least; size >= least; size /= 4)
        if (open_region(size))
            return true;
    return open_region(least);
}

/* The last page is never given out, so that the record behind a span's last one can always be read. */
static size_t end_of(const Region *region) {
    return region->size - VESTA_PAGE_SIZE;
}

/* The record behind the last page is looked at, too. */
static bool commit_records(Region *region, size_t end) {
    size_t need = (end + VESTA_PAGE_SIZE) >> VESTA_PAGE_SHIFT << VESTA_RECORD_SHIFT;
    if (need <= region->records_committed)
        return true;
    need = round_up(need, RECORD_STEP);
    if (need > region->first_page - GUARD_SIZE)
        need = region->first_page - GUARD_SIZE;
    if (!vesta_os_commit(region_address(region) + region->records_committed, need - region->records_committed))
        return false;
    region->records_committed = need;
    if (!VESTA_OS_HAS_FREE_ZEROS)
        set_reach(region, need >> VESTA_RECORD_SHIFT << VESTA_PAGE_SHIFT);
    return true;
}

/* The hardened build makes pages accessible when a span is handed out. */
static bool commit_pages(uintptr_t address, size_t size) {
    return VESTA_HARDENED || vesta_os_commit(address, size);
}

/* Larger heaps grow in larger steps: an eighth of what there is. */
static size_t commit_step(void) {
    size_t step = COMMIT_STEP_MIN;
    while (step < COMMIT_STEP_MAX && step * 8 < totals.committed_bytes)
        step *= 2;
    return step;
}

static bool commit_to(Region *region, size_t end) {
    if (end <= region->committed)
        return commit_records(region, end);
    if (totals.committed_bytes + (end - region->committed) > vesta_options.limit || !commit_records(region, end))
        return false;
    uintptr_t address = region_address(region) + region->committed;
    size_t want = round_up(end - region->committed, commit_step());
    if (want > region->size - region->committed)
        want = region->size - region->committed;
    if (want > vesta_options.limit - totals.committed_bytes || !commit_pages(address, want)) {
        want = end - region->committed;
        if (!commit_pages(address, want))
            return false;
    }
    region->committed += want;
    totals.committed_bytes += want;
    if (totals.committed_bytes > totals.peak_committed_bytes)
        totals.peak_committed_bytes = totals.committed_bytes;
    return true;
}

static VestaPage *take_from(Region *region, uint32_t pages, uint32_t alignment,
                            void (*skipped)(VestaPage *, uint32_t)) {
    uintptr_t address = region_address(region);
    size_t start = round_up(region->frontier, (size_t)alignment << VESTA_PAGE_SHIFT);
    size_t size = (size_t)pages << VESTA_PAGE_SHIFT;
    if (start > end_of(region) || size > end_of(region) - start || !commit_to(region, start + size))
        return NULL;
    VestaPage *first = vesta_page_at(address, region->frontier);
    uint32_t gap = (uint32_t)((start - region->frontier) >> VESTA_PAGE_SHIFT);
    region->frontier = start + size;
    if (gap != 0)
        skipped(first, gap);
    first += gap;
    first->pages = pages;
    return first;
}

VestaPage *vesta_region_take(uint32_t pages, uint32_t alignment, void (*skipped)(VestaPage *first, uint32_t pages)) {
    size_t need = ((size_t)pages + alignment - 1) << VESTA_PAGE_SHIFT;
    for (bool retried = false;; retried = true) {
        bool full = true;
        for (size_t i = totals.regions; i-- > 0;) {
            Region *region = &regions[opened[i]];
            VestaPage *taken = take_from(region, pages, alignment, skipped);
            if (taken != NULL)
                return taken;
            full = full && end_of(region) - region->frontier < need;
        }
        /* Another region helps only if it is room that lacks, not memory. */
        if (!full || retried || !open_region_for(need))
            return NULL;
    }
}

bool vesta_region_take_behind(const VestaPage *end, uint32_t pages) {
    uintptr_t address = vesta_page_address(end);
    Region *region = &regions[address >> VESTA_REGION_SHIFT];
    size_t size = (size_t)pages << VESTA_PAGE_SHIFT;
    if (address != region_address(region) + region->frontier || size > end_of(region) - region->frontier ||
        !commit_to(region, region->frontier + size))
        return false;
    region->frontier += size;
    return true;
}

void vesta_region_stats(VestaRegionStats *stats) {
    *stats = totals;
}
