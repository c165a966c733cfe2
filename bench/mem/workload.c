#include "workload.h"

#include <math.h>
#include <stdint.h>

#include "measure.h"

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)
#define LENGTH(array) (sizeof(array) / sizeof *(array))

const char *const placement_names[PLACEMENTS] = {"aligned", "malloced", "unaligned"};
const char *const distribution_names[DISTRIBUTIONS] = {"programs", "to 64 B", "to 4 KiB", "to 1 MiB", "to 64 MiB"};

const size_t fixed_sizes[] = {
    0,       1,       2,        3,        4,        5,        6,        7,       8,       9,       10,      11,
    12,      13,      14,       15,       16,       17,       18,       20,      22,      24,      26,      28,
    30,      31,      32,       33,       36,       40,       44,       47,      48,      49,      56,      60,
    63,      64,      65,       72,       80,       96,       112,      127,     128,     129,     144,     160,
    192,     224,     255,      256,      257,      288,      320,      384,     448,     511,     512,     513,
    600,     700,     800,      900,      1000,     1023,     1024,     1025,    1200,    1536,    1800,    2047,
    2048,    2049,    2111,     2112,     2560,     3000,     3072,     4000,    4095,    4096,    4097,    5000,
    6144,    8191,    8192,     8193,     10000,    12288,    16384,    20000,   24576,   32768,   49152,   65536,
    98304,   131072,  196608,   262144,   393216,   524288,   786432,   1048576, 1572864, 2 * MIB, 3 * MIB, 4 * MIB,
    6 * MIB, 8 * MIB, 12 * MIB, 16 * MIB, 24 * MIB, 32 * MIB, 48 * MIB, 64 * MIB};
const size_t fixed_size_count = LENGTH(fixed_sizes);

Block fixed_block(size_t size, Placement placement) {
    static const size_t offsets[PLACEMENTS][2] = {{0, 0}, {16, 32}, {5, 19}};
    return (Block){destination_area() + offsets[placement][0], source_area() + offsets[placement][1], size};
}

/* ---- Sizes at random ---- */

static uint64_t random_state;

static uint64_t random_below(uint64_t bound) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state % bound;
}

typedef struct Share {
    size_t min, max;
    unsigned permille;
} Share;

/* Every call of memcpy and memset counted in a C compiler, git log, Perl, Python and SQLite on their usual work, each
 * program with the same weight. */
static const Share copies_of_programs[] = {
    {0, 0, 8},    {1, 1, 241}, {2, 2, 43},   {3, 3, 67},   {4, 4, 130},    {5, 5, 30},    {6, 6, 16},    {7, 7, 17},
    {8, 8, 98},   {9, 11, 17}, {12, 15, 60}, {16, 16, 10}, {17, 23, 97},   {24, 31, 60},  {32, 32, 9},   {33, 47, 37},
    {48, 63, 17}, {64, 64, 1}, {65, 95, 19}, {96, 127, 7}, {128, 191, 11}, {192, 511, 3}, {512, 4095, 2}};
static const Share fills_of_programs[] = {
    {0, 0, 106},    {1, 1, 27},      {2, 2, 20},       {3, 3, 12},       {4, 4, 32},     {5, 5, 15},
    {6, 6, 14},     {7, 7, 36},      {8, 8, 126},      {9, 11, 15},      {12, 15, 12},   {16, 16, 92},
    {17, 23, 38},   {24, 31, 40},    {32, 32, 69},     {33, 47, 76},     {48, 63, 39},   {64, 64, 18},
    {65, 95, 60},   {96, 127, 18},   {128, 191, 58},   {192, 255, 31},   {256, 383, 14}, {384, 511, 2},
    {512, 1023, 5}, {1024, 4095, 9}, {4096, 16383, 8}, {16384, 65535, 9}};

static size_t from_shares(const Share *shares, size_t count) {
    unsigned total = 0;
    for (size_t i = 0; i < count; i++)
        total += shares[i].permille;
    uint64_t at = random_below(total);
    const Share *share = shares;
    for (; at >= share->permille; share++)
        at -= share->permille;
    return share->min + random_below(share->max - share->min + 1);
}

static size_t log_uniform(size_t max) {
    double exponent = (double)random_below(1u << 30) / (1u << 30) * log2((double)max + 1);
    return (size_t)exp2(exponent);
}

static size_t random_size(Operation operation, Distribution distribution) {
    static const size_t max[DISTRIBUTIONS] = {0, 64, 4 * KIB, MIB, 64 * MIB};
    if (distribution != AS_PROGRAMS_DO)
        return log_uniform(max[distribution]);
    return operation == COPY ? from_shares(copies_of_programs, LENGTH(copies_of_programs))
                             : from_shares(fills_of_programs, LENGTH(fills_of_programs));
}

static size_t random_offset(size_t size, Placement placement, size_t span) {
    static const size_t multiple[PLACEMENTS] = {64, 16, 1};
    size_t room = size < span ? span - size : 0;
    if (room < 4096)
        room = 4096;
    if (room > AREA_SIZE - size)
        room = AREA_SIZE - size;
    return random_below(room) / multiple[placement] * multiple[placement];
}

size_t random_blocks(Block *blocks, size_t capacity, Operation operation, Distribution distribution,
                     Placement placement, size_t span) {
    const size_t bytes_max = 256 * MIB;
    random_state = 88172645463325252u;
    size_t bytes = 0, count = 0;
    while (count < capacity && bytes < bytes_max) {
        size_t size = random_size(operation, distribution);
        blocks[count++] = (Block){destination_area() + random_offset(size, placement, span),
                                  source_area() + random_offset(size, placement, span), size};
        bytes += size;
    }
    return count;
}

size_t spread_blocks(Block *blocks, size_t capacity, size_t size, Placement placement) {
    const size_t bytes_max = 8 * MIB;
    random_state = 88172645463325252u;
    size_t count = 0;
    for (size_t bytes = 0; count < capacity && (count == 0 || bytes + size <= bytes_max); bytes += size)
        blocks[count++] = (Block){destination_area() + random_offset(size, placement, AREA_SIZE),
                                  source_area() + random_offset(size, placement, AREA_SIZE), size};
    return count;
}
