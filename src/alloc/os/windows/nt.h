/* Windows as the os layer sees it: kernel32 and ntdll, and the blocks that the system keeps per thread (TEB) and per
 * process (PEB). Their layout on x64 is fixed by the programs that rely on it; offsets from Microsoft's public symbols,
 * written out where winternl.h hides the fields. Windows 8.1 and up. */
#ifndef VESTA_OS_WINDOWS_NT_H
#define VESTA_OS_WINDOWS_NT_H

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <stdint.h>

enum {
    VESTA_TEB_ENVIRONMENT_POINTER = 0x38, /* of a subsystem that is no more: zero in every thread */
    VESTA_TEB_PEB = 0x60,
    VESTA_TEB_TLS_SLOTS = 0x1480,
    VESTA_TLS_SLOTS = 64, /* slots beyond these lie elsewhere */
    VESTA_PEB_PARAMETERS = 0x20,
    VESTA_PARAMETERS_IMAGE_PATH = 0x60,
    VESTA_PARAMETERS_ENVIRONMENT = 0x80,
};

static inline uint64_t vesta_teb_read(uintptr_t offset) {
    uint64_t value;
    __asm__ volatile("movq %%gs:(%1), %0" : "=r"(value) : "r"(offset));
    return value;
}

static inline void vesta_teb_write(uintptr_t offset, uint64_t value) {
    __asm__ volatile("movq %1, %%gs:(%0)" : : "r"(offset), "r"(value) : "memory");
}

/* What the process was started with: RTL_USER_PROCESS_PARAMETERS. */
static inline const char *vesta_process_parameters(void) {
    const char *peb = (const char *)vesta_teb_read(VESTA_TEB_PEB);
    return *(const char *const *)(peb + VESTA_PEB_PARAMETERS);
}

/* In ntdll, and in no header that C programs have. */
NTSYSAPI LONG NTAPI NtQueryInformationProcess(HANDLE, int, void *, ULONG, ULONG *);
NTSYSAPI LONG NTAPI RtlWaitOnAddress(const void *, const void *, SIZE_T, const LARGE_INTEGER *);
NTSYSAPI void NTAPI RtlWakeAddressSingle(const void *);
NTSYSAPI BOOLEAN NTAPI RtlDllShutdownInProgress(void);

#endif
