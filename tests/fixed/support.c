/* The allocators are linked with this instead of the heap, and with an os layer that asks it before each request. */
#include "support.h"

#include <vesta/host_alloc.h>

#include <stdio.h>
#include <stdlib.h>

static unsigned failing;
static size_t blocks;

bool vesta_fault_now(void);

void check_failed(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, condition);
    abort();
}

uint64_t next_random(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

void fail_request(unsigned number) {
    failing = number;
}

bool vesta_fault_now(void) {
    return failing != 0 && --failing == 0;
}

void *vesta_host_alloc(size_t size) {
    void *block = vesta_fault_now() ? NULL : malloc(size);
    blocks += block != NULL;
    return block;
}

void vesta_host_free(void *block) {
    blocks -= block != NULL;
    free(block);
}

size_t host_blocks(void) {
    return blocks;
}
