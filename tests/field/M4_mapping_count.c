/* M4: a long mixed workload with purges does not split the heap's mappings more and more. */
#include <malloc.h>

#include "field.h"

enum { LIVE = 3000, ROUNDS = 60, PER_ROUND = 8000, FIRST = 10, MAPS = 300 };

static void *live[LIVE];

static size_t any_size(uint64_t *random) {
    uint32_t r = next_random(random);
    switch (r % 32) {
    case 0:
        return 256 * KIB + next_random(random) % (4 * MIB);
    case 1:
    case 2:
        return 16 * KIB + next_random(random) % (200 * KIB);
    default:
        return 1 + next_random(random) % 4000;
    }
}

int main(void) {
    expect_allocator();
    uint64_t random = 1;
    size_t first = 0, last = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PER_ROUND; i++) {
            void **slot = &live[next_random(&random) % LIVE];
            free(*slot);
            size_t size = any_size(&random);
            *slot = malloc(size);
            CHECK(*slot, "malloc failed");
            memset(*slot, 1, size < 4096 ? size : 4096);
        }
        malloc_trim(0);
        size_t maps = map_count();
        size_t *most = round < FIRST ? &first : &last;
        *most = maps > *most ? maps : *most;
    }
    NOTE("%zu maps early, %zu later\n", first, last);
    CHECK(last <= first + 20 && last < MAPS, "%zu maps early, %zu later", first, last);
    return 0;
}
