/* I11: the dynamic linker has an audit library, which lives in a second namespace with a C library of its own, and
 * early calls go through it. Run with LD_AUDIT. */
#include "field.h"

static void find_audit(const char *line, void *context) {
    *(int *)context |= strstr(line, "I11_audit") != NULL && strstr(line, ".so") != NULL;
}

int main(int count, char **values) {
    expect_allocator();
    (void)values;
    int audited = 0;
    each_line("/proc/self/maps", find_audit, &audited);
    CHECK(audited, "the audit library is not loaded");
    for (size_t size = 1; size < 8 * MIB; size *= 3) {
        char *block = (char *)malloc(size);
        CHECK(block, "malloc failed");
        mark(block, size, 1);
        free(block);
    }
    if (count == 1) {
        expect_success(start_self("again", NULL), "the program started by the audited one");
    }
    return 0;
}
