/* A program in C that uses malloc in all the ways a C library has. LIBC_IS_OURS tells whether what the C library
 * allocates for it is expected to come from this allocator. */
#define _GNU_SOURCE
#include "check.h"
#include "heap.h"

#include <dirent.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_own(void *block) {
    CHECK(block != NULL);
    CHECK(is_ours(block));
    memset(block, 1, 10);
    free(block);
}

static void check_libc(void *block) {
    CHECK(block != NULL);
    CHECK(is_ours(block) == LIBC_IS_OURS);
    CHECK(malloc_usable_size(block) > 0);
    free(block);
}

static void family(void) {
    void *block = NULL;
    CHECK(HOST(vesta_host_alloc_active)());
    check_own(malloc(10));
    check_own(calloc(1, 10));
    check_own(realloc(NULL, 10));
    check_own(realloc(malloc(10), 100000));
    check_own(reallocarray(NULL, 2, 10));
    check_own(aligned_alloc(64, 64));
    check_own(memalign(4096, 10));
    check_own(valloc(10));
    CHECK(posix_memalign(&block, 64, 10) == 0);
    check_own(block);
    block = malloc(10);
    CHECK(malloc_usable_size(block) >= 10);
    free(block);
    CHECK(malloc_usable_size(NULL) == 0);
#ifdef __GLIBC__
    check_own(pvalloc(10));
    CHECK(mallinfo2().uordblks > 0);
    malloc_trim(0);
    CHECK(mallopt(M_MMAP_THRESHOLD, 100000) == 1);
    FILE *file = tmpfile();
    CHECK(malloc_info(0, file) == 0 && ftell(file) > 0);
    fclose(file);
    malloc_stats();
#endif
}

static void blocks_of_the_c_library(void) {
    check_libc(strdup("text"));
    check_libc(strndup("text", 2));
    check_libc(getcwd(NULL, 0));
    check_libc(realpath("/", NULL));

    char *text = NULL;
    CHECK(asprintf(&text, "%d", 4711) == 4);
    check_libc(text);

    size_t length = 0;
    FILE *file = fopen("/proc/self/maps", "r");
    char *line = NULL;
    CHECK(file != NULL && getline(&line, &length, file) > 0);
    fclose(file);
    check_libc(line);

    file = open_memstream(&text, &length);
    CHECK(fputs("text", file) >= 0 && fclose(file) == 0 && length == 4);
    check_libc(text);

    struct dirent **entries;
    int count = scandir("/", &entries, NULL, alphasort);
    CHECK(count > 0);
    while (count > 0)
        check_libc(entries[--count]);
    check_libc(entries);

    CHECK(setenv("NAME", "value", 1) == 0);

    /* A block of the C library grows; what a DEEPBIND or --wrap link hands over stays what it is. */
    text = strdup("text");
    text = realloc(text, 100000);
    CHECK(text != NULL && strcmp(text, "text") == 0);
    free(text);
#if LIBC_IS_OURS
    /* The C library frees and grows blocks of the program. */
    length = 1;
    line = malloc(1);
    file = fopen("/proc/self/maps", "r");
    CHECK(file != NULL && getline(&line, &length, file) > 1);
    fclose(file);
    check_own(line);
#endif
}

static void *thread(void *argument) {
    void *block = malloc(1000);
    CHECK(block != NULL);
    memset(block, 1, 1000);
    free(argument);
    return block;
}

/* Ended threads' heaps are used again, which needs the C library's word that a thread ended. */
static void threads(void) {
    for (int i = 0; i < 100; i++) {
        pthread_t id;
        void *block;
        CHECK(pthread_create(&id, NULL, thread, malloc(100)) == 0);
        CHECK(pthread_join(id, &block) == 0);
        free(block);
    }
    VestaHostStats stats;
    HOST(vesta_host_alloc_stats)(&stats);
    CHECK(stats.thread_heaps < 10);
}

static volatile int stop;

static void *allocate_until_stop(void *argument) {
    while (!stop)
        for (size_t size = 16; size <= 1 << 20; size *= 4)
            free(memset(malloc(size), 1, 16));
    return argument;
}

static void forks(void) {
    pthread_t ids[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&ids[i], NULL, allocate_until_stop, NULL) == 0);
    for (int i = 0; i < 20; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(10);
            for (size_t size = 16; size <= 4 << 20; size *= 2)
                free(memset(malloc(size), 1, 16));
            _exit(0);
        }
        int status;
        CHECK(waitpid(child, &status, 0) == child && status == 0);
    }
    stop = 1;
    for (int i = 0; i < 2; i++)
        CHECK(pthread_join(ids[i], NULL) == 0);
}

int main(void) {
    family();
    blocks_of_the_c_library();
    threads();
    forks();
    return 0;
}
