/* The system calls by which an allocator gets, changes and returns memory. */
#ifndef FIELD_MEMORY_CALLS_H
#define FIELD_MEMORY_CALLS_H

#include <sys/syscall.h>

#define MEMORY_CALLS SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap, SYS_mincore, SYS_brk

__attribute__((unused)) static int is_memory_call(long call) {
    static const long calls[] = {MEMORY_CALLS};
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++) {
        if (calls[i] == call) {
            return 1;
        }
    }
    return 0;
}

#endif
