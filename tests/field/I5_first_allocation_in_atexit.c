/* I5: the C library's table of exit handlers outgrows its first block while the library's lock on it is held, in the
 * process's first allocation or near it; an allocator that registers an exit handler while it starts waits for itself.
 * The last handler to run ends the program with success; main's own status is a failure. */
#include "field.h"

enum { HANDLERS = 100 };

static int registered, ran;

static void handler(void) {
    free(malloc(100));
    if (++ran == registered) {
        _exit(0);
    }
}

static void fill_table(void) {
    alarm(60);
    for (int i = 0; i < HANDLERS; i++) {
        registered += atexit(handler) == 0;
    }
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(void) = fill_table;

int main(void) {
    expect_allocator();
    CHECK(registered == HANDLERS, "%d of %d handlers", registered, HANDLERS);
    return 1;
}
