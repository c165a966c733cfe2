/* What tests/api/door.h asks, for the tests of the operators. There is no fork here: what must end the process is run
 * with errors only reported, and its line is read. */
#include "../api/door.h"

#include <vesta/host_alloc.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <windows.h>

#include "alloc/heap/options.h"

bool door_owns(const void *address) {
    return vesta_host_owns(address) != 0;
}

void door_assert_error(DoorAct *act, void *argument, const char *what) {
    char expected[256], got[256] = "";
    HANDLE from, to, before = GetStdHandle(STD_ERROR_HANDLE);
    snprintf(expected, sizeof expected, "vesta_alloc: %s: 0x%" PRIxPTR "\n", what, (uintptr_t)argument);
    assert_true(CreatePipe(&from, &to, NULL, sizeof got));
    SetStdHandle(STD_ERROR_HANDLE, to);
    vesta_options.report_errors = true;
    act(argument);
    vesta_options.report_errors = false;
    SetStdHandle(STD_ERROR_HANDLE, before);
    CloseHandle(to);
    DWORD length = 0;
    ReadFile(from, got, sizeof got - 1, &length, NULL);
    CloseHandle(from);
    assert_string_equal(got, expected);
}
