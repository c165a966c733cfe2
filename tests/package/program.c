/* A program of somebody else's: fails if its malloc is not this allocator. */
#include <vesta/host_alloc.h>

int main(void) {
    return vesta_host_alloc_active() ? 0 : 1;
}
