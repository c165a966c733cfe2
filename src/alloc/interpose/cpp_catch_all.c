/* The try block is what a C++ compiler makes of one: a frame whose personality is that of the C++ runtime, with a table
 * that sends every exception to the landing pad. In assembly, for C has no words for it. Formats: Itanium C++ ABI,
 * "Exception Handling Tables"; Linux Standard Base, "DWARF Exception Header Encoding". */
#include "cpp_catch_all.h"
#include "entry.h"

#if VESTA_DOOR != VESTA_DOOR_NONE

extern VestaCppFunction __gxx_personality_v0 VESTA_WEAK;
extern VestaCppFunction __cxa_begin_catch VESTA_WEAK;
extern VestaCppFunction __cxa_end_catch VESTA_WEAK;

/* Not static, for the assembly uses them. */
void *vesta_cpp_try(VestaCppFunction *allocate, size_t size, size_t alignment, const void *caller);
void vesta_cpp_caught(void *exception);
extern VestaCppFunction *vesta_cpp_personality;

__attribute__((used)) VestaCppFunction *vesta_cpp_personality = __gxx_personality_v0;

/* Where a plugin brought the runtime, all three are of the last one that was asked for; they work alike. */
static VestaCppFunction *begin_catch = __cxa_begin_catch;
static VestaCppFunction *end_catch = __cxa_end_catch;

__attribute__((used)) void vesta_cpp_caught(void *exception) {
    ((void *(*)(void *))begin_catch)(exception);
    end_catch();
}

void *vesta_cpp_catch_all(VestaCppFunction *allocate, size_t size, size_t alignment, const void *caller) {
    if (__gxx_personality_v0 == NULL) {
        begin_catch = vesta_cpp_function(NULL, "__cxa_begin_catch", caller);
        end_catch = vesta_cpp_function(NULL, "__cxa_end_catch", caller);
        vesta_cpp_personality = vesta_cpp_function(NULL, "__gxx_personality_v0", caller);
        if (vesta_cpp_personality == NULL)
            return NULL;
    }
    return vesta_cpp_try(allocate, size, alignment, caller);
}

#if defined(__x86_64__)
#define CODE                                                                                                           \
    "    subq $8, %rsp\n"                                                                                              \
    "    .cfi_def_cfa_offset 16\n"                                                                                     \
    "    movq %rdi, %rax\n"                                                                                            \
    "    movq %rsi, %rdi\n"                                                                                            \
    "    movq %rdx, %rsi\n"                                                                                            \
    "    movq %rcx, %rdx\n"                                                                                            \
    ".Lvesta_try_begin:\n"                                                                                             \
    "    call *%rax\n"                                                                                                 \
    ".Lvesta_try_end:\n"                                                                                               \
    "    addq $8, %rsp\n"                                                                                              \
    "    .cfi_def_cfa_offset 8\n"                                                                                      \
    "    ret\n"                                                                                                        \
    ".Lvesta_catch:\n"                                                                                                 \
    "    .cfi_def_cfa_offset 16\n"                                                                                     \
    "    movq %rax, %rdi\n" /* the exception */                                                                        \
    "    call vesta_cpp_caught\n"                                                                                      \
    "    xorl %eax, %eax\n"                                                                                            \
    "    addq $8, %rsp\n"                                                                                              \
    "    .cfi_def_cfa_offset 8\n"                                                                                      \
    "    ret\n"
#elif defined(__aarch64__)
#define CODE                                                                                                           \
    "    stp x29, x30, [sp, #-16]!\n"                                                                                  \
    "    .cfi_def_cfa_offset 16\n"                                                                                     \
    "    .cfi_offset 29, -16\n"                                                                                        \
    "    .cfi_offset 30, -8\n"                                                                                         \
    "    mov x29, sp\n"                                                                                                \
    "    mov x4, x0\n"                                                                                                 \
    "    mov x0, x1\n"                                                                                                 \
    "    mov x1, x2\n"                                                                                                 \
    "    mov x2, x3\n"                                                                                                 \
    ".Lvesta_try_begin:\n"                                                                                             \
    "    blr x4\n"                                                                                                     \
    ".Lvesta_try_end:\n"                                                                                               \
    "    b .Lvesta_return\n"                                                                                           \
    ".Lvesta_catch:\n" /* the exception is in x0 */                                                                    \
    "    bl vesta_cpp_caught\n"                                                                                        \
    "    mov x0, xzr\n"                                                                                                \
    ".Lvesta_return:\n"                                                                                                \
    "    ldp x29, x30, [sp], #16\n"                                                                                    \
    "    .cfi_def_cfa_offset 0\n"                                                                                      \
    "    .cfi_restore 29\n"                                                                                            \
    "    .cfi_restore 30\n"                                                                                            \
    "    ret\n"
#else
#error "vesta_cpp_try must be written for this architecture"
#endif

__asm__("    .text\n"
        "    .p2align 4\n"
        "    .globl vesta_cpp_try\n"
        "    .hidden vesta_cpp_try\n"
        "    .type vesta_cpp_try, %function\n"
        "vesta_cpp_try:\n"
        "    .cfi_startproc\n"
        "    .cfi_personality 0x9b, vesta_cpp_personality\n" /* indirect, relative, 4 bytes */
        "    .cfi_lsda 0x1b, .Lvesta_table\n"                /* relative, 4 bytes */
        ".Lvesta_function:\n" CODE "    .cfi_endproc\n"
        "    .size vesta_cpp_try, .-vesta_cpp_try\n"

        "    .section .gcc_except_table.vesta_cpp_try, \"a\", %progbits\n"
        "    .p2align 2\n"
        ".Lvesta_table:\n"
        "    .byte 0xff\n" /* landing pads count from the start of the function */
        "    .byte 0x1b\n" /* types are relative, 4 bytes */
        "    .uleb128 .Lvesta_types - .Lvesta_calls_format\n"
        ".Lvesta_calls_format:\n"
        "    .byte 0x01\n" /* uleb128 */
        "    .uleb128 .Lvesta_calls_end - .Lvesta_calls\n"
        ".Lvesta_calls:\n"
        "    .uleb128 .Lvesta_try_begin - .Lvesta_function\n"
        "    .uleb128 .Lvesta_try_end - .Lvesta_try_begin\n"
        "    .uleb128 .Lvesta_catch - .Lvesta_function\n"
        "    .uleb128 1\n" /* the first action: */
        ".Lvesta_calls_end:\n"
        "    .byte 1, 0\n" /* catch the first type, no further action */
        "    .p2align 2\n"
        "    .long 0\n" /* the first type, counted backwards from here: all of them */
        ".Lvesta_types:\n"
        "    .text\n");

#endif
