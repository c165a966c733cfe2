/* Other tools' backtraces pass through the allocator: the system call that malloc makes for memory is trapped, and the
 * handler must find the function that called malloc. */
#define _GNU_SOURCE
#include "check.h"
#include "heap.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unwind.h>

static volatile int trapped, found;

void *caller_of_malloc(size_t size);

static _Unwind_Reason_Code look_at_frame(struct _Unwind_Context *context, void *unused) {
    (void)unused;
    if (_Unwind_GetRegionStart(context) == (uintptr_t)caller_of_malloc)
        found = 1;
    return _URC_NO_REASON;
}

static void on_trap(int signal, siginfo_t *info, void *context) {
    (void)signal;
    (void)info;
    trapped = 1;
    _Unwind_Backtrace(look_at_frame, NULL);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = -12; /* ENOMEM */
}

static void trap_mprotect(void) {
    struct sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const struct sock_fprog filter = {4, program};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0);
}

__attribute__((noinline)) void *caller_of_malloc(size_t size) {
    void *block = malloc(size);
    if (block == NULL)
        trapped++; /* not a tail call */
    return block;
}

int main(void) {
    free(malloc(10));
    _Unwind_Backtrace(look_at_frame, NULL); /* whatever the unwinder does on its first use */
    found = 0;
    struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGSYS, &action, NULL);
    trap_mprotect();
    CHECK(caller_of_malloc((size_t)256 << 20) == NULL);
    CHECK(trapped && found);
    return 0;
}
