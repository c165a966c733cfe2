#define _GNU_SOURCE
#include "check_path.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ALIGNMENTS ((size_t)64)
#define MARGIN ((size_t)128) /* how far around a block nothing may change */
#define MARK 0xA5
#define BLOCK_MAX ((size_t)4096)
#define PAGE ((size_t)4096)

Thoroughness thoroughness(void) {
    const char *value = getenv("VESTA_TEST_MEM");
    if (value != NULL && strcmp(value, "brief") == 0)
        return BRIEF;
    return value != NULL && strcmp(value, "full") == 0 ? FULL : NORMAL;
}

/* Memory between two pages that cannot be touched. `size` is a multiple of 64 KiB, which any page size divides. */
static unsigned char *guarded(size_t size) {
    const size_t guard = 65536;
    unsigned char *area = mmap(NULL, size + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (area == MAP_FAILED || mprotect(area + guard, size, PROT_READ | PROT_WRITE) != 0)
        abort();
    return area + guard;
}

static void release(unsigned char *area, size_t size) {
    munmap(area - 65536, size + 2 * 65536);
}

static uint64_t random_state = 1;

static unsigned char random_byte(void) {
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (unsigned char)(random_state >> 56);
}

static void fill_randomly(unsigned char *area, size_t size) {
    for (size_t i = 0; i < size; i++)
        area[i] = random_byte();
}

static bool wrong(const Path *path, const char *operation, const char *what, const void *dst, const void *src,
                  size_t size) {
    fprintf(stderr, "%s: %s of %zu bytes to %p from %p: %s\n", path->name, operation, size, dst, src, what);
    return false;
}

/* A block and what is around it, cut off where the area ends. */
typedef struct Window {
    unsigned char *begin, *block, *end;
} Window;

static Window mark(unsigned char *area, size_t area_size, unsigned char *block, size_t size) {
    Window window = {block, block, block + size};
    window.begin -= (size_t)(block - area) < MARGIN ? (size_t)(block - area) : MARGIN;
    size_t behind = (size_t)(area + area_size - window.end);
    window.end += behind < MARGIN ? behind : MARGIN;
    memset(window.begin, MARK, (size_t)(window.end - window.begin));
    return window;
}

static bool margins_intact(const Window *window, size_t size) {
    static unsigned char marks[MARGIN];
    memset(marks, MARK, sizeof marks);
    const unsigned char *behind = window->block + size;
    return memcmp(window->begin, marks, (size_t)(window->block - window->begin)) == 0 &&
           memcmp(behind, marks, (size_t)(window->end - behind)) == 0;
}

static bool copies(const Path *path, unsigned char *area, size_t area_size, unsigned char *dst,
                   const unsigned char *src, size_t size) {
    Window window = mark(area, area_size, dst, size);
    if (path->copy(dst, src, size) != dst)
        return wrong(path, "copy", "the result is not the destination", dst, src, size);
    if (memcmp(dst, src, size) != 0)
        return wrong(path, "copy", "the bytes are not the same", dst, src, size);
    return margins_intact(&window, size) || wrong(path, "copy", "bytes around it changed", dst, src, size);
}

static bool sets(const Path *path, unsigned char *area, size_t area_size, unsigned char *dst, size_t size) {
    /* The upper bits of the argument must not matter. */
    int argument = 0x7f00 | (int)(size * 37 % 256);
    Window window = mark(area, area_size, dst, size);
    if (path->set(dst, argument, size) != dst)
        return wrong(path, "fill", "the result is not the destination", dst, NULL, size);
    unsigned char byte = (unsigned char)argument;
    /* All bytes are equal if the first is right and each equals its successor. */
    if (size != 0 && (dst[0] != byte || memcmp(dst, dst + 1, size - 1) != 0))
        return wrong(path, "fill", "not every byte is set", dst, NULL, size);
    return margins_intact(&window, size) || wrong(path, "fill", "bytes around it changed", dst, NULL, size);
}

/* Briefly, only some of the sizes that loops do. */
static size_t next_size(size_t size, Thoroughness thoroughness) {
    return size + (thoroughness == BRIEF && size > 600 ? 37 : 1);
}

bool right_beside_guard_pages(const Path *path, Thoroughness thoroughness) {
    const size_t area_size = 65536;
    unsigned char *to = guarded(area_size), *from = guarded(area_size);
    fill_randomly(from, area_size);
    bool right = true;
    for (size_t size = 0; right && size <= BLOCK_MAX; size = next_size(size, thoroughness)) {
        unsigned char *dst[] = {to, to + area_size - size}, *src[] = {from, from + area_size - size};
        for (size_t i = 0; right && i < 4; i++)
            right = copies(path, to, area_size, dst[i / 2], src[i % 2], size);
        for (size_t i = 0; right && i < 2; i++)
            right = sets(path, to, area_size, dst[i], size);
    }
    release(to, area_size);
    release(from, area_size);
    return right;
}

/* Whether the pair of alignments is tried for this size. */
static bool tried(size_t to, size_t from, size_t size, Thoroughness thoroughness) {
    switch (thoroughness) {
    case FULL:
        return true;
    case NORMAL:
        return size <= 600 || (to * 5 + size) % ALIGNMENTS == from;
    default:
        return (to * 5 + size) % ALIGNMENTS == from && (to + size) % 16 == 0;
    }
}

bool right_at_every_alignment(const Path *path, Thoroughness thoroughness) {
    const size_t area_size = 65536;
    unsigned char *to = guarded(area_size), *from = guarded(area_size);
    fill_randomly(from, area_size);
    bool right = true;
    for (size_t size = 0; right && size <= BLOCK_MAX; size++) {
        for (size_t i = 0; right && i < ALIGNMENTS; i++) {
            unsigned char *dst = to + MARGIN + i;
            for (size_t j = 0; right && j < ALIGNMENTS; j++) {
                if (tried(i, j, size, thoroughness))
                    right = copies(path, to, area_size, dst, from + j, size);
            }
            if (thoroughness != BRIEF || (i + size) % 16 == 0)
                right = right && sets(path, to, area_size, dst, size);
        }
    }
    release(to, area_size);
    release(from, area_size);
    return right;
}

bool right_across_pages(const Path *path, Thoroughness thoroughness) {
    const size_t area_size = 65536, step = thoroughness == BRIEF ? 7 : 1;
    unsigned char *to = guarded(area_size), *from = guarded(area_size);
    fill_randomly(from, area_size);
    bool right = true;
    for (size_t size = 1; right && size <= 1200; size += step) {
        for (size_t behind = 0; right && behind <= ALIGNMENTS; behind += step) {
            unsigned char *dst = to + 2 * PAGE + behind - size;
            const unsigned char *src = from + 2 * PAGE + (behind * 5 + size) % ALIGNMENTS - size;
            right = copies(path, to, area_size, dst, src, size) && sets(path, to, area_size, dst, size);
        }
    }
    release(to, area_size);
    release(from, area_size);
    return right;
}

bool right_around(const Path *path, size_t size) {
    const size_t area_size = (size + 3 * 65536 - 1) / 65536 * 65536;
    static const size_t alignments[][2] = {{0, 0}, {0, 5}, {19, 0}, {33, 61}};
    unsigned char *to = guarded(area_size), *from = guarded(area_size);
    fill_randomly(from, 65536);
    for (size_t i = 65536; i < area_size; i += 65536)
        memcpy(from + i, from + i % 4093, 65536 - i % 4093);
    /* Every neighbour in every alignment, while that is cheap. */
    bool large = size > 262144, right = true;
    for (size_t i = 0; right && i < 4; i += large ? 3 : 1) {
        unsigned char *dst = to + MARGIN + alignments[i][0];
        const unsigned char *src = from + alignments[i][1];
        for (size_t n = size < 66 ? 0 : size - 66; right && n <= size + 66; n += large ? 66 : 1)
            right = copies(path, to, area_size, dst, src, n) && sets(path, to, area_size, dst, n);
    }
    release(to, area_size);
    release(from, area_size);
    return right;
}

bool right_in_place(const Path *path, Thoroughness thoroughness) {
    const size_t area_size = 65536, compared = BLOCK_MAX + 2 * ALIGNMENTS;
    unsigned char *area = guarded(area_size), *expected = malloc(compared);
    if (expected == NULL)
        abort();
    fill_randomly(area, compared);
    memcpy(expected, area, compared);
    bool right = true;
    for (size_t size = 0; right && size <= BLOCK_MAX; size = next_size(size, thoroughness)) {
        unsigned char *block = area + size % ALIGNMENTS;
        right = (path->copy(block, block, size) == block && memcmp(area, expected, compared) == 0) ||
                wrong(path, "copy", "in place, bytes changed", block, block, size);
    }
    free(expected);
    release(area, area_size);
    return right;
}
