/* As much of POSIX's sys/mman.h as tests that run on Windows, too, need of it. */
#ifndef WINDOWS_TESTS_SYS_MMAN_H
#define WINDOWS_TESTS_SYS_MMAN_H

#include <windows.h>

#include <stddef.h>

#define PROT_NONE 0
#define PROT_READ 1
#define PROT_WRITE 2
#define MAP_PRIVATE 0
#define MAP_ANONYMOUS 0
#define MAP_NORESERVE 0
#define MAP_FAILED ((void *)-1)

static inline DWORD mman_protection(int protection) {
    return (protection & PROT_WRITE) != 0 ? PAGE_READWRITE : protection == PROT_READ ? PAGE_READONLY : PAGE_NOACCESS;
}

static inline void *mmap(void *address, size_t size, int protection, int flags, int file, long offset) {
    (void)flags, (void)file, (void)offset;
    void *memory = VirtualAlloc(address, size, MEM_RESERVE | MEM_COMMIT, mman_protection(protection));
    return memory != NULL ? memory : MAP_FAILED;
}

static inline int mprotect(void *address, size_t size, int protection) {
    DWORD before;
    return VirtualProtect(address, size, mman_protection(protection), &before) ? 0 : -1;
}

static inline int munmap(void *address, size_t size) {
    (void)size;
    return VirtualFree(address, 0, MEM_RELEASE) ? 0 : -1;
}

#endif
