/* Shadow models: each runs an allocator through a sequence of operations that the bytes spell, beside a simple account
 * of what must be, and aborts when they differ. Random tests and fuzzers feed them. */
#ifndef TESTS_FIXED_MODEL_H
#define TESTS_FIXED_MODEL_H

#include <stddef.h>
#include <stdint.h>

void run_offset_model(const uint8_t *bytes, size_t size);
void run_arena_model(const uint8_t *bytes, size_t size);
void run_pool_model(const uint8_t *bytes, size_t size);
void run_scratch_model(const uint8_t *bytes, size_t size);

/* What is left of the bytes; reads 0 at the end. */
typedef struct Script {
    const uint8_t *at, *end;
} Script;

static inline uint8_t read8(Script *script) {
    return script->at == script->end ? 0 : *script->at++;
}

static inline uint32_t read16(Script *script) {
    uint32_t low = read8(script);
    return low | (uint32_t)read8(script) << 8;
}

/* A size of up to 2^max_bits bytes, small ones as likely as large ones. */
static inline uint64_t read_size(Script *script, unsigned max_bits) {
    unsigned bits = read8(script) % (max_bits + 1);
    return bits < 8 ? read8(script) % ((1u << bits) + 1) : (1ull << bits) - (1ull << (bits - 8)) * (read8(script) / 2);
}

#endif
