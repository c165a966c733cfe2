/* Which heap a block is from, for programs that link the library and for those that it is preloaded into. */
#ifndef VESTA_LINK_HEAP_H
#define VESTA_LINK_HEAP_H

#include <vesta/host_alloc.h>

#ifdef PRELOADED
#include <dlfcn.h>
#define HOST(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_DEFAULT, #name))
#else
#define HOST(name) (&name)
#endif

static inline int is_ours(const void *block) {
    return HOST(vesta_host_owns)(block);
}

#endif
