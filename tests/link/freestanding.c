/* A static program without any C library: it sets up its stack and its thread-local storage itself, and allocates and
 * frees through the core alone. The exit status says which step failed. */
#include <vesta/host_alloc.h>

#include <asm/prctl.h>
#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

static long system_call(long number, long a, long b) {
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b) : "rcx", "r11", "memory");
    return result;
}

_Noreturn static void leave(int status) {
    for (;;)
        system_call(SYS_exit_group, status, 0);
}

/* Variant II of "ELF Handling For Thread-Local Storage": the block ends where the thread pointer points to itself. */
static void set_up_thread_local_storage(void) {
    extern const Elf64_Ehdr __ehdr_start __attribute__((visibility("hidden")));
    static _Alignas(64) char area[4096];
    const char *image = (const char *)&__ehdr_start;
    const Elf64_Phdr *header = (const Elf64_Phdr *)(image + __ehdr_start.e_phoff);
    char *thread_pointer = area + sizeof area - 64;
    for (int i = 0; i < __ehdr_start.e_phnum; i++, header++) {
        if (header->p_type != PT_TLS)
            continue;
        const char *from = (const char *)header->p_vaddr;
        char *to = thread_pointer - (header->p_memsz + header->p_align - 1) / header->p_align * header->p_align;
        for (size_t at = 0; at < header->p_filesz; at++)
            to[at] = from[at];
    }
    *(void **)thread_pointer = thread_pointer;
    if (system_call(SYS_arch_prctl, ARCH_SET_FS, (long)thread_pointer) != 0)
        leave(1);
}

static bool holds(const char *block, size_t size, char byte) {
    for (size_t at = 0; at < size; at++)
        if (block[at] != byte)
            return false;
    return true;
}

static void fill(char *block, size_t size, char byte) {
    for (size_t at = 0; at < size; at++)
        block[at] = byte;
}

__attribute__((used)) _Noreturn static void run(void) {
    enum { COUNT = 1000 };
    static char *blocks[COUNT];
    set_up_thread_local_storage();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            size_t size = i * i / 10 + 1;
            blocks[i] = i % 3 == 0 ? vesta_host_calloc(1, size) : vesta_host_alloc(size);
            if (blocks[i] == NULL || (uintptr_t)blocks[i] % 16 != 0)
                leave(2);
            if (i % 3 == 0 && !holds(blocks[i], size, 0))
                leave(3);
            fill(blocks[i], size, (char)i);
        }
        for (size_t i = 0; i < COUNT; i++) {
            size_t size = i * i / 10 + 1;
            blocks[i] = vesta_host_realloc(blocks[i], 2 * size);
            if (blocks[i] == NULL || !holds(blocks[i], size, (char)i))
                leave(4);
        }
        for (size_t i = 0; i < COUNT; i++)
            vesta_host_free(blocks[i]);
    }
    void *aligned = vesta_host_alloc_aligned(100, 4096);
    if (aligned == NULL || (uintptr_t)aligned % 4096 != 0)
        leave(5);
    vesta_host_free_aligned(aligned);
    if (vesta_host_alloc(SIZE_MAX) != NULL)
        leave(6);
    if (vesta_host_alloc_active())
        leave(7); /* there is no malloc */
    VestaHostStats stats;
    vesta_host_alloc_stats(&stats);
    if (stats.committed_bytes == 0 || stats.used_bytes > 8 << 20)
        leave(8);
    vesta_host_trim(0);
    leave(0);
}

/* The kernel enters with an aligned stack and no return address; functions expect the state after a call. */
__asm__(".globl _start\n"
        "_start:\n"
        "    xorl %ebp, %ebp\n"
        "    call run\n");
