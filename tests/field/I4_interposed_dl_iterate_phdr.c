/* I4: the program defines dl_iterate_phdr and finds the C library's own with dlsym, allocating; measuring is on from
 * the start. Run with VESTA_HOST_ALLOC_STATS=1 and VESTA_HOST_ALLOC_SITES=1. */
#include <link.h>

#include "field.h"

static int calls;

__attribute__((visibility("default"))) int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *),
                                                           void *context) {
    static int (*real)(int (*)(struct dl_phdr_info *, size_t, void *), void *);
    calls++;
    free(malloc(100));
    if (!real) {
        dlsym(RTLD_NEXT, "no such symbol");
        *(void **)&real = dlsym(RTLD_NEXT, "dl_iterate_phdr");
    }
    free(malloc(100 * KIB));
    return real(callback, context);
}

static int count_objects(struct dl_phdr_info *object, size_t size, void *context) {
    (void)object, (void)size;
    ++*(int *)context;
    return 0;
}

static void *allocate(void *argument) {
    for (int i = 0; i < 10000; i++) {
        free(malloc(1 + (size_t)i * 7 % 20000));
    }
    return argument;
}

int main(void) {
    expect_allocator();
    CHECK(getenv("VESTA_HOST_ALLOC_STATS"), "run with VESTA_HOST_ALLOC_STATS=1");
    alarm(60);
    pthread_t thread = start_thread(allocate, NULL, 256 * KIB);
    allocate(NULL);
    pthread_join(thread, NULL);
    int objects = 0;
    dl_iterate_phdr(count_objects, &objects);
    CHECK(objects > 2 && calls > 0, "%d objects in %d calls", objects, calls);
    return 0;
}
