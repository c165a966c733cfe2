/* Memory primitives of our own. Placeholder declarations; see the project's mem capability. */
#ifndef VESTA_MEM_H
#define VESTA_MEM_H

#include <stddef.h>

#include "api.h"

VESTA_BEGIN_DECLS

VESTA_API void *vesta_memcpy(void *dst, const void *src, size_t size);
VESTA_API void *vesta_memset(void *dst, int byte, size_t size);

VESTA_END_DECLS

#endif
