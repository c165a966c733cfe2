/* What the tests of the entries share. The same sources are built three times, once per door. */
#ifndef VESTA_TEST_DOOR_H
#define VESTA_TEST_DOOR_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#include <cmocka.h>

/* Whether the address lies in this allocator's memory. */
bool door_owns(const void *address);

/* Calls this allocator's vesta_host_free, vesta_host_realloc and vesta_host_usable_size. */
void door_host_free(void *block);
void *door_host_realloc(void *block, size_t size);
size_t door_host_usable_size(const void *block);

/* How a child process ended in which `act(argument)` ran, and what it wrote to standard error. */
typedef struct DoorChild {
    int signal; /* 0: it exited */
    int status;
    char error[1024];
} DoorChild;

typedef void DoorAct(void *argument);

DoorChild door_run_child(DoorAct *act, void *argument);

/* Asserts that `act(argument)` aborts after exactly one line, "vesta_alloc: <what>: 0x<argument>". */
void door_assert_error(DoorAct *act, void *argument, const char *what);

#ifdef __cplusplus
}
#endif

#endif
