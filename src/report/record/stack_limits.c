#include "stack_limits.h"

#include "../../alloc/os/os.h"

enum { BUFFER = 1024 };

/* The kernel leaves at least this much free below the first thread's stack (mmap(2) places nothing there). */
static const uintptr_t first_stack_room = (uintptr_t)128 << 20;

/* The C libraries put a thread's control block on top of its stack. */
static uintptr_t thread_pointer(void) {
#if defined(__x86_64__)
    uintptr_t pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
#else
    return (uintptr_t)__builtin_thread_pointer();
#endif
}

/* Reads "start-end ..." lines through a small buffer: a thread may have as little stack as 16 KiB. */
typedef struct Lines {
    long file;
    size_t length, next;
    char buffer[BUFFER];
} Lines;

static int next_character(Lines *lines) {
    if (lines->next == lines->length) {
        lines->length = vesta_os_read(lines->file, lines->buffer, sizeof lines->buffer);
        lines->next = 0;
        if (lines->length == 0)
            return -1;
    }
    return (unsigned char)lines->buffer[lines->next++];
}

/* Up to a character that is no digit, which is eaten. */
static bool read_number(Lines *lines, uintptr_t *value) {
    *value = 0;
    for (int c;;) {
        c = next_character(lines);
        if (c >= '0' && c <= '9')
            *value = *value << 4 | (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            *value = *value << 4 | (uintptr_t)(c - 'a' + 10);
        else
            return c >= 0;
    }
}

/* Skips the rest of a line; true if it names the first thread's stack. */
static bool is_first_stack(Lines *lines) {
    static const char name[] = "[stack]";
    unsigned matched = 0;
    bool found = false;
    for (int c = next_character(lines); c >= 0 && c != '\n'; c = next_character(lines)) {
        matched = c == name[matched] ? matched + 1 : c == name[0];
        if (name[matched] == '\0') {
            found = true;
            matched = 0;
        }
    }
    return found;
}

void vesta_stack_limits_find(VestaStackLimits *limits) {
    *limits = (VestaStackLimits){.known = true};
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), control = thread_pointer();
    Lines lines = {.file = vesta_os_open("/proc/self/maps")};
    if (lines.file < 0)
        return;
    uintptr_t low, high, below = 0;
    while (read_number(&lines, &low) && read_number(&lines, &high)) {
        bool first = is_first_stack(&lines);
        if (first && here < high && here >= high - first_stack_room) {
            uintptr_t room = high - first_stack_room;
            *limits = (VestaStackLimits){below > room ? below : room, high, true};
            break;
        }
        if (control >= low && control < high && here < control && here >= low) {
            *limits = (VestaStackLimits){low, control, true};
            break;
        }
        below = high;
    }
    vesta_os_close(lines.file);
}
