/* What the tests of the allocators for fixed memory share. */
#ifndef TESTS_FIXED_SUPPORT_H
#define TESTS_FIXED_SUPPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#else
/* In models, which also run without CMocka: says what does not hold, and aborts. */
#define CHECK(condition) ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__))
_Noreturn void check_failed(const char *condition, const char *file, int line);
#endif

uint64_t next_random(uint64_t *state);

/* Makes the `number`th request for memory from now on fail, of those to the system and to the host allocator alike; 0 =
 * none. */
void fail_request(unsigned number);

/* Blocks that the host allocator has given out and not got back. */
size_t host_blocks(void);

#ifdef __cplusplus
}
#endif

#endif
