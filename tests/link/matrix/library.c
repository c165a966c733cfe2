/* A library that allocates for others, and frees what others allocated. */
#include <stdlib.h>

__attribute__((visibility("default"))) void *library_calloc(size_t size) {
    return calloc(1, size);
}

__attribute__((visibility("default"))) void *library_aligned_alloc(size_t size) {
    return aligned_alloc(64, size);
}

__attribute__((visibility("default"))) void library_free(void *block) {
    free(block);
}
