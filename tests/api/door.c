#define _GNU_SOURCE
#include "door.h"

#include <vesta/host_alloc.h>

#include <dlfcn.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef VESTA_TEST_PRELOADED
/* The program does not link the library; the preloaded one has the functions. */
#define HOST(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_DEFAULT, #name))
#else
#define HOST(name) (&name)
#endif

bool door_owns(const void *address) {
    return HOST(vesta_host_owns)(address) != 0;
}

void door_host_free(void *block) {
    HOST(vesta_host_free)(block);
}

void *door_host_realloc(void *block, size_t size) {
    return HOST(vesta_host_realloc)(block, size);
}

size_t door_host_usable_size(const void *block) {
    return HOST(vesta_host_usable_size)(block);
}

DoorChild door_run_child(DoorAct *act, void *argument) {
    DoorChild child = {0, 0, ""};
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t process = fork();
    assert_true(process >= 0);
    if (process == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        signal(SIGSEGV, SIG_DFL);
        dup2(pipe_ends[1], 2);
        alarm(20);
        act(argument);
        _exit(0);
    }
    close(pipe_ends[1]);
    size_t length = 0;
    ssize_t got;
    while ((got = read(pipe_ends[0], child.error + length, sizeof child.error - 1 - length)) > 0)
        length += (size_t)got;
    child.error[length] = '\0';
    close(pipe_ends[0]);
    int status;
    assert_int_equal(waitpid(process, &status, 0), process);
    if (WIFSIGNALED(status))
        child.signal = WTERMSIG(status);
    else
        child.status = WEXITSTATUS(status);
    return child;
}

void door_assert_error(DoorAct *act, void *argument, const char *what) {
    char expected[256];
    snprintf(expected, sizeof expected, "vesta_alloc: %s: 0x%" PRIxPTR "\n", what, (uintptr_t)argument);
    DoorChild child = door_run_child(act, argument);
    assert_string_equal(child.error, expected);
    assert_int_equal(child.signal, SIGABRT);
}
