/* I14: blocks asked for in the program's first moments are freed, resized and measured in its last ones. The final
 * destructor ends the program with success; main's own status is a failure. */
#include <malloc.h>

#include "field.h"

enum { BLOCKS = 200 };

static char *early[2][BLOCKS];

static size_t size_of(int index) {
    return (size_t)1 + (size_t)index * (size_t)index;
}

static void allocate(char **blocks) {
    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = (char *)(i % 3 ? malloc(size_of(i)) : calloc(1, size_of(i)));
        if (!blocks[i]) {
            _exit(2);
        }
        mark(blocks[i], size_of(i), (unsigned)i);
    }
}

static void before_constructors(void) {
    allocate(early[0]);
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = before_constructors;

__attribute__((constructor(101))) static void first_constructor(void) {
    allocate(early[1]);
}

__attribute__((destructor(101))) static void last_destructor(void) {
    for (int stage = 0; stage < 2; stage++) {
        for (int i = 0; i < BLOCKS; i++) {
            char *block = early[stage][i];
            CHECK(marked(block, size_of(i), (unsigned)i), "block %d of stage %d changed", i, stage);
            CHECK(malloc_usable_size(block) >= size_of(i), "block %d of stage %d shrank", i, stage);
            if (i % 2) {
                block = (char *)realloc(block, 3 * size_of(i));
                CHECK(block && marked(block, size_of(i), (unsigned)i), "realloc lost block %d", i);
            }
            free(block);
        }
    }
    _exit(0);
}

int main(void) {
    expect_allocator();
    return 1;
}
