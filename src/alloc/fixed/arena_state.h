/* What an arena consists of, from low to high addresses: blocks, nodes, and this. */
#ifndef VESTA_FIXED_ARENA_STATE_H
#define VESTA_FIXED_ARENA_STATE_H

#include "blocks.h"
#include "mapping.h"
#include <vesta/arena.h>

struct VestaArena {
    VestaBlocks blocks; /* first: the nodes lie below it; one unit is a granule */
    char *base;         /* of the first block */
    uint32_t max_units; /* of a block */
    VestaMapping mapping;
};

enum {
    /* Room for nodes grows by the smallest number of whole granules that whole nodes fill. */
    VESTA_ARENA_STEP_UNITS = 3,
    VESTA_ARENA_STEP_NODES = VESTA_ARENA_STEP_UNITS * VESTA_ARENA_GRANULE / sizeof(VestaBlock),
    VESTA_ARENA_STEP_LINKS = VESTA_ARENA_STEP_NODES * VESTA_BLOCK_LINKS,
};

_Static_assert(VESTA_ARENA_STEP_NODES * sizeof(VestaBlock) == VESTA_ARENA_STEP_UNITS * VESTA_ARENA_GRANULE,
               "no room between nodes and blocks");

#endif
