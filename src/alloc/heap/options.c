#include "options.h"

#include "../os/os.h"

/* Half a second: longer than the pauses between a program's bursts, shorter than people wait before they read RSS. */
enum { DECAY_DEFAULT = 500 };

VestaOptions vesta_options = {.decay = DECAY_DEFAULT, .limit = SIZE_MAX};

/* Set, non-empty and not "0" means on. */
static bool is_on(const char *value) {
    return value != NULL && value[0] != '\0' && !(value[0] == '0' && value[1] == '\0');
}

/* A decimal number with an optional K, M or G (powers of 1,024), or `otherwise` if it is not one. */
static size_t number(const char *value, size_t otherwise) {
    if (value == NULL || *value < '0' || *value > '9')
        return otherwise;
    size_t result = 0;
    for (; *value >= '0' && *value <= '9'; value++)
        if (__builtin_mul_overflow(result, 10, &result) || __builtin_add_overflow(result, *value - '0', &result))
            return otherwise;
    unsigned shift = *value == 'K' ? 10 : *value == 'M' ? 20 : *value == 'G' ? 30 : 0;
    if (shift != 0)
        value++;
    if (*value != '\0' || result > SIZE_MAX >> shift)
        return otherwise;
    return result << shift;
}

void vesta_options_read(void) {
    if (vesta_os_is_secure())
        return;
    const char *on_error = vesta_os_environment("VESTA_HOST_ALLOC_ON_ERROR");
    /* Two that a thread may look at which has not allocated yet. */
    __atomic_store_n(&vesta_options.stats, is_on(vesta_os_environment("VESTA_HOST_ALLOC_STATS")), __ATOMIC_RELAXED);
    __atomic_store_n(&vesta_options.report_errors, on_error != NULL && on_error[0] == 'r', __ATOMIC_RELAXED);
    vesta_options.huge_pages = is_on(vesta_os_environment("VESTA_HOST_ALLOC_HUGE_PAGES"));
    size_t decay = number(vesta_os_environment("VESTA_HOST_ALLOC_DECAY_MS"), DECAY_DEFAULT);
    vesta_options.decay = decay < UINT32_MAX ? (uint32_t)decay : UINT32_MAX;
    vesta_options.limit = number(vesta_os_environment("VESTA_HOST_ALLOC_LIMIT"), SIZE_MAX);
}
