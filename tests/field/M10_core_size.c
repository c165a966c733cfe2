/* M10: the core of a process that had allocated much and uses little holds what it uses: neither the reserved address
 * space nor what was given back. */
#include <dirent.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "field.h"

enum { USED = 10 << 20, FREED = 400 << 20, BLOCK = 64 << 10 };

static void use_and_abort(void) {
    struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY};
    CHECK(setrlimit(RLIMIT_CORE, &unlimited) == 0, "setrlimit: %s", strerror(errno));
    static void *blocks[FREED / BLOCK];
    char *untouched = (char *)malloc(1 * GIB);
    CHECK(untouched, "malloc failed");
    untouched[0] = 1;
    for (int i = 0; i < FREED / BLOCK; i++) {
        blocks[i] = malloc(BLOCK);
        CHECK(blocks[i], "malloc failed");
        memset(blocks[i], 1, BLOCK);
    }
    for (int i = USED / BLOCK; i < FREED / BLOCK; i++) {
        free(blocks[i]);
    }
    free(untouched);
    malloc_trim(0);
    abort();
}

int main(void) {
    expect_allocator();
    char pattern[256] = {0};
    int file = open("/proc/sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC);
    if (file < 0 || read(file, pattern, sizeof pattern - 1) <= 0 || strchr("|/", pattern[0])) {
        fprintf(stderr, "this system does not leave cores in the current folder\n");
        return FIELD_SKIPPED;
    }
    char folder[] = "/tmp/field_core_XXXXXX";
    CHECK(mkdtemp(folder) && chdir(folder) == 0, "no temporary folder");
    pid_t child = fork();
    if (child == 0) {
        use_and_abort();
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WCOREDUMP(status), "no core was written");
    size_t size = 0, on_disk = 0;
    DIR *entries = opendir(".");
    for (struct dirent *entry; (entry = readdir(entries));) {
        struct stat core;
        if (entry->d_name[0] != '.' && stat(entry->d_name, &core) == 0) {
            size += (size_t)core.st_size;
            on_disk += (size_t)core.st_blocks * 512;
            unlink(entry->d_name);
        }
    }
    closedir(entries);
    CHECK(chdir("/") == 0 && rmdir(folder) == 0, "the temporary folder stays");
    NOTE("a core of %zu MiB, %zu MiB of it on disk\n", size / MIB, on_disk / MIB);
    CHECK(on_disk > USED && on_disk < 2 * (size_t)USED, "%zu MiB on disk", on_disk / MIB);
    CHECK(size < 2 * GIB, "a core of %zu MiB", size / MIB);
    return 0;
}
