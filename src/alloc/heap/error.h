/* Hard errors: a caller gave what it must not. */
#ifndef VESTA_HEAP_ERROR_H
#define VESTA_HEAP_ERROR_H

/* One line on stderr, "vesta_alloc: <what>: 0x<address>", then abort; with VESTA_HOST_ALLOC_ON_ERROR=report it returns
 * and the caller ignores the call. */
void vesta_heap_error(const char *what, const void *address);

#endif
