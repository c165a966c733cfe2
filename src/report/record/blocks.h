/* What is known of each block: its site and the size that was asked for, out of line. Each page of the heap has a word
 * in a table beside the page records, which leads to an array with an entry for each block that begins in the page: 4
 * bytes for blocks of less than 1 KiB, 8 for larger ones. */
#ifndef VESTA_RECORD_BLOCKS_H
#define VESTA_RECORD_BLOCKS_H

#include "memory.h"

#include <stdbool.h>

enum {
    VESTA_SITE_BITS = 22,
    VESTA_SITES_MAX = 1 << VESTA_SITE_BITS,
    VESTA_BLOCK_ARRAYS = 9, /* arrays of 16, 32, ... 4096 bytes */
};

/* One thread's: arrays that pages have outgrown serve others. */
typedef struct VestaBlockArrays {
    VestaRecordPool pool;
    void *unused[VESTA_BLOCK_ARRAYS];
} VestaBlockArrays;

typedef struct VestaBlockRecord {
    uint32_t site; /* 0: nothing is known */
    uint64_t size; /* as asked for */
} VestaBlockRecord;

/* False if there is no memory for it: nothing is known of the block then. */
bool vesta_block_set(VestaBlockArrays *arrays, const void *block, uint32_t site, size_t size);

VestaBlockRecord vesta_block_get(const void *block);

#endif
