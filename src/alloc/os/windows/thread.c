/* The words of a thread, and its end. */
#include "../os.h"
#include "nt.h"
#include "thread_slots.h"

uintptr_t vesta_fast_slot = VESTA_TEB_ENVIRONMENT_POINTER;

static DWORD slots[VESTA_SLOT_COUNT];
static DWORD end_slot; /* of fiber local storage: the only storage with a destructor */
static void (*thread_ended)(void);

/* Once, by whichever thread comes first; the others wait. */
static void need_slots(void) {
    enum { NOT_MADE, MAKING, MADE };
    static uint32_t state;
    uint32_t expected = NOT_MADE;
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == MADE)
        return;
    if (!__atomic_compare_exchange_n(&state, &expected, MAKING, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)) {
        while (__atomic_load_n(&state, __ATOMIC_ACQUIRE) != MADE)
            __builtin_ia32_pause();
        return;
    }
    for (int i = 0; i < VESTA_SLOT_COUNT; i++)
        slots[i] = TlsAlloc();
    if (slots[VESTA_SLOT_FAST] < VESTA_TLS_SLOTS)
        __atomic_store_n(&vesta_fast_slot, VESTA_TEB_TLS_SLOTS + slots[VESTA_SLOT_FAST] * sizeof(void *),
                         __ATOMIC_RELAXED);
    __atomic_store_n(&state, MADE, __ATOMIC_RELEASE);
}

uintptr_t vesta_slot_read(VestaThreadSlot slot) {
    need_slots();
    DWORD error = GetLastError();
    uintptr_t value = (uintptr_t)TlsGetValue(slots[slot]);
    SetLastError(error);
    return value;
}

void vesta_slot_write(VestaThreadSlot slot, uintptr_t value) {
    need_slots();
    if (slot != VESTA_SLOT_FAST || vesta_fast_slot != VESTA_TEB_ENVIRONMENT_POINTER)
        TlsSetValue(slots[slot], (void *)value);
}

/* A fiber that is deleted is no thread that ends: not if another thread deletes it. */
static void WINAPI run_thread_ended(void *thread) {
    if ((uintptr_t)thread == GetCurrentThreadId())
        thread_ended();
}

/* Called at the end of every thread that has a value: the code must stay. */
static void stay_loaded(void) {
    HMODULE module;
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       (LPCWSTR)(uintptr_t)run_thread_ended, &module);
}

void vesta_os_watch_threads(void (*ended)(void)) {
    thread_ended = ended;
    stay_loaded();
    end_slot = FlsAlloc(run_thread_ended);
}

void vesta_os_watch_thread(void) {
    FlsSetValue(end_slot, (void *)(uintptr_t)GetCurrentThreadId());
}

/* There is none. */
void vesta_os_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    (void)prepare;
    (void)parent;
    (void)child;
}
