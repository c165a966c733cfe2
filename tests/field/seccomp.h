/* Lets the kernel refuse system calls of this process and of what it starts. */
#ifndef FIELD_SECCOMP_H
#define FIELD_SECCOMP_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "field.h"

/* Answers the listed calls with `listed` and all others with `others`: SECCOMP_RET_... with an error number. */
FIELD_UNUSED static void filter_calls(const long *calls, unsigned count, unsigned listed, unsigned others) {
    struct sock_filter code[128];
    unsigned length = 0;
    CHECK(count < 100, "too many calls");
    code[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < count; i++) {
        code[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)calls[i], 0, 1);
        code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, listed);
    }
    code[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, others);
    struct sock_fprog program = {(unsigned short)length, code};
    CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "prctl: %s", strerror(errno));
    CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0, "seccomp: %s", strerror(errno));
}

#endif
