/* The replaceable operators new and delete of C++17, in C, by their mangled names (Itanium C++ ABI, 64 bits). They are
 * defined in the same way behind every door: the language lets a program replace them. As the standard asks, four do
 * the work and the others call those through the symbol, so that a program that replaces some is served by its own;
 * they are weak so that its definition is the one that counts. Sizes and alignments given to delete are not trusted. */
#include "cpp_catch_all.h"
#include "cpp_runtime.h"
#include "entry.h"
#include "foreign.h"
#if defined(_WIN32)
#include "windows/cpp_names.h"
#endif
#include "../heap/error.h"
#include "../heap/host_alloc.h"
#include "../os/os.h"

#include <vesta/host_alloc.h>

#include <stddef.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

#define OPERATOR(type, name) VESTA_EXPORTED VESTA_WEAK type name

typedef const void *Nothrow; /* const std::nothrow_t & */

/* The loop that the standard asks for, once an allocation has failed. */
static void *make_room(size_t size, size_t alignment, const VestaCaller *caller) {
    void *block = NULL;
    while (block == NULL && vesta_cpp_run_new_handler(caller->return_address))
        block = vesta_heap_alloc_aligned(size, alignment, caller);
    return block;
}

static VESTA_COLD void *make_room_or_throw(size_t size, size_t alignment, const VestaCaller *caller) {
    void *block = make_room(size, alignment, caller);
    if (block != NULL)
        return block;
    vesta_cpp_throw_bad_alloc(caller->return_address);
    vesta_heap_error("operator new has no memory, and no C++ runtime to throw with; size", (const void *)size);
    vesta_os_abort();
}

/* Where no runtime is linked, no program replaces the operators, and only a new handler can throw. */
static void *new_or_null(VestaCppFunction *operator_new, size_t size, size_t alignment, const VestaCaller *caller) {
    if (vesta_cpp_runtime_linked())
        return vesta_cpp_catch_all(operator_new, size, alignment, caller);
    void *block = vesta_heap_alloc_aligned(size, alignment, caller);
    return block != NULL ? block : vesta_cpp_catch_all((VestaCppFunction *)make_room, size, alignment, caller);
}

/* ---- new ---- */

static VESTA_NOINLINE void *new_slow(size_t size) {
    void *block = vesta_heap_alloc_slow_for(size, VESTA_CALLER);
    if (VESTA_LIKELY(block != NULL))
        return block;
    return vesta_keep_frame(make_room_or_throw(size, VESTA_HOST_ALLOC_ALIGNMENT, VESTA_CALLER));
}

OPERATOR(void *, _Znwm)(size_t size) {
    void *block = vesta_heap_take(size);
    return VESTA_LIKELY(block != NULL) ? block : new_slow(size);
}

OPERATOR(void *, _Znam)(size_t size) {
    return _Znwm(size);
}

OPERATOR(void *, _ZnwmRKSt9nothrow_t)(size_t size, Nothrow nothrow) {
    (void)nothrow;
    return vesta_keep_frame(new_or_null((VestaCppFunction *)_Znwm, size, VESTA_HOST_ALLOC_ALIGNMENT, VESTA_CALLER));
}

OPERATOR(void *, _ZnamRKSt9nothrow_t)(size_t size, Nothrow nothrow) {
    (void)nothrow;
    return vesta_keep_frame(new_or_null((VestaCppFunction *)_Znam, size, VESTA_HOST_ALLOC_ALIGNMENT, VESTA_CALLER));
}

/* ---- new with std::align_val_t ---- */

OPERATOR(void *, _ZnwmSt11align_val_t)(size_t size, size_t alignment) {
    void *block = vesta_heap_alloc_aligned(size, alignment, VESTA_CALLER);
    if (VESTA_LIKELY(block != NULL))
        return block;
    return vesta_keep_frame(make_room_or_throw(size, alignment, VESTA_CALLER));
}

OPERATOR(void *, _ZnamSt11align_val_t)(size_t size, size_t alignment) {
    return _ZnwmSt11align_val_t(size, alignment);
}

OPERATOR(void *, _ZnwmSt11align_val_tRKSt9nothrow_t)(size_t size, size_t alignment, Nothrow nothrow) {
    (void)nothrow;
    return vesta_keep_frame(new_or_null((VestaCppFunction *)_ZnwmSt11align_val_t, size, alignment, VESTA_CALLER));
}

OPERATOR(void *, _ZnamSt11align_val_tRKSt9nothrow_t)(size_t size, size_t alignment, Nothrow nothrow) {
    (void)nothrow;
    return vesta_keep_frame(new_or_null((VestaCppFunction *)_ZnamSt11align_val_t, size, alignment, VESTA_CALLER));
}

/* ---- delete ---- */

OPERATOR(void, _ZdlPv)(void *block) {
    vesta_entry_free(block);
}

OPERATOR(void, _ZdaPv)(void *block) {
    _ZdlPv(block);
}

OPERATOR(void, _ZdlPvm)(void *block, size_t size) {
    (void)size;
    _ZdlPv(block);
}

OPERATOR(void, _ZdaPvm)(void *block, size_t size) {
    (void)size;
    _ZdaPv(block);
}

OPERATOR(void, _ZdlPvRKSt9nothrow_t)(void *block, Nothrow nothrow) {
    (void)nothrow;
    _ZdlPv(block);
}

OPERATOR(void, _ZdaPvRKSt9nothrow_t)(void *block, Nothrow nothrow) {
    (void)nothrow;
    _ZdaPv(block);
}

/* ---- delete with std::align_val_t ---- */

OPERATOR(void, _ZdlPvSt11align_val_t)(void *block, size_t alignment) {
    (void)alignment;
    vesta_entry_free(block);
}

OPERATOR(void, _ZdaPvSt11align_val_t)(void *block, size_t alignment) {
    _ZdlPvSt11align_val_t(block, alignment);
}

OPERATOR(void, _ZdlPvmSt11align_val_t)(void *block, size_t size, size_t alignment) {
    (void)size;
    _ZdlPvSt11align_val_t(block, alignment);
}

OPERATOR(void, _ZdaPvmSt11align_val_t)(void *block, size_t size, size_t alignment) {
    (void)size;
    _ZdaPvSt11align_val_t(block, alignment);
}

OPERATOR(void, _ZdlPvSt11align_val_tRKSt9nothrow_t)(void *block, size_t alignment, Nothrow nothrow) {
    (void)nothrow;
    _ZdlPvSt11align_val_t(block, alignment);
}

OPERATOR(void, _ZdaPvSt11align_val_tRKSt9nothrow_t)(void *block, size_t alignment, Nothrow nothrow) {
    (void)nothrow;
    _ZdaPvSt11align_val_t(block, alignment);
}

#endif
