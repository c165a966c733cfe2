/* I7: a static program that allocates in its preinit array and in its first constructor, when the C library has no
 * locale, no stdio and no sysconf yet. Linked only, with -static. */
#include "field.h"

enum { BLOCKS = 40 };

static char *blocks[3][BLOCKS];

static void allocate(int stage) {
    for (int i = 0; i < BLOCKS; i++) {
        size_t size = (size_t)1 << (i % 20);
        blocks[stage][i] = (char *)malloc(size);
        if (!blocks[stage][i]) {
            _exit(2);
        }
        mark(blocks[stage][i], size, (unsigned)i);
    }
}

static void preinit_function(void) {
    allocate(0);
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = preinit_function;

__attribute__((constructor(101))) static void first_constructor(void) {
    allocate(1);
}

int main(void) {
    expect_allocator();
    allocate(2);
    for (int stage = 0; stage < 3; stage++) {
        for (int i = 0; i < BLOCKS; i++) {
            size_t size = (size_t)1 << (i % 20);
            CHECK(blocks[stage][i], "stage %d did not run", stage);
            CHECK(marked(blocks[stage][i], size, (unsigned)i), "a block of stage %d changed", stage);
            blocks[stage][i] = (char *)realloc(blocks[stage][i], 2 * size);
            CHECK(blocks[stage][i] && marked(blocks[stage][i], size, (unsigned)i), "realloc lost the content");
            free(blocks[stage][i]);
        }
    }
    return 0;
}
