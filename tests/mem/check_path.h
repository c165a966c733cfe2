/* What every copy and fill must do, checked for one pair of them. Free of a test framework, so that it also runs where
 * there is none: in programs for other architectures. */
#ifndef VESTA_TESTS_MEM_CHECK_PATH_H
#define VESTA_TESTS_MEM_CHECK_PATH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct Path {
    const char *name;
    void *(*copy)(void *dst, const void *src, size_t size);
    void *(*set)(void *dst, int byte, size_t size);
} Path;

typedef enum Thoroughness {
    BRIEF,  /* for interpreters such as valgrind and qemu */
    NORMAL, /* every alignment pair up to some sizes of the first loop, some pairs of each size above */
    FULL    /* every alignment pair of every size */
} Thoroughness;

/* From the environment variable VESTA_TEST_MEM: brief, full, or anything else. */
Thoroughness thoroughness(void);

/* Each returns whether the path is right, and says on stderr what is wrong otherwise. */

/* Sizes 0 to 4,096 that begin or end at a page that must not be touched, source and destination independently. */
bool right_beside_guard_pages(const Path *path, Thoroughness thoroughness);

/* Sizes 0 to 4,096, every pair of source and destination alignments modulo 64 with bytes around that must stay. */
bool right_at_every_alignment(const Path *path, Thoroughness thoroughness);

/* Blocks that end a little behind the border of a page. */
bool right_across_pages(const Path *path, Thoroughness thoroughness);

/* Some sizes a little below and above `size`, which may be large. */
bool right_around(const Path *path, size_t size);

/* A destination that is the source. */
bool right_in_place(const Path *path, Thoroughness thoroughness);

#endif
