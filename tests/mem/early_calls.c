/* Copies and fills as early as a program can: while the dynamic linker or, in a static program, the start-up code
 * applies relocations; before the C library is set up; before main. Exits 0 if all were right. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <vesta/mem.h>

enum { SIZES = 5 };

static bool works(void) {
    static unsigned char to[20000], from[20000];
    const size_t sizes[SIZES] = {0, 13, 64, 700, 20000};
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 11);
    for (int n = 0; n < SIZES; n++) {
        vesta_memset_noinline(to, 0x3c, sizeof to);
        vesta_memcpy_noinline(to, from, sizes[n]);
        for (size_t i = 0; i < sizeof to; i++) {
            if (to[i] != (i < sizes[n] ? from[i] : 0x3c))
                return false;
        }
    }
    return true;
}

static bool worked_in_preinit, worked_in_constructor;

static int yes(void) {
    return 1;
}

static int no(void) {
    return 0;
}

__attribute__((used)) static int (*resolve(void))(void) {
    return works() ? yes : no;
}

int worked_in_relocation(void) __attribute__((ifunc("resolve")));

static void preinit(void) {
    worked_in_preinit = works();
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit_entry)(void) = preinit;

__attribute__((constructor(101))) static void construct(void) {
    worked_in_constructor = works();
}

int main(void) {
    printf("in relocation: %d, before constructors: %d, in a constructor: %d\n", worked_in_relocation(),
           worked_in_preinit, worked_in_constructor);
    return worked_in_relocation() && worked_in_preinit && worked_in_constructor ? 0 : 1;
}
