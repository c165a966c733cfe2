/* The C++ runtime of the code that called an operator. The library never needs one, so it is looked for when there is
 * something to throw: linked into the program, or brought along by a plugin of a program in C. */
#ifndef VESTA_INTERPOSE_CPP_RUNTIME_H
#define VESTA_INTERPOSE_CPP_RUNTIME_H

#include <stdbool.h>

typedef void VestaCppFunction(void);

/* Whether the program itself links a runtime that can throw. */
bool vesta_cpp_runtime_linked(void);

/* `linked` if it is there; otherwise the function of that name that the library around `caller` sees, or NULL. */
VestaCppFunction *vesta_cpp_function(VestaCppFunction *linked, const char *name, const void *caller);

/* Throws std::bad_alloc; returns if there is no runtime to do it. */
void vesta_cpp_throw_bad_alloc(const void *caller);

/* Runs the program's new handler, which makes room, throws or does not return; false if there is none. */
bool vesta_cpp_run_new_handler(const void *caller);

#endif
