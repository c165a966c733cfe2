#define _DEFAULT_SOURCE /* MAP_ANONYMOUS under -std=c11 */
#include "../os.h"
#include "syscall.h"

#include <sys/mman.h>

/* Constants that older headers lack; from the kernel's uapi/linux/mman.h, asm-generic/mman-common.h and resource.h. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif
#define VESTA_MREMAP_MAYMOVE 1
#define VESTA_MREMAP_FIXED 2
#define VESTA_MREMAP_DONTUNMAP 4
#define VESTA_RLIMIT_AS 9

/* Tests make chosen calls fail here: every call that asks the system for memory passes. */
#ifdef VESTA_ALLOC_FAULTS
bool vesta_fault_now(void);
#else
static inline bool vesta_fault_now(void) {
    return false;
}
#endif

static long memory_call(long number, uintptr_t a, size_t b, long c, long d, long e) {
    if (vesta_fault_now())
        return -12; /* ENOMEM */
    return vesta_syscall(number, (long)a, (long)b, c, d, e, 0);
}

static long map(uintptr_t address, size_t size, long protection, long flags) {
    return memory_call(__NR_mmap, address, size, protection, flags | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

bool vesta_os_reserve(uintptr_t address, size_t size) {
    long result = map(address, size, PROT_NONE, MAP_FIXED_NOREPLACE);
    if (vesta_syscall_failed(result))
        return false;
    if ((uintptr_t)result == address)
        return true;
    /* A kernel before 4.17 takes the address as a hint. */
    vesta_os_unreserve((uintptr_t)result, size);
    return false;
}

uintptr_t vesta_os_reserve_anywhere(size_t size) {
    long result = map(0, size, PROT_NONE, 0);
    return vesta_syscall_failed(result) ? 0 : (uintptr_t)result;
}

void vesta_os_unreserve(uintptr_t address, size_t size) {
    vesta_syscall(__NR_munmap, (long)address, (long)size, 0, 0, 0, 0);
}

bool vesta_os_commit_readable(uintptr_t address, size_t size) {
    return memory_call(__NR_mprotect, address, size, PROT_READ, 0, 0) == 0;
}

bool vesta_os_commit(uintptr_t address, size_t size) {
    return memory_call(__NR_mprotect, address, size, PROT_READ | PROT_WRITE, 0, 0) == 0;
}

bool vesta_os_decommit(uintptr_t address, size_t size) {
    return memory_call(__NR_mprotect, address, size, PROT_NONE, 0, 0) == 0;
}

bool vesta_os_purge(uintptr_t address, size_t size) {
    return memory_call(__NR_madvise, address, size, MADV_DONTNEED, 0, 0) == 0;
}

void vesta_os_huge_pages(uintptr_t address, size_t size, bool wanted) {
    memory_call(__NR_madvise, address, size, wanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE, 0, 0);
}

bool vesta_os_move(uintptr_t from, uintptr_t to, size_t size) {
    long flags = VESTA_MREMAP_MAYMOVE | VESTA_MREMAP_FIXED | VESTA_MREMAP_DONTUNMAP;
    return memory_call(__NR_mremap, from, size, (long)size, flags, (long)to) == (long)to;
}

bool vesta_os_renew(uintptr_t address, size_t size) {
    return !vesta_syscall_failed(map(address, size, PROT_READ | PROT_WRITE, MAP_FIXED));
}

size_t vesta_os_resident_pages(uintptr_t address, size_t size) {
    unsigned char resident[512];
    size_t os_page = vesta_os_page_size(), step = sizeof resident * os_page, pages = 0;
    for (uintptr_t end = address + size; address < end; address += step) {
        size_t part = end - address < step ? end - address : step;
        if (vesta_syscall(__NR_mincore, (long)address, (long)part, (long)resident, 0, 0, 0) != 0)
            return 0;
        for (size_t i = 0; i < part / os_page; i++)
            pages += resident[i] & 1;
    }
    return pages;
}

size_t vesta_os_address_space_limit(void) {
    uint64_t limit[2]; /* soft, hard */
    long result = vesta_syscall(__NR_prlimit64, 0, VESTA_RLIMIT_AS, 0, (long)limit, 0, 0);
    return result == 0 ? limit[0] : SIZE_MAX;
}
