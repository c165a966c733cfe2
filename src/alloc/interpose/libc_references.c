/* The core refers to the C library only weakly, and a weak reference takes nothing out of a static library: a static
 * program would have threads whose end nobody notices and forks without handlers. The doors exist only where there is
 * a C library, so the references that must be met are made here once more, strongly. */
#include "entry.h"

#include <pthread.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

typedef void Function(void);

__attribute__((used)) static Function *const referenced[] = {
    (Function *)pthread_key_create, (Function *)pthread_setspecific,
    (Function *)pthread_atfork, /* in glibc this is what takes __register_atfork in */
};

#endif
