/* I2: another preloaded library wraps mmap, munmap, mprotect, mremap and madvise, looks up the real ones when first
 * called and allocates meanwhile. */
#include <sys/mman.h>

#include "field.h"

int main(void) {
    expect_allocator();
    int *calls;
    *(void **)&calls = dlsym(RTLD_DEFAULT, "field_memory_calls");
    CHECK(calls, "the wrapping library is not loaded");
    void *held[64] = {0};
    uint64_t random = 1;
    for (int i = 0; i < 20000; i++) {
        uint32_t r = next_random(&random);
        void **slot = &held[r % 64];
        size_t size = r % 100 == 0 ? 20 * MIB : r % (100 * KIB);
        *slot = r % 2 ? realloc(*slot, size + 1) : (free(*slot), malloc(size));
        CHECK(*slot, "malloc failed");
        *(char *)*slot = 1;
    }
    int before = *calls;
    void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(page != MAP_FAILED && munmap(page, 4096) == 0, "mapping failed");
    CHECK(*calls >= before + 2, "calls do not go through the wrappers");
    return 0;
}
