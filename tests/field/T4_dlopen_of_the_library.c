/* T4: the shared library can be opened by a running program, also when another one took most of the room for
 * initial-exec thread variables before. Usage: program LIBRARY [LIBRARY_WITH_1_KIB_OF_THREAD_VARIABLES] */
#include "field.h"

static void *use(void *argument) {
    void *(*allocate)(size_t);
    void (*release)(void *);
    *(void **)&allocate = dlsym(argument, "vesta_host_alloc");
    *(void **)&release = dlsym(argument, "vesta_host_free");
    if (!allocate) { /* another allocator, to compare with */
        *(void **)&allocate = dlsym(argument, "malloc");
        *(void **)&release = dlsym(argument, "free");
    }
    CHECK(allocate && release, "no entries");
    for (size_t size = 1; size < 4 * MIB; size *= 3) {
        char *block = (char *)allocate(size);
        CHECK(block, "allocation of %zu bytes failed", size);
        mark(block, size, 1);
        CHECK(marked(block, size, 1), "a block changed");
        release(block);
    }
    return NULL;
}

int main(int count, char **values) {
    CHECK(count > 1, "which library?");
    pthread_t before = start_thread(use, dlopen(NULL, RTLD_NOW), 256 * KIB);
    pthread_join(before, NULL);
    if (count > 2) {
        CHECK(dlopen(values[2], RTLD_NOW), "%s", dlerror());
    }
    void *library = dlopen(values[1], RTLD_NOW);
    CHECK(library, "%s", dlerror());
    int (*active)(void);
    *(void **)&active = dlsym(library, "vesta_host_alloc_active");
    CHECK(!active || active() == 0, "a library opened late cannot be malloc, yet it says so");
    use(library);
    pthread_join(start_thread(use, library, 256 * KIB), NULL);
    return 0;
}
