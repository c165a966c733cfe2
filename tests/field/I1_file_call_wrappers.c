/* A library to preload before the allocator: each wrapper allocates and looks up the real function when first called.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int field_file_calls;

static void *real_one(const char *name, void **known) {
    field_file_calls++;
    free(malloc(200));
    free(calloc(3, 5000));
    if (!*known) {
        dlsym(RTLD_NEXT, "no such symbol"); /* the C library allocates the message */
        *known = dlsym(RTLD_NEXT, name);
    }
    return *known;
}

static mode_t mode_of(int flags, va_list arguments) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
}

EXPORT int open(const char *path, int flags, ...) {
    static void *known;
    int (*real)(const char *, int, ...);
    *(void **)&real = real_one("open", &known);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return real(path, flags, mode);
}

EXPORT int openat(int folder, const char *path, int flags, ...) {
    static void *known;
    int (*real)(int, const char *, int, ...);
    *(void **)&real = real_one("openat", &known);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = mode_of(flags, arguments);
    va_end(arguments);
    return real(folder, path, flags, mode);
}

EXPORT ssize_t read(int file, void *buffer, size_t size) {
    static void *known;
    ssize_t (*real)(int, void *, size_t);
    *(void **)&real = real_one("read", &known);
    return real(file, buffer, size);
}

EXPORT char *getenv(const char *name) {
    static void *known;
    char *(*real)(const char *);
    *(void **)&real = real_one("getenv", &known);
    return real(name);
}
