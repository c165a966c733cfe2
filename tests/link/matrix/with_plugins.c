/* Libraries that come at run time: as usual, without the C library among their needs, and bound to what they bring
 * themselves (RTLD_DEEPBIND), which makes their malloc the C library's. Arguments: the plugins in C, then in C++. */
#define _GNU_SOURCE
#include "check.h"
#include "heap.h"

#include <dlfcn.h>

typedef void *Allocate(size_t size);
typedef void Free(void *block);

static void *open_plugin(const char *path, int mode) {
    void *plugin = dlopen(path, RTLD_NOW | RTLD_LOCAL | mode);
    if (plugin == NULL)
        fprintf(stderr, "%s\n", dlerror());
    CHECK(plugin != NULL);
    return plugin;
}

static void use_c(const char *path, int mode, int is_ours_expected) {
    void *plugin = open_plugin(path, mode);
    const char *const names[] = {"library_calloc", "library_aligned_alloc"};
    for (int i = 0; i < 2; i++) {
        Allocate *allocate = (Allocate *)(uintptr_t)dlsym(plugin, names[i]);
        CHECK(allocate != NULL);
        void *block = allocate(64);
        CHECK(is_ours(block) == is_ours_expected);
        block = realloc(block, 1000000);
        CHECK(block != NULL && is_ours(block) == is_ours_expected);
        free(block);
    }
    Free *plugin_free = (Free *)(uintptr_t)dlsym(plugin, "library_free");
    if (is_ours_expected)
        plugin_free(malloc(10));
    dlclose(plugin);
}

static void use_cpp(const char *path) {
    void *plugin = open_plugin(path, 0);
    int (*run)(void) = (int (*)(void))(uintptr_t)dlsym(plugin, "plugin_run");
    CHECK(run() == 0);
    dlclose(plugin);
}

int main(int count, char **arguments) {
    CHECK(count >= 3);
    use_c(arguments[1], 0, LIBC_IS_OURS);
    use_c(arguments[2], 0, LIBC_IS_OURS);
    use_c(arguments[1], RTLD_DEEPBIND, 0);
    if (count > 3)
        use_cpp(arguments[3]);
    return 0;
}
