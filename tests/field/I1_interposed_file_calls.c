/* I1: another preloaded library wraps open, openat, read and getenv, and its wrappers look up the real ones and
 * allocate. The allocator's own start must not go through them, or must survive that. */
#include "field.h"

int main(void) {
    expect_allocator();
    CHECK(dlsym(RTLD_DEFAULT, "field_file_calls"), "the wrapping library is not loaded");
    for (size_t size = 1; size < 32 * MIB; size *= 3) {
        char *block = (char *)malloc(size);
        CHECK(block, "malloc failed");
        mark(block, size, 1);
        CHECK(marked(block, size, 1), "a block changed");
        free(block);
    }
    CHECK(resident_bytes() > 0, "reading a file failed");
    CHECK(getenv("PATH"), "reading the environment failed");
    int *calls;
    *(void **)&calls = dlsym(RTLD_DEFAULT, "field_file_calls");
    CHECK(*calls > 0, "no call went through the wrappers");
    return 0;
}
