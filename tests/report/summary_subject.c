/* Allocates what tests/report/summary.c expects to read in the summary, and nothing else. */
#include <vesta/host_alloc.h>

int main(void) {
    static void *blocks[1000];
    for (int i = 0; i < 1000; i++)
        blocks[i] = vesta_host_alloc(100);
    for (int i = 0; i < 400; i++)
        vesta_host_free(blocks[i]);
    for (int i = 0; i < 250; i++)
        vesta_host_free(vesta_host_alloc(20));
    return vesta_host_alloc(3 << 20) == NULL;
}
