/* The try block for Windows' way of unwinding: the frame's handler is the C++ runtime's, and the table behind it is
 * that of the Itanium C++ ABI, as MinGW's compiler writes it. */
#include "../cpp_catch_all.h"

#include "../entry.h"

#if VESTA_DOOR != VESTA_DOOR_NONE

extern VestaCppFunction __gxx_personality_seh0 VESTA_WEAK;
extern VestaCppFunction __cxa_begin_catch VESTA_WEAK;
extern VestaCppFunction __cxa_end_catch VESTA_WEAK;

/* Not static, for the assembly uses them. */
void *vesta_cpp_try(VestaCppFunction *allocate, size_t size, size_t alignment, const void *caller);
void vesta_cpp_caught(void *exception);
extern VestaCppFunction *vesta_cpp_personality;

__attribute__((used)) VestaCppFunction *vesta_cpp_personality = __gxx_personality_seh0;

static VestaCppFunction *begin_catch = __cxa_begin_catch;
static VestaCppFunction *end_catch = __cxa_end_catch;

__attribute__((used)) void vesta_cpp_caught(void *exception) {
    ((void *(*)(void *))begin_catch)(exception);
    end_catch();
}

void *vesta_cpp_catch_all(VestaCppFunction *allocate, size_t size, size_t alignment, const void *caller) {
    if (__gxx_personality_seh0 == NULL) {
        begin_catch = vesta_cpp_function(NULL, "__cxa_begin_catch", caller);
        end_catch = vesta_cpp_function(NULL, "__cxa_end_catch", caller);
        vesta_cpp_personality = vesta_cpp_function(NULL, "__gxx_personality_seh0", caller);
        if (vesta_cpp_personality == NULL)
            return NULL;
    }
    return vesta_cpp_try(allocate, size, alignment, caller);
}

__asm__("    .text\n"
        "    .p2align 4\n"
        "vesta_cpp_handler:\n" /* the unwind data can name no variable */
        "    jmp *vesta_cpp_personality(%rip)\n"
        "    .p2align 4\n"
        "    .globl vesta_cpp_try\n"
        "    .seh_proc vesta_cpp_try\n"
        "vesta_cpp_try:\n"
        ".Lvesta_function:\n"
        "    subq $40, %rsp\n"
        "    .seh_stackalloc 40\n"
        "    .seh_endprologue\n"
        "    movq %rcx, %rax\n"
        "    movq %rdx, %rcx\n"
        "    movq %r8, %rdx\n"
        "    movq %r9, %r8\n"
        ".Lvesta_try_begin:\n"
        "    call *%rax\n"
        ".Lvesta_try_end:\n"
        "    nop\n" /* or the return address would seem to lie in the epilogue */
        ".Lvesta_return:\n"
        "    addq $40, %rsp\n"
        "    ret\n"
        ".Lvesta_catch:\n"
        "    movq %rax, %rcx\n" /* the exception */
        "    call vesta_cpp_caught\n"
        "    xorl %eax, %eax\n"
        "    jmp .Lvesta_return\n"
        "    .seh_handler vesta_cpp_handler, @unwind, @except\n"
        "    .seh_handlerdata\n"
        "    .p2align 2\n"
        "    .byte 0xff\n" /* landing pads count from the start of the function */
        "    .byte 0x9b\n" /* types are indirect, relative, 4 bytes */
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
        "    .text\n"
        "    .seh_endproc\n");

#endif
