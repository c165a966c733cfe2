/* The copy and the fill of a path, written once for every vector width. The including file defines
 *
 *   VESTA_MEM_TARGET                          the attribute that makes the vectors available, or nothing
 *   VESTA_MEM_WIDTH                           bytes of a vector where their number is fixed
 *   VESTA_MEM_LOOP_WIDTH                      and in the loop, not more
 *   VESTA_MEM_COPY, VESTA_MEM_SET             the names of the two functions
 *   VESTA_MEM_SMALL_COPY, VESTA_MEM_SMALL_SET what does sizes up to VESTA_MEM_INLINE_MAX
 *
 * and may define VESTA_MEM_LARGE_COPY_MIN, VESTA_MEM_LARGE_COPY and the same for SET: from which size on something
 * better than the loop takes over, and what.
 *
 * Cheapest first: the small sizes; then a fixed number of vectors from both ends, which overlap in the middle; then a
 * loop with aligned stores, which ends with single vectors because stores are what bounds it. */
#include <stddef.h>
#include <stdint.h>

#include <vesta/mem_inline.h>

typedef uint64_t Vector __attribute__((vector_size(VESTA_MEM_WIDTH), may_alias, aligned(1)));
typedef uint64_t LoopVector __attribute__((vector_size(VESTA_MEM_LOOP_WIDTH), may_alias, aligned(1)));
typedef uint64_t AlignedLoopVector __attribute__((vector_size(VESTA_MEM_LOOP_WIDTH), may_alias));

#define WIDTH ((size_t)VESTA_MEM_WIDTH)
#define LOAD(address) (*(const Vector *)(address))
#define STORE(address, vector) (*(Vector *)(address) = (vector))
#define LOOP_WIDTH ((size_t)VESTA_MEM_LOOP_WIDTH)
#define LOOP_LOAD(address) (*(const LoopVector *)(address))
#define LOOP_STORE(address, vector) (*(LoopVector *)(address) = (vector))
#define LOOP_STORE_ALIGNED(address, vector) (*(AlignedLoopVector *)(address) = (vector))

/* How many bytes at the end of a block its last vector would store across a page border, or 0. */
static inline size_t bytes_past_page(const unsigned char *end) {
    size_t past = (uintptr_t)end % VESTA_MEM_STORE_PAGE;
    return past < LOOP_WIDTH ? past : 0;
}

VESTA_MEM_TARGET
void *VESTA_MEM_COPY(void *dst, const void *src, size_t size) {
    unsigned char *d = dst;
    const unsigned char *s = src;
    if (size <= VESTA_MEM_INLINE_MAX)
        return VESTA_MEM_SMALL_COPY(dst, src, size);
    if (size <= 2 * WIDTH) {
        Vector v0 = LOAD(s), v1 = LOAD(s + size - WIDTH);
        STORE(d, v0);
        STORE(d + size - WIDTH, v1);
        return dst;
    }
    if (size <= 4 * WIDTH) {
        Vector v0 = LOAD(s), v1 = LOAD(s + WIDTH);
        Vector v2 = LOAD(s + size - 2 * WIDTH), v3 = LOAD(s + size - WIDTH);
        STORE(d, v0);
        STORE(d + WIDTH, v1);
        STORE(d + size - 2 * WIDTH, v2);
        STORE(d + size - WIDTH, v3);
        return dst;
    }
    if (size <= 8 * WIDTH) {
        Vector v0 = LOAD(s), v1 = LOAD(s + WIDTH), v2 = LOAD(s + 2 * WIDTH), v3 = LOAD(s + 3 * WIDTH);
        Vector v4 = LOAD(s + size - 4 * WIDTH), v5 = LOAD(s + size - 3 * WIDTH);
        Vector v6 = LOAD(s + size - 2 * WIDTH), v7 = LOAD(s + size - WIDTH);
        STORE(d, v0);
        STORE(d + WIDTH, v1);
        STORE(d + 2 * WIDTH, v2);
        STORE(d + 3 * WIDTH, v3);
        STORE(d + size - 4 * WIDTH, v4);
        STORE(d + size - 3 * WIDTH, v5);
        STORE(d + size - 2 * WIDTH, v6);
        STORE(d + size - WIDTH, v7);
        return dst;
    }
#ifdef VESTA_MEM_LARGE_COPY
    if (__builtin_expect(size >= VESTA_MEM_LARGE_COPY_MIN, 0))
        return VESTA_MEM_LARGE_COPY(dst, src, size);
#endif

    const unsigned char *end = s + size;
    size_t past = bytes_past_page(d + size);
    if (__builtin_expect(past != 0, 0)) {
        end -= past;
        vesta_memcpy_inline(d + size - past, end, past);
    }
    LOOP_STORE(d, LOOP_LOAD(s));
    size_t to_aligned = LOOP_WIDTH - (uintptr_t)d % LOOP_WIDTH;
    d += to_aligned;
    s += to_aligned;
    while ((size_t)(end - s) >= 8 * LOOP_WIDTH) {
        LoopVector v0 = LOOP_LOAD(s), v1 = LOOP_LOAD(s + LOOP_WIDTH), v2 = LOOP_LOAD(s + 2 * LOOP_WIDTH),
                   v3 = LOOP_LOAD(s + 3 * LOOP_WIDTH);
        LoopVector v4 = LOOP_LOAD(s + 4 * LOOP_WIDTH), v5 = LOOP_LOAD(s + 5 * LOOP_WIDTH),
                   v6 = LOOP_LOAD(s + 6 * LOOP_WIDTH), v7 = LOOP_LOAD(s + 7 * LOOP_WIDTH);
        VESTA_MEM_OPAQUE(d);
        LOOP_STORE_ALIGNED(d, v0);
        LOOP_STORE_ALIGNED(d + LOOP_WIDTH, v1);
        LOOP_STORE_ALIGNED(d + 2 * LOOP_WIDTH, v2);
        LOOP_STORE_ALIGNED(d + 3 * LOOP_WIDTH, v3);
        LOOP_STORE_ALIGNED(d + 4 * LOOP_WIDTH, v4);
        LOOP_STORE_ALIGNED(d + 5 * LOOP_WIDTH, v5);
        LOOP_STORE_ALIGNED(d + 6 * LOOP_WIDTH, v6);
        LOOP_STORE_ALIGNED(d + 7 * LOOP_WIDTH, v7);
        d += 8 * LOOP_WIDTH;
        s += 8 * LOOP_WIDTH;
    }
    if ((size_t)(end - s) >= 4 * LOOP_WIDTH) {
        LoopVector v0 = LOOP_LOAD(s), v1 = LOOP_LOAD(s + LOOP_WIDTH);
        LoopVector v2 = LOOP_LOAD(s + 2 * LOOP_WIDTH), v3 = LOOP_LOAD(s + 3 * LOOP_WIDTH);
        LOOP_STORE_ALIGNED(d, v0);
        LOOP_STORE_ALIGNED(d + LOOP_WIDTH, v1);
        LOOP_STORE_ALIGNED(d + 2 * LOOP_WIDTH, v2);
        LOOP_STORE_ALIGNED(d + 3 * LOOP_WIDTH, v3);
        d += 4 * LOOP_WIDTH;
        s += 4 * LOOP_WIDTH;
    }
    while ((size_t)(end - s) > LOOP_WIDTH) {
        LOOP_STORE_ALIGNED(d, LOOP_LOAD(s));
        d += LOOP_WIDTH;
        s += LOOP_WIDTH;
        VESTA_MEM_OPAQUE(d);
    }
    LOOP_STORE(d + (end - s) - LOOP_WIDTH, LOOP_LOAD(end - LOOP_WIDTH));
    return dst;
}

VESTA_MEM_TARGET
void *VESTA_MEM_SET(void *dst, int byte, size_t size) {
    unsigned char *d = dst;
    if (size <= VESTA_MEM_INLINE_MAX)
        return VESTA_MEM_SMALL_SET(dst, byte, size);
    uint64_t word = (unsigned char)byte * UINT64_C(0x0101010101010101);
    Vector fill = (Vector){0} + word;
    if (size <= 2 * WIDTH) {
        STORE(d, fill);
        STORE(d + size - WIDTH, fill);
        return dst;
    }
    if (size <= 4 * WIDTH) {
        STORE(d, fill);
        STORE(d + WIDTH, fill);
        STORE(d + size - 2 * WIDTH, fill);
        STORE(d + size - WIDTH, fill);
        return dst;
    }
    if (size <= 8 * WIDTH) {
        STORE(d, fill);
        STORE(d + WIDTH, fill);
        STORE(d + 2 * WIDTH, fill);
        STORE(d + 3 * WIDTH, fill);
        STORE(d + size - 4 * WIDTH, fill);
        STORE(d + size - 3 * WIDTH, fill);
        STORE(d + size - 2 * WIDTH, fill);
        STORE(d + size - WIDTH, fill);
        return dst;
    }
#ifdef VESTA_MEM_LARGE_SET
    if (__builtin_expect(size >= VESTA_MEM_LARGE_SET_MIN, 0))
        return VESTA_MEM_LARGE_SET(dst, byte, size);
#endif

    unsigned char *end = d + size;
    size_t past = bytes_past_page(end);
    if (__builtin_expect(past != 0, 0)) {
        end -= past;
        vesta_memset_inline(end, byte, past);
    }
    LoopVector loop_fill = (LoopVector){0} + word;
    LOOP_STORE(d, loop_fill);
    d += LOOP_WIDTH - (uintptr_t)d % LOOP_WIDTH;
    while ((size_t)(end - d) >= 8 * LOOP_WIDTH) {
        LOOP_STORE_ALIGNED(d, loop_fill);
        LOOP_STORE_ALIGNED(d + LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 2 * LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 3 * LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 4 * LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 5 * LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 6 * LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 7 * LOOP_WIDTH, loop_fill);
        d += 8 * LOOP_WIDTH;
        VESTA_MEM_OPAQUE(d);
    }
    if ((size_t)(end - d) >= 4 * LOOP_WIDTH) {
        LOOP_STORE_ALIGNED(d, loop_fill);
        LOOP_STORE_ALIGNED(d + LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 2 * LOOP_WIDTH, loop_fill);
        LOOP_STORE_ALIGNED(d + 3 * LOOP_WIDTH, loop_fill);
        d += 4 * LOOP_WIDTH;
    }
    while ((size_t)(end - d) > LOOP_WIDTH) {
        LOOP_STORE_ALIGNED(d, loop_fill);
        d += LOOP_WIDTH;
        VESTA_MEM_OPAQUE(d);
    }
    LOOP_STORE(end - LOOP_WIDTH, loop_fill);
    return dst;
}
