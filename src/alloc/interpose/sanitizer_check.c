/* A program built with a sanitizer finds nothing once malloc is not the sanitizer's, and nothing would say so. */
#include "entry.h"
#include "../os/os.h"

#include <vesta/host_alloc.h>

#include <stdbool.h>
#include <stddef.h>

#if VESTA_DOOR != VESTA_DOOR_NONE

typedef void Function(void);

extern Function __asan_init VESTA_WEAK;
extern Function __hwasan_init VESTA_WEAK;
extern Function __msan_init VESTA_WEAK;
extern Function __tsan_init VESTA_WEAK;

__attribute__((constructor)) static void refuse_sanitizers(void) {
    static const char message[] = "vesta_alloc: the program was built with a sanitizer, which needs its own malloc: "
                                  "link it without the doors of this library\n";
    bool sanitized = __asan_init != NULL || __hwasan_init != NULL || __msan_init != NULL || __tsan_init != NULL;
    if (sanitized && vesta_host_alloc_active()) {
        vesta_os_write_error(message, sizeof message - 1);
        vesta_os_abort();
    }
}

#endif
