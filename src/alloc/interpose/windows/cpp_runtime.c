#include "../cpp_runtime.h"

#include "../entry.h"
#include "../../os/windows/nt.h"

#if VESTA_DOOR != VESTA_DOOR_NONE

typedef VestaCppFunction *GetNewHandler(void);

/* std::__throw_bad_alloc and std::get_new_handler. */
extern VestaCppFunction _ZSt17__throw_bad_allocv VESTA_WEAK;
extern GetNewHandler _ZSt15get_new_handlerv VESTA_WEAK;

/* MinGW's compiler forgets that a function is weak if only its address is taken, except in an initializer. */
__attribute__((used)) static VestaCppFunction *linked_throw_bad_alloc = _ZSt17__throw_bad_allocv;
__attribute__((used)) static GetNewHandler *linked_get_new_handler = _ZSt15get_new_handlerv;

/* Operators of this library are called in the image that it is linked into; a runtime that is not linked there can only
 * be that of a DLL. */
VestaCppFunction *vesta_cpp_function(VestaCppFunction *linked, const char *name, const void *caller) {
    (void)caller;
    HMODULE runtime = linked == NULL ? GetModuleHandleW(L"libstdc++-6.dll") : NULL;
    return runtime != NULL ? (VestaCppFunction *)(uintptr_t)GetProcAddress(runtime, name) : linked;
}

bool vesta_cpp_runtime_linked(void) {
    return linked_throw_bad_alloc != NULL;
}

void vesta_cpp_throw_bad_alloc(const void *caller) {
    VestaCppFunction *throw_bad_alloc = vesta_cpp_function(linked_throw_bad_alloc, "_ZSt17__throw_bad_allocv", caller);
    if (throw_bad_alloc != NULL)
        throw_bad_alloc();
}

bool vesta_cpp_run_new_handler(const void *caller) {
    GetNewHandler *get_new_handler = (GetNewHandler *)vesta_cpp_function((VestaCppFunction *)linked_get_new_handler,
                                                                         "_ZSt15get_new_handlerv", caller);
    VestaCppFunction *handler = get_new_handler != NULL ? get_new_handler() : NULL;
    if (handler == NULL)
        return false;
    handler();
    return true;
}

#endif
