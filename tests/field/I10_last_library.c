/* A library whose destructor runs after the allocator's, if that has one. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) int field_program_ended;

static char *held;

__attribute__((constructor)) static void start(void) {
    held = (char *)malloc(5000);
    memset(held, 1, 5000);
}

__attribute__((destructor)) static void end(void) {
    held = (char *)realloc(held, 200000);
    int failed = !held || held[4999] != 1;
    free(held);
    failed |= !(held = (char *)calloc(10, 100));
    free(held);
    if (field_program_ended) {
        _exit(failed);
    }
}
