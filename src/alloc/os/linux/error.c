#include "../os.h"
#include "../../base/compiler.h"
#include "syscall.h"

#define VESTA_SIGABRT 6

/* Where messages go: standard error, or a copy of it from the start. */
static long error_file = 2;

void vesta_os_keep_error_output(void) {
    const long duplicate_close_on_exec = 1030; /* F_DUPFD_CLOEXEC */
    const long lowest = 100;                   /* out of the way of what programs expect */
    long file = vesta_syscall(__NR_fcntl, 2, duplicate_close_on_exec, lowest, 0, 0, 0);
    if (!vesta_syscall_failed(file))
        error_file = file;
}

void vesta_os_write_error(const char *text, size_t size) {
    while (size != 0) {
        long written = vesta_syscall(__NR_write, error_file, (long)text, (long)size, 0, 0, 0);
        if (written == -4) /* EINTR */
            continue;
        if (written <= 0)
            return;
        text += written;
        size -= (size_t)written;
    }
}

extern __attribute__((noreturn)) void abort(void) VESTA_WEAK;

/* The C library's abort where there is one (a debugger knows it); else the same signal by hand. */
void vesta_os_abort(void) {
    if (abort != NULL)
        abort();
    vesta_syscall(__NR_kill, vesta_os_process_id(), VESTA_SIGABRT, 0, 0, 0, 0);
    for (;;)
        vesta_syscall(__NR_exit_group, 127, 0, 0, 0, 0, 0);
}

extern int *__errno_location(void) VESTA_WEAK;

void vesta_os_set_errno(int error) {
    if (__errno_location != NULL)
        *__errno_location() = error;
}
