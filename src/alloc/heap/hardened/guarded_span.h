/* Spans of the hardened build: memory that is free is inaccessible, and behind each span lies a page that always is. */
#ifndef VESTA_HARDENED_GUARDED_SPAN_H
#define VESTA_HARDENED_GUARDED_SPAN_H

#include "../page.h"

/* A span of `pages` pages and a guard, of which the first `committed` may be touched and read as zero. NULL if there is
 * no memory. The first record's `pages` includes the guard. */
VestaPage *vesta_guarded_span_allocate(uint32_t pages, uint32_t alignment, uint32_t committed);

/* Makes more of the span's pages accessible, or fewer; false if the system refuses. */
bool vesta_guarded_span_commit(VestaPage *span, uint32_t pages);

/* Takes everything out of a span and makes it inaccessible: any use of it faults from now on. */
void vesta_guarded_span_conceal(VestaPage *span);

/* Gives a concealed span back. */
void vesta_guarded_span_free(VestaPage *span);

#endif
