/* M16: a large buffer that grows step by step is not copied each time: its pages are moved, not touched anew. */
#include <sys/prctl.h>
#include <sys/resource.h>

#include "field.h"

enum { OS_PAGE = 4096, KINDS = 3 };

static size_t next_size(int kind, size_t size) {
    switch (kind) {
    case 0:
        return size + 4 * KIB;
    case 1:
        return size + size / 10 + 1;
    default:
        return size * 2;
    }
}

static long faults_so_far(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Page faults per page of the buffer: one, where nothing is copied. */
static double grow(int kind) {
    static const size_t ends[KINDS] = {128 << 20, 256 << 20, 256 << 20};
    long before = faults_so_far();
    size_t size = 1 * KIB, touched = 0;
    char *block = (char *)malloc(size);
    CHECK(block, "malloc failed");
    for (;;) {
        for (; touched < size; touched += OS_PAGE) {
            block[touched] = (char)(touched / OS_PAGE);
        }
        if (size >= ends[kind]) {
            break;
        }
        size = next_size(kind, size);
        block = (char *)realloc(block, size);
        CHECK(block, "realloc to %zu bytes failed", size);
    }
    long faults = faults_so_far() - before;
    for (size_t i = 0; i < touched; i += OS_PAGE) {
        CHECK(block[i] == (char)(i / OS_PAGE), "realloc lost the content at %zu", i);
    }
    free(block);
    return (double)faults / (double)(size / OS_PAGE);
}

int main(void) {
    expect_allocator();
    /* One fault would bring in 512 pages, and a copy would hardly show. */
    CHECK(prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) == 0, "prctl: %s", strerror(errno));
    static const char *const names[KINDS] = {"by 4 KiB", "by a tenth", "by doubling"};
    for (int kind = 0; kind < KINDS; kind++) {
        double faults = grow(kind);
        NOTE("%s: %.3f page faults per page\n", names[kind], faults);
        CHECK(faults < 1.1, "%s: %.3f page faults per page", names[kind], faults);
    }
    return 0;
}
