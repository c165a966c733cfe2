/* Hooks the C runtimes: those that are there before the program's first instruction, and those that come later before
 * theirs. */
#include "hook.h"
#include "runtimes.h"
#include "../../os/windows/nt.h"

#include <stdbool.h>
#include "../entry.h"

#if VESTA_DOOR == VESTA_DOOR_HOOK

typedef struct Runtime {
    const wchar_t *name;
    const VestaHook *hooks;
    size_t count;
    const VestaHook *inner_hooks;
    size_t inner_count;
    void *hooked; /* the module, once it is */
} Runtime;

static Runtime runtimes[] = {
    {L"msvcrt.dll", vesta_msvcrt_hooks, VESTA_RUNTIME_HOOKS + VESTA_RUNTIME_ALIGNED_HOOKS, NULL, 0, NULL},
    {L"ucrtbase.dll", vesta_ucrtbase_hooks, VESTA_RUNTIME_HOOKS + VESTA_RUNTIME_ALIGNED_HOOKS,
     vesta_ucrtbase_inner_hooks, VESTA_RUNTIME_HOOKS, NULL},
};

static void hook_runtimes(void) {
    for (size_t i = 0; i < sizeof runtimes / sizeof *runtimes; i++) {
        Runtime *runtime = &runtimes[i];
        HMODULE module = GetModuleHandleW(runtime->name);
        if (module == NULL || module == runtime->hooked)
            continue;
        runtime->hooked = module;
        vesta_hook_module(module, runtime->hooks, runtime->count);
        if (runtime->inner_count != 0)
            vesta_hook_module(module, runtime->inner_hooks, runtime->inner_count);
    }
}

/* Called with the loader's lock held, after a DLL was mapped and before any of its code runs. */
static void NTAPI on_module(ULONG reason, const void *data, void *context) {
    (void)data;
    (void)context;
    enum { LOADED = 1 };
    if (reason == LOADED)
        hook_runtimes();
}

/* Documented, but in no header and in no import library. */
static void watch_modules(void) {
    typedef LONG NTAPI Register(ULONG flags, void(NTAPI *)(ULONG, const void *, void *), void *context, void **cookie);
    Register *watch =
        (Register *)(uintptr_t)GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "LdrRegisterDllNotification");
    void *cookie;
    if (watch != NULL)
        watch(0, on_module, NULL, &cookie);
}

/* The first code of the program that runs, after the DLLs that it is linked with were set up. */
static void NTAPI on_attach(void *module, DWORD reason, void *reserved) {
    (void)module;
    (void)reserved;
    if (reason != DLL_PROCESS_ATTACH)
        return;
    hook_runtimes();
    watch_modules();
}

__attribute__((section(".CRT$XLB"), used)) static const PIMAGE_TLS_CALLBACK attach_callback = on_attach;

#endif
