/* Allocates what tests/report/summary.c expects to read in the summary, and nothing else. */
#include <vesta/host_alloc.h>

static int allocate_and_free(void) {
    static void *blocks[1000];
    for (int i = 0; i < 1000; i++)
        blocks[i] = vesta_host_alloc(100);
    for (int i = 0; i < 400; i++)
        vesta_host_free(blocks[i]);
    for (int i = 0; i < 250; i++)
        vesta_host_free(vesta_host_alloc(20));
    return vesta_host_alloc(3 << 20) == NULL;
}

static int resize(void) {
    static const size_t sizes[] = {100, 200, 90 << 10, 200 << 10, 10 << 20, 40 << 20, 3 << 20, 100 << 10, 50};
    void *block = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        block = vesta_host_realloc(block, sizes[i]);
        if (block == NULL)
            return 1;
    }
    vesta_host_free(block);
    return 0;
}

int main(int argc, char **argv) {
    (void)argv;
    return argc == 1 ? allocate_and_free() : resize();
}
