#include "blocks.h"

#include "../../alloc/heap/large.h"
#include "../../alloc/os/os.h"

enum {
    SLOTS = 128, /* regions, as the heap counts them */
    STEP = 256 << 10,
    GRANULES = VESTA_PAGE_SIZE / VESTA_GRANULE,
    WIDE = 1024 / VESTA_GRANULE, /* granules of a block from which on an entry has 8 bytes */
};

/* A word of the table. Bits 0 to 3: the array's size, 16 bytes shifted by it; 4 to 47: its address; 48 to 63: 65536
 * divided by the granules of a block, rounded up, less one. A block's index is its granule in the page times that
 * number, shifted: blocks of one page are at least a block apart, so that their indices differ. */
typedef uint64_t Word;

typedef struct Table {
    Word *words;      /* by page of the region; atomic, like the next */
    size_t committed; /* bytes */
} Table;

static Table tables[SLOTS];

/* ---- The table ---- */

/* Address space for a region of full size; where that much cannot be had, for less of it. */
static Word *reserve_words(void) {
    size_t size = (VESTA_REGION_ALIGNMENT >> VESTA_PAGE_SHIFT) * sizeof(Word);
    size_t limit = vesta_os_address_space_limit();
    while (size > limit / 64 && size > STEP)
        size /= 2;
    uintptr_t address = 0;
    for (; size >= STEP && (address = vesta_os_reserve_anywhere(size)) == 0;)
        size /= 2;
    return (Word *)address;
}

/* Makes the table's first `end` bytes usable. What two threads do at once here does no harm done twice. */
static VESTA_COLD bool extend(Table *table, size_t end) {
    Word *words = __atomic_load_n(&table->words, __ATOMIC_ACQUIRE);
    if (words == NULL && (words = reserve_words()) != NULL) {
        Word *none = NULL;
        if (!__atomic_compare_exchange_n(&table->words, &none, words, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            words = none; /* the address space of the slower one is lost: its size is not known here */
    }
    if (words == NULL)
        return false;
    size_t committed = __atomic_load_n(&table->committed, __ATOMIC_ACQUIRE);
    size_t wanted = (end + STEP - 1) / STEP * STEP;
    if (wanted > committed && !vesta_os_commit((uintptr_t)words + committed, wanted - committed))
        return false;
    while (wanted > committed && !__atomic_compare_exchange_n(&table->committed, &committed, wanted, false,
                                                              __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    }
    return true;
}

static inline size_t page_of(const void *block) {
    return ((uintptr_t)block & (VESTA_REGION_ALIGNMENT - 1)) >> VESTA_PAGE_SHIFT;
}

static inline Word *word_of(const void *block) {
    Table *table = &tables[(uintptr_t)block >> VESTA_REGION_SHIFT];
    size_t end = (page_of(block) + 1) * sizeof(Word);
    if (VESTA_UNLIKELY(end > __atomic_load_n(&table->committed, __ATOMIC_ACQUIRE)))
        return NULL;
    return __atomic_load_n(&table->words, __ATOMIC_RELAXED) + page_of(block);
}

/* ---- The arrays ---- */

static inline void *array_of(Word word) {
    return (void *)(uintptr_t)(word & ((UINT64_C(1) << 48) - 16));
}

static inline size_t index_in(Word word, const void *block) {
    size_t granule = ((uintptr_t)block & (VESTA_PAGE_SIZE - 1)) / VESTA_GRANULE;
    return granule * ((word >> 48) + 1) >> 16;
}

static inline uint32_t reciprocal(size_t granules) {
    return (uint32_t)((65536 + granules - 1) / granules);
}

/* Whether the word's number is that of blocks of so many granules, without dividing. */
static inline bool is_for(Word word, size_t granules) {
    return granules * ((word >> 48) + 1) - 65536 < granules;
}

static inline bool is_wide(Word word) {
    return (word >> 48) + 1 <= 65536 / WIDE;
}

/* The page's blocks have another size than before, or it had none. */
static VESTA_COLD bool renew(VestaBlockArrays *arrays, Word *word, size_t granules) {
    size_t entries = (GRANULES - 1) * (size_t)reciprocal(granules) / 65536 + 1;
    size_t bytes = entries * (granules >= WIDE ? 8 : 4);
    uint32_t size = 0;
    while ((size_t)16 << size < bytes)
        size++;
    Word old = *word;
    void *array = array_of(old);
    if (array == NULL)
        vesta_record_count_memory(sizeof(Word));
    uint32_t old_size = (uint32_t)(old & 15);
    if (array == NULL || old_size < size) {
        if (array != NULL) {
            *(void **)array = arrays->unused[old_size];
            arrays->unused[old_size] = array;
        }
        array = arrays->unused[size];
        if (array != NULL)
            arrays->unused[size] = *(void **)array;
        else if ((array = vesta_record_take(&arrays->pool, (size_t)16 << size)) == NULL)
            return __atomic_store_n(word, 0, __ATOMIC_RELAXED), false;
    } else {
        size = old_size;
    }
    Word made = size | (uintptr_t)array | (Word)(reciprocal(granules) - 1) << 48;
    __atomic_store_n(word, made, __ATOMIC_RELEASE);
    return true;
}

bool vesta_block_set(VestaBlockArrays *arrays, const void *block, uint32_t site, size_t size) {
    Word *word = word_of(block);
    if (VESTA_UNLIKELY(word == NULL)) {
        size_t end = (page_of(block) + 1) * sizeof(Word);
        if (!extend(&tables[(uintptr_t)block >> VESTA_REGION_SHIFT], end))
            return false;
        word = word_of(block);
    }
    const VestaPage *page = vesta_page_of(block);
    bool is_slab = page->kind == VESTA_PAGE_SLAB;
    size_t usable = is_slab ? page->own.block_size : vesta_large_size(page);
    size_t granules = is_slab ? usable / VESTA_GRANULE : GRANULES;
    if (VESTA_UNLIKELY(array_of(*word) == NULL || !is_for(*word, granules)) && !renew(arrays, word, granules))
        return false;
    if (is_wide(*word))
        ((uint64_t *)array_of(*word))[index_in(*word, block)] = site | (uint64_t)(usable - size) << VESTA_SITE_BITS;
    else
        ((uint32_t *)array_of(*word))[index_in(*word, block)] = site | (uint32_t)(usable - size) << VESTA_SITE_BITS;
    return true;
}

VestaBlockRecord vesta_block_get(const void *block) {
    const Word *place = word_of(block);
    Word word = place != NULL ? __atomic_load_n(place, __ATOMIC_ACQUIRE) : 0;
    if (VESTA_UNLIKELY(array_of(word) == NULL))
        return (VestaBlockRecord){0, 0};
    uint64_t entry = is_wide(word) ? ((const uint64_t *)array_of(word))[index_in(word, block)]
                                   : ((const uint32_t *)array_of(word))[index_in(word, block)];
    const VestaPage *page = vesta_page_of(block);
    size_t usable = page->kind == VESTA_PAGE_SLAB ? page->own.block_size : vesta_large_size(page);
    return (VestaBlockRecord){(uint32_t)entry & (VESTA_SITES_MAX - 1), usable - (entry >> VESTA_SITE_BITS)};
}
