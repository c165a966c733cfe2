/* A program with no C library and no dynamic linker: nobody applies relocations. Its exit status is 0 if copies and
 * fills of many sizes were right, and 1 otherwise. */
#include <stddef.h>

#include <vesta/mem.h>

enum { SIZE_MAX_TRIED = 5000 };

static unsigned char to[SIZE_MAX_TRIED + 1], from[SIZE_MAX_TRIED];

static int check(void) {
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 13 + i / 256);
    for (size_t size = 0; size <= SIZE_MAX_TRIED; size += 1 + size / 16) {
        to[size] = 0x77;
        if (vesta_memcpy(to, from, size) != to)
            return 1;
        for (size_t i = 0; i < size; i++) {
            if (to[i] != from[i])
                return 1;
        }
        if (vesta_memset(to, 0x5a, size) != to || to[size] != 0x77)
            return 1;
        for (size_t i = 0; i < size; i++) {
            if (to[i] != 0x5a)
                return 1;
        }
    }
    return 0;
}

void start(void);
void start(void) {
    long status = check();
    __asm__ volatile("syscall" : : "a"(60L), "D"(status) : "rcx", "r11", "memory");
    __builtin_unreachable();
}

__asm__(".globl _start\n_start:\n    xor %ebp, %ebp\n    and $-16, %rsp\n    call start\n");
