/* What I8 starts: built with -fsanitize=address. */
#include "field.h"

int main(void) {
    for (size_t size = 1; size < 8 * MIB; size *= 3) {
        char *block = (char *)malloc(size);
        CHECK(block, "malloc failed");
        mark(block, size, 1);
        block = (char *)realloc(block, 2 * size);
        CHECK(block && marked(block, size, 1), "realloc lost the content");
        free(block);
    }
    char *text = strdup("text of the C library");
    CHECK(text && strlen(text) == 21, "strdup failed");
    free(text);
    return 0;
}
