/* Thread exit and fork, through what the C library offers: a thread-specific key whose destructor runs after the C++
 * thread_local destructors, and fork handlers. Weak: without them there are no threads of its making to watch. */
#include "../os.h"
#include "../../base/compiler.h"

typedef unsigned int VestaKey; /* pthread_key_t in glibc and musl */

extern int pthread_key_create(VestaKey *key, void (*destructor)(void *)) VESTA_WEAK;
extern int pthread_setspecific(VestaKey key, const void *value) VESTA_WEAK;
extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) VESTA_WEAK;
extern int pthread_atfork(void (*)(void), void (*)(void), void (*)(void)) VESTA_WEAK;

static VestaKey exit_key;
static bool exit_key_made;
static void (*thread_ended)(void);

static void run_thread_ended(void *value) {
    (void)value;
    thread_ended();
}

void vesta_os_watch_threads(void (*ended)(void)) {
    thread_ended = ended;
    if (pthread_key_create != NULL && pthread_setspecific != NULL)
        exit_key_made = pthread_key_create(&exit_key, run_thread_ended) == 0;
}

void vesta_os_watch_thread(void) {
    if (exit_key_made)
        pthread_setspecific(exit_key, &exit_key); /* any value but NULL */
}

/* glibc exports only the first name from its shared library. */
void vesta_os_watch_fork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    if (__register_atfork != NULL)
        __register_atfork(prepare, parent, child, NULL);
    else if (pthread_atfork != NULL)
        pthread_atfork(prepare, parent, child);
}
