/* M14: under a system call filter that refuses madvise, or all but mapping and unmapping, the heap works; under one
 * that kills the process for any call that the library does not document, it lives. */
#include <malloc.h>

#include "seccomp.h"

static void *use(void *argument) {
    uint64_t random = (uintptr_t)argument;
    static __thread struct {
        char *data;
        size_t size;
    } live[100];
    for (int i = 0; i < 6000; i++) {
        unsigned index = next_random(&random) % 100;
        uint32_t r = next_random(&random);
        size_t size = 1 + (r % 16 ? r % 20000 : r % (9 * MIB));
        CHECK(!live[index].data || marked(live[index].data, live[index].size, index), "a live block changed");
        free(live[index].data);
        live[index].data = (char *)(r % 3 ? malloc(size) : calloc(1, size));
        CHECK(live[index].data, "no memory");
        CHECK(r % 3 || !live[index].data[size / 2], "calloc gave a block that is not zero");
        live[index].size = size;
        mark(live[index].data, size, index);
    }
    malloc_trim(0);
    for (int i = 0; i < 100; i++) {
        free(live[i].data);
    }
    return NULL;
}

static void use_with_threads(void) {
    alarm(60);
    pthread_t thread = start_thread(use, (void *)1, 256 * KIB);
    use((void *)2);
    pthread_join(thread, NULL);
}

static const long allowed[] = {
    /* Those that the library documents for a running program. */
    SYS_mmap, SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap, SYS_mincore, SYS_futex, SYS_prlimit64,
    SYS_clock_gettime, SYS_write, SYS_getpid,
    /* Those that the C library needs for threads and for ending; some for its own allocator, if that is still used. */
    SYS_clone, SYS_clone3, SYS_set_robust_list, SYS_rseq, SYS_rt_sigprocmask, SYS_rt_sigaction, SYS_sched_yield,
    SYS_exit, SYS_exit_group, SYS_alarm, SYS_brk, SYS_getrandom};

int main(int count, char **values) {
    (void)values;
    expect_allocator();
    if (count > 1) {
        use_with_threads();
        return 0;
    }
    static const long advice[] = {SYS_madvise};
    static const long changes[] = {SYS_madvise, SYS_mremap, SYS_mincore};
    pid_t child = fork();
    if (child == 0) {
        filter_calls(advice, 1, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW);
        execl("/proc/self/exe", "field", "filtered", (char *)NULL);
    }
    expect_success(child, "without madvise");
    child = fork();
    if (child == 0) {
        filter_calls(changes, 3, SECCOMP_RET_ERRNO | EPERM, SECCOMP_RET_ALLOW);
        execl("/proc/self/exe", "field", "filtered", (char *)NULL);
    }
    expect_success(child, "without madvise, mremap and mincore");
    child = fork();
    if (child == 0) {
        filter_calls(allowed, sizeof allowed / sizeof *allowed, SECCOMP_RET_ALLOW, SECCOMP_RET_KILL_PROCESS);
        use_with_threads();
        _exit(0);
    }
    expect_success(child, "with the documented calls only");
    return 0;
}
