#define _GNU_SOURCE /* dladdr, RTLD_NOLOAD */
#include "cpp_runtime.h"
#include "entry.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

typedef VestaCppFunction *GetNewHandler(void);

/* std::__throw_bad_alloc and std::get_new_handler, in libstdc++ and libc++ alike. */
extern VestaCppFunction _ZSt17__throw_bad_allocv VESTA_WEAK;
extern GetNewHandler _ZSt15get_new_handlerv VESTA_WEAK;

/* Weak: static programs need no dynamic linker. dlopen and dlclose are asked of dlsym because the mere mention of
 * dlopen makes a linker warn about static programs. */
#pragma weak dladdr
#pragma weak dlsym

typedef void *Open(const char *path, int mode);
typedef int Close(void *library);

/* What dlsym returns for a function is one by POSIX; in ISO C the way there is through an integer. */
static VestaCppFunction *function_in(void *library, const char *name) {
    return (VestaCppFunction *)(uintptr_t)dlsym(library, name);
}

/* The result is not kept: the library may be unloaded, and its runtime with it. */
VestaCppFunction *vesta_cpp_function(VestaCppFunction *linked, const char *name, const void *caller) {
    if (linked != NULL || dlsym == NULL || dladdr == NULL)
        return linked;
    Open *open = (Open *)function_in(RTLD_DEFAULT, "dlopen");
    Close *close = (Close *)function_in(RTLD_DEFAULT, "dlclose");
    Dl_info info;
    if (open == NULL || close == NULL || dladdr(caller, &info) == 0)
        return NULL;
    void *library = open(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL)
        return NULL;
    VestaCppFunction *function = function_in(library, name);
    close(library);
    return function;
}

bool vesta_cpp_runtime_linked(void) {
    return _ZSt17__throw_bad_allocv != NULL;
}

void vesta_cpp_throw_bad_alloc(const void *caller) {
    VestaCppFunction *throw_bad_alloc =
        vesta_cpp_function(_ZSt17__throw_bad_allocv, "_ZSt17__throw_bad_allocv", caller);
    if (throw_bad_alloc != NULL)
        throw_bad_alloc();
}

bool vesta_cpp_run_new_handler(const void *caller) {
    GetNewHandler *get_new_handler = (GetNewHandler *)vesta_cpp_function((VestaCppFunction *)_ZSt15get_new_handlerv,
                                                                         "_ZSt15get_new_handlerv", caller);
    VestaCppFunction *handler = get_new_handler != NULL ? get_new_handler() : NULL;
    if (handler == NULL)
        return false;
    handler();
    return true;
}

#endif
