/* Frees what no allocator gave out. In a static program there is no other allocator to ask. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static _Alignas(16) char in_data[64];
    free(malloc(10));
    free(IS_STATIC ? in_data + 16 : (char *)0xBADBEE0);
    puts("went on");
    return 0;
}
