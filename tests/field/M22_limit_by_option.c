/* M22: with VESTA_HOST_ALLOC_LIMIT=200M a program that asks for more gets NULL and ENOMEM, lives, and stays within. */
#include "field.h"

enum { LIMIT = 200 << 20, STEP = 1 << 20 };

static size_t take_all(void **first, size_t size) {
    size_t got = 0;
    for (void **block; got < GIB; got += size, *block = *first, *first = block) {
        errno = 0;
        block = (void **)malloc(size);
        if (!block) {
            CHECK(errno == ENOMEM, "errno %d", errno);
            break;
        }
        memset(block, 1, size);
    }
    return got;
}

static void give_all(void **first) {
    for (void **block = (void **)*first, **next; block; block = next) {
        next = (void **)*block;
        free(block);
    }
    *first = NULL;
}

int main(void) {
    expect_allocator();
    const char *option = getenv("VESTA_HOST_ALLOC_LIMIT");
    CHECK(option && strcmp(option, "200M") == 0, "run with VESTA_HOST_ALLOC_LIMIT=200M");
    static const size_t sizes[] = {STEP, 1000, 100000, 30 << 20};
    for (int i = 0; i < 4; i++) {
        void *first = NULL;
        size_t got = take_all(&first, sizes[i]);
        size_t held = resident_bytes();
        NOTE("blocks of %zu bytes: %zu MiB, %zu MiB resident\n", sizes[i], got / MIB, held / MIB);
        CHECK(got <= LIMIT, "%zu MiB of blocks of %zu bytes", got / MIB, sizes[i]);
        CHECK(got > LIMIT / 4 * 3, "only %zu MiB of blocks of %zu bytes", got / MIB, sizes[i]);
        CHECK(held < LIMIT + LIMIT / 20, "%zu MiB resident", held / MIB);
        give_all(&first);
    }
    errno = 0;
    CHECK(!malloc(LIMIT + 1) && errno == ENOMEM, "a block larger than the limit");
    char *block = (char *)malloc(LIMIT / 2);
    CHECK(block && realloc(block, 2 * (size_t)LIMIT) == NULL, "realloc beyond the limit did not fail");
    block[LIMIT / 2 - 1] = 1;
    free(block);
    return 0;
}
