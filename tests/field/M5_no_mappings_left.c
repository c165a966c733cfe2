/* M5: freeing every other block of a large heap does not cut it into mappings; and when the program itself has used up
 * the kernel's number of mappings, the heap still works or says ENOMEM, and recovers. */
#include <malloc.h>
#include <sys/mman.h>

#include "field.h"

enum { BLOCK = 8 << 10, BLOCKS = (int)(512 * MIB / BLOCK), MAPS = 300, SPARE = 40 };

static void *blocks[BLOCKS];

static void free_every_other(void) {
    size_t start = map_count();
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc(BLOCK);
        CHECK(blocks[i], "malloc failed");
        memset(blocks[i], 1, BLOCK);
    }
    size_t full = resident_bytes();
    for (int i = 0; i < BLOCKS; i += 2) {
        free(blocks[i]);
    }
    malloc_trim(0);
    size_t maps = map_count();
    NOTE("%zu maps at first, %zu with holes; %zu MiB resident, then %zu MiB\n", start, maps, full / MIB,
         resident_bytes() / MIB);
    CHECK(maps < MAPS, "%zu maps", maps);
    for (int i = 1; i < BLOCKS; i += 2) {
        free(blocks[i]);
    }
    malloc_trim(0);
    CHECK(resident_bytes() < full / 10, "%zu MiB stay of %zu MiB", resident_bytes() / MIB, full / MIB);
}

static void use_heap(int must_work) {
    uint64_t random = 1;
    void *held[64] = {0};
    for (int i = 0; i < 3000; i++) {
        void **slot = &held[i % 64];
        uint32_t r = next_random(&random);
        size_t size = r % 8 == 0 ? 1 + r % (40 * MIB) : 1 + r % 100000;
        errno = 0;
        void *block = r % 3 ? realloc(*slot, size) : (free(*slot), *slot = NULL, malloc(size));
        CHECK(block || (!must_work && errno == ENOMEM), "no memory, errno %d", errno);
        if (block) {
            mark(block, size < 1000 ? size : 1000, 1);
            *slot = block;
        }
    }
    for (int i = 0; i < 64; i++) {
        free(held[i]);
    }
}

int main(void) {
    expect_allocator();
    free_every_other();
    free(blocks[0] = NULL);

    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t span = page * 2 * 80000;
    char *own = (char *)mmap(NULL, span, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(own != MAP_FAILED, "mmap: %s", strerror(errno));
    size_t split = 0;
    while (split < 80000 && mprotect(own + split * 2 * page, page, PROT_NONE) == 0) {
        split++;
    }
    CHECK(split < 80000, "this kernel sets no bound on mappings");
    for (size_t i = 0; i < 2; i++) { /* with none left, then with a few */
        use_heap(0);
        malloc_trim(0);
        mprotect(own, i ? span / 1000 : SPARE * page, PROT_READ);
    }
    CHECK(munmap(own, span) == 0 || errno == ENOMEM, "munmap: %s", strerror(errno));
    use_heap(1);
    return 0;
}
