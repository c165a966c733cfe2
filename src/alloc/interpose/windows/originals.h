/* The C runtime that the program is linked with. */
#ifndef VESTA_INTERPOSE_WINDOWS_ORIGINALS_H
#define VESTA_INTERPOSE_WINDOWS_ORIGINALS_H

#include "hook.h"

/* The function of that name, hooked or not; NULL if the runtime has none. */
VestaFunction *vesta_runtime_function(const char *name);

#endif
