/* Between which addresses a thread's stack lies: a walk may read there without fear. */
#ifndef VESTA_RECORD_STACK_LIMITS_H
#define VESTA_RECORD_STACK_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct VestaStackLimits {
    uintptr_t low, high; /* both 0 if they are not known */
    bool known;          /* that was looked for */
} VestaStackLimits;

/* Finds those of the calling thread, once per thread: from /proc/self/maps, without the C library, which would
 * allocate. On a stack that the thread made itself (a coroutine's, a signal handler's) they stay those of the thread.
 */
void vesta_stack_limits_find(VestaStackLimits *limits);

#endif
