/* What is measured: each subject brings its own loops, so that the copy and the fill are called as a program would call
 * them. */
#ifndef VESTA_BENCH_MEM_SUBJECT_H
#define VESTA_BENCH_MEM_SUBJECT_H

#include <stddef.h>

typedef struct Block {
    unsigned char *dst;
    const unsigned char *src;
    size_t size;
} Block;

typedef struct Loops {
    void (*repeat)(Block block, size_t times);
    void (*sequence)(const Block *blocks, size_t count);
} Loops;

typedef enum Operation { COPY, FILL, OPERATIONS } Operation;

typedef struct Subject {
    const char *name;
    Loops loops[OPERATIONS];
} Subject;

/* The compiler must neither know the size nor keep it from one call to the next. */
#define BENCH_UNKNOWN(size) __asm__ volatile("" : "+r"(size) : : "memory")

#define BENCH_LOOPS(name, CALL)                                                                                        \
    static void name##_repeat(Block block, size_t times) {                                                             \
        for (size_t i = 0; i < times; i++) {                                                                           \
            BENCH_UNKNOWN(block.size);                                                                                 \
            CALL(block);                                                                                               \
        }                                                                                                              \
    }                                                                                                                  \
    static void name##_sequence(const Block *blocks, size_t count) {                                                   \
        for (size_t i = 0; i < count; i++) {                                                                           \
            Block block = blocks[i];                                                                                   \
            BENCH_UNKNOWN(block.size);                                                                                 \
            CALL(block);                                                                                               \
        }                                                                                                              \
    }

/* Defines the subject `name` from two functions or macros. */
#define BENCH_SUBJECT(name, label, copy, set)                                                                          \
    static inline void name##_copy_block(Block block) {                                                                \
        copy(block.dst, block.src, block.size);                                                                        \
    }                                                                                                                  \
    static inline void name##_set_block(Block block) {                                                                 \
        set(block.dst, 0, block.size);                                                                                 \
    }                                                                                                                  \
    BENCH_LOOPS(name##_copy, name##_copy_block)                                                                        \
    BENCH_LOOPS(name##_set, name##_set_block)                                                                          \
    const Subject name = {label,                                                                                       \
                          {{name##_copy_repeat, name##_copy_sequence}, {name##_set_repeat, name##_set_sequence}}};

extern const Subject libc, libc_again; /* the C library's, through the pointers that its ifuncs resolve to */
extern const Subject call;             /* vesta_memcpy and vesta_memset, the size not known to the compiler */
extern const Subject in_place;         /* the inline forms */

#define MAX_PATHS 8

/* The single paths of this architecture that this CPU can run. */
size_t path_subjects(const Subject *subjects[MAX_PATHS]);

/* Returns 0, or says that there is no such C library function and returns -1. */
int find_libc(void);

#endif
