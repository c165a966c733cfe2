#include "fork.h"

#include "registry.h"
#include "span.h"
#include "thread.h"
#include "../os/os.h"

/* The registry's lock is taken first: who holds it may need spans. There are no other locks. */
static void prepare(void) {
    vesta_registry_lock();
    vesta_span_lock();
}

static void parent(void) {
    vesta_span_unlock();
    vesta_registry_unlock();
}

static void child(void) {
    vesta_span_lock_reset();
    vesta_registry_reset(vesta_heap_own);
}

void vesta_fork_watch(void) {
    vesta_os_watch_fork(prepare, parent, child);
}
