/* A program that is linked with vesta_alloc: malloc and its family are the library's, and so is what the C library
 * allocates for the program. Nothing is to be initialised. Try it with VESTA_HOST_ALLOC_STATS=1 in the environment. */
#define _POSIX_C_SOURCE 200809L
#include <vesta/host_alloc.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    /* Worth an early check in a program that depends on it: linked without its members, the archive does nothing. */
    if (!vesta_host_alloc_active()) {
        fprintf(stderr, "malloc is not vesta_alloc: was the archive linked whole?\n");
        return EXIT_FAILURE;
    }

    int *numbers = malloc(1000 * sizeof *numbers);
    char *copy = strdup("allocated inside the C library");
    if (numbers == NULL || copy == NULL)
        return EXIT_FAILURE;
    printf("malloc:           ours? %s\n", vesta_host_owns(numbers) ? "yes" : "no");
    printf("strdup:           ours? %s\n", vesta_host_owns(copy) ? "yes" : "no");
    free(copy);
    free(numbers);

    /* The explicit interface works whether or not malloc is replaced. */
    void *block = vesta_host_alloc_aligned(100, 64);
    if (block == NULL)
        return EXIT_FAILURE;
    printf("aligned to 64:    usable bytes: %zu\n", vesta_host_usable_size(block));
    vesta_host_free_aligned(block);

    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    printf("the heap has committed %" PRIu64 " KiB\n", stats.committed_bytes / 1024);
    return EXIT_SUCCESS;
}
