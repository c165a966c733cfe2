/* M17: a loop that allocates, touches and frees a large block does not go to the system each time. */
#include "memory_calls.h"
#include "trace.h"

enum { PAIRS = 200 };

static int count_call(long call, int inside, unsigned long address, void *context) {
    (void)address;
    *(long *)context += inside && is_memory_call(call);
    return 0;
}

int main(int count, char **values) {
    expect_allocator();
    if (count > 1) {
        size_t size = strtoul(values[1], NULL, 10);
        free(malloc(size));
        trace_begin();
        for (int i = 0; i < PAIRS; i++) {
            char *volatile block = (char *)malloc(size);
            CHECK(block, "malloc failed");
            block[0] = block[size - 1] = 1;
            free(block);
        }
        trace_end();
        return 0;
    }
    int failed = 0;
    for (size_t size = 256 * KIB; size <= 64 * MIB; size *= 2) {
        char text[32];
        long calls = 0;
        snprintf(text, sizeof text, "%zu", size);
        trace_child(start_traced("/proc/self/exe", text, NULL), count_call, &calls);
        NOTE("%zu KiB: %.2f system calls a pair\n", size / KIB, (double)calls / PAIRS);
        failed += calls * 10 > PAIRS;
    }
    CHECK(!failed, "%d sizes go to the system too often", failed);
    return 0;
}
