/* Functions of a loaded DLL made to jump elsewhere. A DLL's calls of its own functions pass through no table that could
 * be changed: the code itself is the only place. */
#ifndef VESTA_INTERPOSE_WINDOWS_HOOK_H
#define VESTA_INTERPOSE_WINDOWS_HOOK_H

#include <stddef.h>

typedef void VestaFunction(void);

typedef struct VestaHook {
    const char *name; /* as the DLL exports it */
    VestaFunction *replacement;
    VestaFunction **original; /* gets what does as the function did before; or NULL */
} VestaHook;

/* Hooks those functions that the module has. One that cannot be hooked stays as it is: its name is printed where
 * statistics are on, for then their figures lack something. Called once per module, under the loader's lock. */
void vesta_hook_module(void *module, const VestaHook *hooks, size_t count);

#endif
