/* I8: a program built with -fsanitize=address, under the library or linked with it, either works or is refused in
 * words. What must not happen is a crash or a program that hangs. Usage: program SANITIZED_PROGRAM [LIBRARY] */
#include <signal.h>

#include "field.h"

int main(int count, char **values) {
    CHECK(count > 1, "which program?");
    int errors[2];
    CHECK(pipe(errors) == 0, "pipe: %s", strerror(errno));
    pid_t child = fork();
    CHECK(child >= 0, "fork: %s", strerror(errno));
    if (child == 0) {
        alarm(60);
        dup2(errors[1], STDERR_FILENO);
        close(errors[0]);
        if (count > 2) {
            setenv("LD_PRELOAD", values[2], 1);
        }
        execl(values[1], values[1], (char *)NULL);
        _exit(127);
    }
    close(errors[1]);
    char text[4096] = {0};
    size_t length = 0;
    for (ssize_t got; length < sizeof text - 1; length += (size_t)got) {
        got = read(errors[0], text + length, sizeof text - 1 - length);
        if (got <= 0) {
            break;
        }
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child, "waitpid: %s", strerror(errno));
    NOTE("status %x, \"%.200s\"\n", status, text);
    if (status == 0) {
        CHECK(length == 0, "it worked, but said: %.300s", text);
    } else {
        CHECK(!WIFSIGNALED(status) || WTERMSIG(status) == SIGABRT, "signal %d: %.300s", WTERMSIG(status), text);
        CHECK(strstr(text, "sanitizer") || strstr(text, "ASan"), "refused without saying why: %.300s", text);
    }
    return 0;
}
