/* C cannot catch a C++ exception; the nothrow operators must. */
#ifndef VESTA_INTERPOSE_CPP_CATCH_ALL_H
#define VESTA_INTERPOSE_CPP_CATCH_ALL_H

#include "cpp_runtime.h"

#include <stddef.h>

/* try { return allocate(size, alignment, caller); } catch (...) { return NULL; } with the runtime of `caller`; NULL at
 * once if it has none. `allocate` is any operator new, or a function with these three parameters: what it does not take
 * it leaves unread. */
void *vesta_cpp_catch_all(VestaCppFunction *allocate, size_t size, size_t alignment, const void *caller);

#endif
