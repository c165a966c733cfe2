/* The block that the kernel puts on the initial stack: argc, argv, NULL, environment, NULL, auxiliary vector (System V
 * ABI, AMD64 supplement, section 3.4.1). The C library's own view of it may not exist yet when the first block is
 * allocated, and may have been changed later; the block itself is always there. */
#include "../os.h"
#include "../../base/compiler.h"
#include "syscall.h"
#include "vesta/mem.h"

#define VESTA_AT_PAGESZ 6
#define VESTA_AT_SECURE 23
#define VESTA_AT_RANDOM 25
#define VESTA_AT_EXECFN 31

/* glibc tells where the block is. musl tells where the environment is, which may be a copy by the time we look: it is
 * read anew each time, and what lies behind it is not the auxiliary vector. */
extern void *__libc_stack_end VESTA_WEAK;
extern char **__environ VESTA_WEAK;

/* What neither tells, from /proc; the two files must fit here. */
static char proc_environment[4096];
static uint64_t proc_auxiliary[2 * 64];

static struct {
    bool read;
    bool secure;
    char **environment; /* ends with NULL; NULL if it is not known where the block is */
    size_t page_size;
    uint64_t random;
    const char *program;
} block;

static size_t read_file(const char *path, void *buffer, size_t size) {
    const long at_fdcwd = -100, close_on_exec = 02000000;
    long file = vesta_syscall(__NR_openat, at_fdcwd, (long)path, close_on_exec, 0, 0, 0);
    if (vesta_syscall_failed(file))
        return 0;
    size_t length = 0;
    while (length < size) {
        long part = vesta_syscall(__NR_read, file, (long)buffer + (long)length, (long)(size - length), 0, 0, 0);
        if (part <= 0)
            break;
        length += (size_t)part;
    }
    vesta_syscall(__NR_close, file, 0, 0, 0, 0, 0);
    return length;
}

static void read_auxiliary(const uint64_t *auxiliary) {
    for (; auxiliary[0] != 0; auxiliary += 2) {
        if (auxiliary[0] == VESTA_AT_PAGESZ)
            block.page_size = auxiliary[1];
        else if (auxiliary[0] == VESTA_AT_SECURE)
            block.secure = auxiliary[1] != 0;
        else if (auxiliary[0] == VESTA_AT_RANDOM)
            vesta_memcpy_inline(&block.random, (const void *)auxiliary[1], sizeof block.random); /* not aligned */
        else if (auxiliary[0] == VESTA_AT_EXECFN)
            block.program = (const char *)auxiliary[1];
    }
}

/* Reads the same facts however often; threads that race here write the same values. */
static void read_block(void) {
    const uint64_t *auxiliary = proc_auxiliary;
    if (&__libc_stack_end != NULL && __libc_stack_end != NULL) {
        const uint64_t *stack = __libc_stack_end;
        char **end = block.environment = (char **)(uintptr_t)(stack + 1 + stack[0] + 1);
        while (*end != NULL)
            end++;
        auxiliary = (const uint64_t *)(end + 1);
    } else {
        if (&__environ == NULL)
            read_file("/proc/self/environ", proc_environment, sizeof proc_environment - 1);
        read_file("/proc/self/auxv", proc_auxiliary, sizeof proc_auxiliary - 2 * sizeof *proc_auxiliary);
    }
    read_auxiliary(auxiliary);
    if (block.page_size == 0)
        block.page_size = 4096;
    __atomic_store_n(&block.read, true, __ATOMIC_RELEASE);
}

static inline void need_block(void) {
    if (!__atomic_load_n(&block.read, __ATOMIC_ACQUIRE))
        read_block();
}

/* The value if `entry` is "name=value". */
static const char *value_of(const char *entry, const char *name) {
    while (*name != '\0' && *entry == *name) {
        entry++;
        name++;
    }
    return *name == '\0' && *entry == '=' ? entry + 1 : NULL;
}

const char *vesta_os_environment(const char *name) {
    need_block();
    char **environment = block.environment != NULL ? block.environment : &__environ != NULL ? __environ : NULL;
    const char *value = NULL;
    if (environment != NULL) {
        for (char **entry = environment; *entry != NULL && value == NULL; entry++)
            value = value_of(*entry, name);
    } else {
        for (const char *entry = proc_environment; *entry != '\0' && value == NULL; entry++) {
            value = value_of(entry, name);
            while (*entry != '\0')
                entry++;
        }
    }
    return value;
}

bool vesta_os_is_secure(void) {
    need_block();
    return block.secure;
}

uint64_t vesta_os_random(void) {
    need_block();
    return block.random;
}

size_t vesta_os_page_size(void) {
    need_block();
    return block.page_size;
}

uint32_t vesta_os_process_id(void) {
    return (uint32_t)vesta_syscall(__NR_getpid, 0, 0, 0, 0, 0, 0);
}

const char *vesta_os_program_name(void) {
    need_block();
    const char *name = block.program != NULL ? block.program : "?";
    for (const char *c = name; *c != '\0'; c++)
        if (c[0] == '/' && c[1] != '\0')
            name = c + 1;
    return name;
}
