/* A library to preload before the allocator: each wrapper allocates and looks up the real function when first called.
 */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int field_memory_calls;

/* The depth keeps an allocator that maps memory through the wrapper from asking for more in it without end. */
static __thread int depth;

static void *real_one(const char *name, void **known) {
    __atomic_fetch_add(&field_memory_calls, 1, __ATOMIC_RELAXED);
    if (depth++ == 0) {
        free(malloc(200));
        free(calloc(3, 5000));
    }
    if (!*known) {
        *known = dlsym(RTLD_NEXT, name);
    }
    depth--;
    return *known;
}

EXPORT void *mmap(void *address, size_t size, int protection, int flags, int file, off_t offset) {
    static void *known;
    void *(*real)(void *, size_t, int, int, int, off_t);
    *(void **)&real = real_one("mmap", &known);
    return real(address, size, protection, flags, file, offset);
}

EXPORT int munmap(void *address, size_t size) {
    static void *known;
    int (*real)(void *, size_t);
    *(void **)&real = real_one("munmap", &known);
    return real(address, size);
}

EXPORT int mprotect(void *address, size_t size, int protection) {
    static void *known;
    int (*real)(void *, size_t, int);
    *(void **)&real = real_one("mprotect", &known);
    return real(address, size, protection);
}

EXPORT int madvise(void *address, size_t size, int advice) {
    static void *known;
    int (*real)(void *, size_t, int);
    *(void **)&real = real_one("madvise", &known);
    return real(address, size, advice);
}

EXPORT void *mremap(void *address, size_t old_size, size_t size, int flags, ...) {
    static void *known;
    void *(*real)(void *, size_t, size_t, int, ...);
    *(void **)&real = real_one("mremap", &known);
    va_list arguments;
    va_start(arguments, flags);
    void *target = flags & MREMAP_FIXED ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    return real(address, old_size, size, flags, target);
}
