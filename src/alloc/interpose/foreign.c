#define _GNU_SOURCE /* RTLD_NEXT */
#include "foreign.h"
#include "entry.h"
#include "../heap/error.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

typedef void RealFree(void *);
typedef void *RealRealloc(void *, size_t);
typedef size_t RealUsableSize(void *);

typedef struct RealAllocator {
    RealFree *free;
    RealRealloc *realloc;
    RealUsableSize *usable_size;
} RealAllocator;

#if VESTA_DOOR == VESTA_DOOR_WRAP

/* Weak: a static link then does not take the C library's allocator in only for this. */
extern RealFree __real_free VESTA_WEAK;
extern RealRealloc __real_realloc VESTA_WEAK;
extern RealUsableSize __real_malloc_usable_size VESTA_WEAK;

static RealAllocator real_allocator(void) {
    return (RealAllocator){__real_free, __real_realloc, __real_malloc_usable_size};
}

#else

/* Weak: static programs need no dynamic linker. */
#pragma weak dlsym

static RealAllocator real_allocator(void) {
    static RealAllocator found;
    static _Thread_local bool searching __attribute__((tls_model("initial-exec")));

    /* dlsym may free memory of the other allocator, and so come back here. */
    if (__atomic_load_n(&found.free, __ATOMIC_ACQUIRE) == NULL && dlsym != NULL && !searching) {
        searching = true;
        __atomic_store_n(&found.realloc, (RealRealloc *)(uintptr_t)dlsym(RTLD_NEXT, "realloc"), __ATOMIC_RELAXED);
        __atomic_store_n(&found.usable_size, (RealUsableSize *)(uintptr_t)dlsym(RTLD_NEXT, "malloc_usable_size"),
                         __ATOMIC_RELAXED);
        __atomic_store_n(&found.free, (RealFree *)(uintptr_t)dlsym(RTLD_NEXT, "free"), __ATOMIC_RELEASE);
        searching = false;
    }
    return (RealAllocator){__atomic_load_n(&found.free, __ATOMIC_ACQUIRE),
                           __atomic_load_n(&found.realloc, __ATOMIC_RELAXED),
                           __atomic_load_n(&found.usable_size, __ATOMIC_RELAXED)};
}

#endif

/* Whether another allocator may be asked about the address: it will read the words before it, so they must be there.
 * rt_sigprocmask reads the new mask before it refuses an unknown operation: EFAULT is for memory that is not there. */
static bool may_be_a_block(const void *address) {
    const long unknown_operation = -1, mask_size = 8;
    const char *header = (const char *)address - 2 * sizeof(size_t);
    if ((uintptr_t)address % (2 * sizeof(size_t)) != 0)
        return false;
    return syscall(SYS_rt_sigprocmask, unknown_operation, header, NULL, mask_size) != 0 && errno != EFAULT;
}

void vesta_foreign_free(void *block) {
    int saved_errno = errno;
    RealAllocator real = real_allocator();
    if (real.free == NULL || !may_be_a_block(block))
        vesta_heap_error("free of a pointer that no allocator gave out", block);
    else
        real.free(block);
    errno = saved_errno;
}

void *vesta_foreign_realloc(void *block, size_t size) {
    RealAllocator real = real_allocator();
    if (real.realloc != NULL && may_be_a_block(block))
        return real.realloc(block, size);
    vesta_heap_error("realloc of a pointer that no allocator gave out", block);
    errno = EINVAL;
    return NULL;
}

size_t vesta_foreign_usable_size(void *block) {
    RealAllocator real = real_allocator();
    if (real.usable_size != NULL && may_be_a_block(block))
        return real.usable_size(block);
    vesta_heap_error("malloc_usable_size of a pointer that no allocator gave out", block);
    return 0;
}

#endif
