#include "../os.h"
#include "nt.h"

#include <psapi.h>

/* Tests make chosen calls fail here: every call that asks the system for memory passes. */
#ifdef VESTA_ALLOC_FAULTS
bool vesta_fault_now(void);
#else
static inline bool vesta_fault_now(void) {
    return false;
}
#endif

/* Programs look at the error of an earlier call after they have freed something. */
static uintptr_t allocate(uintptr_t address, size_t size, DWORD how) {
    DWORD error = GetLastError();
    void *memory = vesta_fault_now() ? NULL : VirtualAlloc((void *)address, size, how, PAGE_READWRITE);
    SetLastError(error);
    return (uintptr_t)memory;
}

static bool release(uintptr_t address, size_t size, DWORD how) {
    DWORD error = GetLastError();
    bool released = !vesta_fault_now() && VirtualFree((void *)address, size, how);
    SetLastError(error);
    return released;
}

bool vesta_os_reserve(uintptr_t address, size_t size) {
    return allocate(address, size, MEM_RESERVE) == address;
}

uintptr_t vesta_os_reserve_anywhere(size_t size) {
    return allocate(0, size, MEM_RESERVE);
}

void vesta_os_unreserve(uintptr_t address, size_t size) {
    (void)size;
    VirtualFree((void *)address, 0, MEM_RELEASE);
}

bool vesta_os_commit_readable(uintptr_t address, size_t size) {
    (void)address;
    (void)size;
    return false;
}

bool vesta_os_commit(uintptr_t address, size_t size) {
    return allocate(address, size, MEM_COMMIT) == address;
}

bool vesta_os_decommit(uintptr_t address, size_t size) {
    return release(address, size, MEM_DECOMMIT);
}

bool vesta_os_purge(uintptr_t address, size_t size) {
    return release(address, size, MEM_DECOMMIT);
}

bool vesta_os_recommit(uintptr_t address, size_t size) {
    return vesta_os_commit(address, size);
}

/* Without the second call the pages would stay with the process until memory is short: it takes them out of the working
 * set, and fails because they are not locked. */
bool vesta_os_discard(uintptr_t address, size_t size) {
    bool discarded = allocate(address, size, MEM_RESET) == address;
    DWORD error = GetLastError();
    VirtualUnlock((void *)address, size);
    SetLastError(error);
    return discarded;
}

/* Large pages need a privilege, and are committed and locked from their start. */
void vesta_os_huge_pages(uintptr_t address, size_t size, bool wanted) {
    (void)address;
    (void)size;
    (void)wanted;
}

bool vesta_os_move(uintptr_t from, uintptr_t to, size_t size) {
    (void)from;
    (void)to;
    (void)size;
    return false;
}

bool vesta_os_renew(uintptr_t address, size_t size) {
    return vesta_os_purge(address, size) && vesta_os_recommit(address, size);
}

/* Asking takes microseconds per page: of a long range an even sample is asked about. */
size_t vesta_os_resident_pages(uintptr_t address, size_t size) {
    enum { SAMPLE = 64 };
    PSAPI_WORKING_SET_EX_INFORMATION asked[SAMPLE];
    size_t os_page = vesta_os_page_size(), pages = size / os_page, step = (pages + SAMPLE - 1) / SAMPLE;
    DWORD count = 0, found = 0;
    for (size_t page = 0; page < pages; page += step)
        asked[count++].VirtualAddress = (void *)(address + page * os_page);
    if (!K32QueryWorkingSetEx(GetCurrentProcess(), asked, count * (DWORD)sizeof *asked))
        return 0;
    for (DWORD i = 0; i < count; i++)
        found += asked[i].VirtualAttributes.Valid;
    return found == count ? pages : found * step;
}

/* There is none, but address space is not free of cost either: Wine keeps a byte for each page of a reservation.
 * Regions are a sixteenth of this, 256 GiB. */
size_t vesta_os_address_space_limit(void) {
    return (size_t)4 << 40;
}
