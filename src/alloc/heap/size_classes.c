#include "size_classes.h"

/* The table is made by the preprocessor so that it needs no start-up and is shared between processes. */
#define BIN(granules)                                                                                                  \
    (uint16_t)(((granules) == 0 ? 0 : VESTA_CLASS_UP(granules, VESTA_SMALL_BITS) - 1) * sizeof(VestaBin))
#define BINS_4(g) BIN(g), BIN((g) + 1), BIN((g) + 2), BIN((g) + 3)
#define BINS_16(g) BINS_4(g), BINS_4((g) + 4), BINS_4((g) + 8), BINS_4((g) + 12)
#define BINS_64(g) BINS_16(g), BINS_16((g) + 16), BINS_16((g) + 32), BINS_16((g) + 48)
#define BINS_256(g) BINS_64(g), BINS_64((g) + 64), BINS_64((g) + 128), BINS_64((g) + 192)

const uint16_t vesta_small_bins[] = {BINS_256(0), BINS_256(256), BINS_256(512), BINS_256(768), BIN(1024)};
