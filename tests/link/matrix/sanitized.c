/* Built with a sanitizer and linked with the doors: must not run as if it were checked. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    free(malloc(10));
    puts("went on");
    return 0;
}
