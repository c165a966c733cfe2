#include "../os.h"
#include "nt.h"

/* Where messages go: a copy of standard error from the start, or standard error. */
static HANDLE error_file;

void vesta_os_keep_error_output(void) {
    HANDLE process = GetCurrentProcess();
    HANDLE copy;
    if (DuplicateHandle(process, GetStdHandle(STD_ERROR_HANDLE), process, &copy, 0, FALSE, DUPLICATE_SAME_ACCESS))
        error_file = copy;
}

void vesta_os_write_error(const char *text, size_t size) {
    DWORD error = GetLastError(), written = 0;
    HANDLE file = error_file != NULL ? error_file : GetStdHandle(STD_ERROR_HANDLE);
    while (size != 0 && WriteFile(file, text, (DWORD)size, &written, NULL) && written != 0) {
        text += written;
        size -= written;
    }
    SetLastError(error);
}

/* As the system's own heap does when it is corrupted: no handler of the program gets in between. */
void vesta_os_abort(void) {
    RaiseFailFastException(NULL, NULL, FAIL_FAST_GENERATE_EXCEPTION_ADDRESS);
    for (;;)
        TerminateProcess(GetCurrentProcess(), 3);
}

/* Each C runtime has its own errno; those that are there are asked, by name, for the core is linked with none. */
void vesta_os_set_errno(int error) {
    static const wchar_t *const runtimes[] = {L"msvcrt.dll", L"ucrtbase.dll"};
    DWORD last_error = GetLastError();
    for (int i = 0; i < 2; i++) {
        HMODULE runtime = GetModuleHandleW(runtimes[i]);
        FARPROC location = runtime != NULL ? GetProcAddress(runtime, "_errno") : NULL;
        if (location != NULL)
            *((int *(*)(void))(uintptr_t)location)() = error;
    }
    SetLastError(last_error);
}
