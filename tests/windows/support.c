/* What tests/heap/support.h asks of a system, on Windows. A body runs in a new process of the same program, which finds
 * it by its distance from the start of the image: other than after fork, variables have their first values there. */
#include "../heap/support.h"

#include <stdio.h>

#include <windows.h>
#include <psapi.h>

char **environment_block;

enum { MILLISECONDS_AT_MOST = 120000, PIPE_SIZE = 64 << 10 };

static const char body_option[] = "--body";

static uintptr_t image_base(void) {
    return (uintptr_t)GetModuleHandleW(NULL);
}

void become_body(int count, char **arguments) {
    if (count != 3 || strcmp(arguments[1], body_option) != 0)
        return;
    SetEnvironmentVariableA("CMOCKA_TEST_ABORT", "1");
    ((void (*)(void))(image_base() + strtoull(arguments[2], NULL, 16)))();
    exit(0);
}

void put_in_environment(const char *entry) {
    char name[256];
    const char *end = strchr(entry, '=');
    assert_true(end != NULL && (size_t)(end - entry) < sizeof name);
    memcpy(name, entry, (size_t)(end - entry));
    name[end - entry] = '\0';
    assert_true(SetEnvironmentVariableA(name, end + 1));
}

/* Runs the body and returns how its process ended; its standard error goes to `error_output`, if given. */
static DWORD run_process(void (*body)(void), HANDLE error_output) {
    char path[MAX_PATH], line[MAX_PATH + 64];
    assert_in_range(GetModuleFileNameA(NULL, path, sizeof path), 1, sizeof path - 1);
    snprintf(line, sizeof line, "\"%s\" %s %zx", path, body_option, (size_t)((uintptr_t)body - image_base()));
    STARTUPINFOA start = {.cb = sizeof start};
    if (error_output != NULL) {
        start.dwFlags = STARTF_USESTDHANDLES;
        start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
        start.hStdOutput = GetStdHandle(STD_OUTPUT_HANDLE);
        start.hStdError = error_output;
    }
    PROCESS_INFORMATION process;
    fflush(stdout);
    fflush(stderr);
    assert_true(CreateProcessA(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &process));
    if (error_output != NULL)
        CloseHandle(error_output);
    DWORD status = 0;
    if (WaitForSingleObject(process.hProcess, MILLISECONDS_AT_MOST) != WAIT_OBJECT_0)
        TerminateProcess(process.hProcess, WAIT_TIMEOUT);
    WaitForSingleObject(process.hProcess, INFINITE);
    assert_true(GetExitCodeProcess(process.hProcess, &status));
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    return status;
}

void run_isolated(void (*body)(void)) {
    DWORD status = run_process(body, NULL);
    if (status != 0)
        fail_msg("the test's process ended with 0x%lx", status);
}

/* What is written fits into the pipe. */
Outcome outcome_of(void (*body)(void)) {
    Outcome outcome = {.signal = 0};
    SECURITY_ATTRIBUTES inherited = {.nLength = sizeof inherited, .bInheritHandle = TRUE};
    HANDLE from, to;
    assert_true(CreatePipe(&from, &to, &inherited, PIPE_SIZE));
    outcome.status = (int)run_process(body, to);
    DWORD length = 0;
    for (DWORD part; length < sizeof outcome.text - 1 &&
                     ReadFile(from, outcome.text + length, (DWORD)sizeof outcome.text - 1 - length, &part, NULL);)
        length += part;
    CloseHandle(from);
    return outcome;
}

bool under_valgrind(void) {
    return false;
}

bool limit_address_space(size_t bytes) {
    (void)bytes;
    return false;
}

/* Threads and processes take Wine ten times as long. */
unsigned scaled(unsigned count) {
    return count / 10 != 0 ? count / 10 : 1;
}

size_t resident_bytes(void) {
    PROCESS_MEMORY_COUNTERS counters;
    assert_true(K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters));
    return counters.WorkingSetSize;
}

bool resident_bytes_mean_something(void) {
    return true;
}
