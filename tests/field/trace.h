/* Runs a program under ptrace and shows each of its system calls to a function, which may make it fail. */
#ifndef FIELD_TRACE_H
#define FIELD_TRACE_H

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>

#include "field.h"

/* Between these two calls, which do nothing, a program says that what it does now is to be looked at. */
FIELD_UNUSED static void trace_begin(void) {
    syscall(SYS_getpriority, 0, 0x7e57a);
}
FIELD_UNUSED static void trace_end(void) {
    syscall(SYS_getpriority, 0, 0x7e57b);
}

/* Returns an error number to make the call fail with it instead of being made, or 0. `inside`: between the marks.
 * `address`: of the instruction that makes the call. */
typedef int TraceFilter(long call, int inside, unsigned long address, void *context);

FIELD_UNUSED static void trace_child(pid_t child, TraceFilter *filter, void *context) {
    int status, inside = 0, error = 0, entered = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "the child does not stop");
    ptrace(PTRACE_SETOPTIONS, child, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL);
    for (int pass = 0;;) {
        CHECK(ptrace(PTRACE_SYSCALL, child, NULL, pass) == 0, "ptrace: %s", strerror(errno));
        CHECK(waitpid(child, &status, 0) == child, "waitpid: %s", strerror(errno));
        CHECK(!WIFSIGNALED(status), "the traced program died of signal %d", WTERMSIG(status));
        if (WIFEXITED(status)) {
            CHECK(WEXITSTATUS(status) == 0, "the traced program exited with %d", WEXITSTATUS(status));
            return;
        }
        pass = 0;
        if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
            pass = WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status);
            continue;
        }
        struct user_regs_struct registers;
        ptrace(PTRACE_GETREGS, child, NULL, &registers);
        entered = !entered;
        if (entered) {
            long call = (long)registers.orig_rax;
            if (call == SYS_getpriority && (registers.rsi == 0x7e57a || registers.rsi == 0x7e57b)) {
                inside = registers.rsi == 0x7e57a;
            }
            error = filter(call, inside, registers.rip, context);
            if (error) {
                registers.orig_rax = ~0ULL;
                ptrace(PTRACE_SETREGS, child, NULL, &registers);
            }
        } else if (error) {
            registers.rax = (unsigned long long)-(long long)error;
            ptrace(PTRACE_SETREGS, child, NULL, &registers);
        }
    }
}

/* Starts `program` for trace_child. `preload`: what LD_PRELOAD is to be, NULL to leave it. */
FIELD_UNUSED static pid_t start_traced(const char *program, const char *mode, const char *preload) {
    pid_t child = fork();
    CHECK(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        if (preload) {
            setenv("LD_PRELOAD", preload, 1);
            unsetenv("VESTA_EXPECT");
        }
        CHECK(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0, "ptrace: %s", strerror(errno));
        execl(program, program, mode, (char *)NULL);
        fail(__FILE__, __LINE__, "exec", "%s", strerror(errno));
    }
    return child;
}

#endif
