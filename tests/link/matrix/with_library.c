/* Uses malloc and free alone; the library that it is linked with uses more. */
#include "check.h"
#include "heap.h"

void *library_calloc(size_t size);
void *library_aligned_alloc(size_t size);
void library_free(void *block);

int main(void) {
    void *(*const functions[])(size_t) = {library_calloc, library_aligned_alloc};
    for (int i = 0; i < 2; i++) {
        void *block = functions[i](64);
        CHECK(is_ours(block) == LIBC_IS_OURS);
        free(block);
        block = functions[i](100000);
        CHECK(is_ours(block) == LIBC_IS_OURS);
        free(block);
    }
    void *own = malloc(10);
    CHECK(is_ours(own));
#if LIBC_IS_OURS
    library_free(own);
#else
    free(own);
#endif
    return 0;
}
