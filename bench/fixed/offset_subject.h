/* An offset allocator that runs the workloads. */
#ifndef BENCH_OFFSET_SUBJECT_H
#define BENCH_OFFSET_SUBJECT_H

#include "offset_workloads.h"

#include <stdbool.h>

enum { OFFSET_SLOTS = 1 << 17 };

typedef struct OffsetSubject {
    const char *name;
    void (*create)(uint64_t capacity);
    void (*destroy)(void);
    void (*reset)(void);
    /* Runs a list of operations, and returns how many allocations failed. */
    uint32_t (*run)(const Operation *from, const Operation *to, uint32_t alignment);
    bool (*allocate)(uint32_t size, uint32_t slot);
    void (*free)(uint32_t slot);
} OffsetSubject;

extern const OffsetSubject ours, original;

/* The list in runs of the same operation, each in a loop of its own: ALLOCATE, ALLOCATE_ALIGNED and FREE are the
 * subject's, macros so that nothing comes between. */
#define OFFSET_RUN                                                                                                     \
    MEASURED static uint32_t counted_allocate(const Operation *o, const Operation *end) {                              \
        uint32_t failures = 0;                                                                                         \
        for (; o != end; o++)                                                                                          \
            failures += !ALLOCATE(o->size, o->slot);                                                                   \
        return failures;                                                                                               \
    }                                                                                                                  \
    MEASURED static uint32_t counted_allocate_aligned(const Operation *o, const Operation *end, uint32_t alignment) {  \
        uint32_t failures = 0;                                                                                         \
        for (; o != end; o++)                                                                                          \
            failures += !ALLOCATE_ALIGNED(o->size, alignment, o->slot);                                                \
        return failures;                                                                                               \
    }                                                                                                                  \
    MEASURED static void counted_free(const Operation *o, const Operation *end) {                                      \
        for (; o != end; o++)                                                                                          \
            FREE(o->slot);                                                                                             \
    }                                                                                                                  \
    static uint32_t run(const Operation *from, const Operation *to, uint32_t alignment) {                              \
        uint32_t failures = 0;                                                                                         \
        while (from != to) {                                                                                           \
            const Operation *end = from;                                                                               \
            while (end != to && (end->size == 0) == (from->size == 0))                                                 \
                end++;                                                                                                 \
            if (from->size == 0)                                                                                       \
                counted_free(from, end);                                                                               \
            else                                                                                                       \
                failures +=                                                                                            \
                    alignment == 1 ? counted_allocate(from, end) : counted_allocate_aligned(from, end, alignment);     \
            from = end;                                                                                                \
        }                                                                                                              \
        return failures;                                                                                               \
    }                                                                                                                  \
    static bool allocate(uint32_t size, uint32_t slot) {                                                               \
        return ALLOCATE(size, slot);                                                                                   \
    }                                                                                                                  \
    static void free_slot(uint32_t slot) {                                                                             \
        FREE(slot);                                                                                                    \
    }

#endif
