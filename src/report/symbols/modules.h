/* The executables and libraries that are or were loaded, from /proc/self/maps: the loader's own list can only be walked
 * under its lock, and a thread that allocates may hold it. */
#ifndef VESTA_SYMBOLS_MODULES_H
#define VESTA_SYMBOLS_MODULES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { VESTA_BUILD_ID_MAX = 32 };

typedef struct VestaModule {
    const char *path; /* "[vdso]" for the kernel's; lives as long as the process */
    uintptr_t start;  /* of its first mapping */
    uintptr_t end;    /* of its last one */
    uintptr_t text_start;
    uintptr_t text_end; /* everything executable lies in between */
    uintptr_t bias;     /* address = bias + what the file says */
    uint64_t device;    /* of the file that was loaded, as stat counts */
    uint64_t file_number;
    uint8_t build_id[VESTA_BUILD_ID_MAX];
    uint8_t build_id_size; /* 0 if it has none */
    bool deleted;          /* the file was gone when the module was first seen */
    bool is_program;       /* the executable itself */
    bool unloaded;         /* it is not in the process any more */
    const char *note;      /* what its names lack, once names were asked for; NULL if nothing or not asked */
} VestaModule;

/* Looks which modules there are now. New ones are appended, those that are gone are kept and marked. Takes about as
 * long as reading /proc/self/maps; not to be called in a signal handler. False if the list could not be read. */
bool vesta_modules_update(void);

/* How many there are; the i-th stays the i-th, at the same address. */
size_t vesta_module_count(void);
VestaModule *vesta_module(size_t index);

/* The module whose text `address` lies in, as far as known: one that is loaded rather than one that was. NULL if in
 * none. Takes no lock. */
VestaModule *vesta_module_at(uintptr_t address);

#endif
