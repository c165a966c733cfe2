/* M8: a heap that is touched here and there, and one of which nearly all was freed, hold what is touched and live, also
 * where the kernel backs everything it can with huge pages. */
#include <malloc.h>

#include "huge_pages.h"

enum { SIZE = 256 << 20, BLOCK = 4096, BLOCKS = SIZE / BLOCK, KEPT = 512 };

static size_t touched_sparsely(void) {
    size_t before = resident_bytes();
    char *block = (char *)malloc(SIZE);
    CHECK(block, "malloc failed");
    for (size_t i = 0; i < SIZE; i += 2 * MIB) {
        block[i] = 1;
    }
    return resident_bytes() - before;
}

static size_t freed_sparsely(void) {
    static void *blocks[BLOCKS];
    memset(blocks, 0xff, sizeof blocks);
    size_t before = resident_bytes();
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        CHECK(blocks[i], "malloc failed");
        memset(blocks[i], 1, BLOCK);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        if (i % KEPT) {
            free(blocks[i]);
        }
    }
    malloc_trim(0);
    return resident_bytes() - before;
}

int main(void) {
    expect_allocator();
    static const char *const modes[] = {"madvise", "always"};
    for (int i = 0; i < 2; i++) {
        size_t touched = under_huge_pages(modes[i], touched_sparsely);
        size_t freed = under_huge_pages(modes[i], freed_sparsely);
        NOTE("%s: %zu KiB for 128 touched pages, %zu KiB for 128 live blocks\n", modes[i], touched / KIB, freed / KIB);
        CHECK(touched < 2 * MIB, "%s: %zu KiB for 128 touched pages", modes[i], touched / KIB);
        CHECK(freed < 16 * MIB, "%s: %zu KiB for 128 live blocks", modes[i], freed / KIB);
    }
    return 0;
}
