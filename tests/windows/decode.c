/* The decoder: what is moved must do there what it did. */
#include "../heap/support.h"

#include <windows.h>

#include "alloc/interpose/windows/decode.h"

static unsigned length_of(const char *code) {
    VestaInstruction instruction;
    return vesta_decode((const uint8_t *)code, &instruction) ? instruction.length : 0;
}

static void instructions_are_as_long_as_the_manual_says(void **state) {
    (void)state;
    const struct {
        const char *code;
        unsigned length;
    } known[] = {
        {"\x55\x90", 1},                                      /* push rbp */
        {"\x41\x57\x90", 2},                                  /* push r15 */
        {"\x48\x89\x5C\x24\x08\x90", 5},                      /* mov [rsp+8], rbx */
        {"\x48\x83\xEC\x28\x90", 4},                          /* sub rsp, 40 */
        {"\x48\x81\xEC\x28\x01\x00\x00\x90", 7},              /* sub rsp, 296 */
        {"\x48\x8B\x05\x11\x22\x33\x44\x90", 7},              /* mov rax, [rip+x] */
        {"\x48\x8B\x04\x25\x11\x22\x33\x44\x90", 8},          /* mov rax, [x] */
        {"\x65\x48\x8B\x04\x25\x30\x00\x00\x00\x90", 9},      /* mov rax, gs:[48] */
        {"\x48\xB8\x01\x02\x03\x04\x05\x06\x07\x08\x90", 10}, /* mov rax, x */
        {"\xB8\x01\x02\x03\x04\x90", 5},                      /* mov eax, x */
        {"\x66\xB8\x01\x02\x90", 4},                          /* mov ax, x */
        {"\x66\xC7\x44\x24\x10\x01\x02\x90", 7},              /* mov word [rsp+16], x */
        {"\xC6\x05\x11\x22\x33\x44\x01\x90", 7},              /* mov byte [rip+x], 1 */
        {"\xF6\xC1\x0F\x90", 3},                              /* test cl, 15 */
        {"\xF6\xD9\x90", 2},                                  /* neg cl */
        {"\x48\xF7\xC1\x0F\x00\x00\x00\x90", 7},              /* test rcx, 15 */
        {"\x48\xF7\xE1\x90", 3},                              /* mul rcx */
        {"\xF3\x0F\x1E\xFA\x90", 4},                          /* endbr64 */
        {"\x66\x0F\x1F\x84\x00\x00\x00\x00\x00\x90", 9},      /* nop */
        {"\x0F\x84\x01\x02\x03\x04\x90", 6},                  /* je */
        {"\x74\x05\x90", 2},                                  /* je */
        {"\xFF\x25\x01\x02\x03\x04\x90", 6},                  /* jmp [rip+x] */
        {"\x0F\x29\x74\x24\x20\x90", 5},                      /* movaps [rsp+32], xmm6 */
        {"\x66\x0F\x70\xC0\x00\x90", 5},                      /* pshufd xmm0, xmm0, 0 */
        {"\x48\x0F\xBA\xE0\x3F\x90", 5},                      /* bt rax, 63 */
        {"\x06\x90", 0},                                      /* not in 64-bit code */
        {"\xC5\xF8\x77\x90", 0},                              /* vzeroupper: not known */
        {"\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x66\x90", 0},
    };
    for (size_t i = 0; i < LENGTH(known); i++)
        if (length_of(known[i].code) != known[i].length)
            fail_msg("%zu: %u, not %u", i, length_of(known[i].code), known[i].length);
}

/* Whole functions of other compilers' code: the last instruction ends where the unwind data says, or, where one is not
 * known, before it. */
static void functions_of_the_runtime_end_where_they_end(void **state) {
    (void)state;
    const char *image = (const char *)GetModuleHandleA("msvcrt.dll");
    const IMAGE_NT_HEADERS64 *headers =
        (const void *)(image + ((const IMAGE_DOS_HEADER *)(const void *)image)->e_lfanew);
    const IMAGE_DATA_DIRECTORY *directory = &headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_EXCEPTION];
    const RUNTIME_FUNCTION *functions = (const void *)(image + directory->VirtualAddress);
    size_t count = directory->Size / sizeof *functions, whole = 0;
    assert_true(count > 500);
    for (size_t i = 0; i < count; i++) {
        const uint8_t *at = (const uint8_t *)image + functions[i].BeginAddress;
        const uint8_t *end = (const uint8_t *)image + functions[i].EndAddress;
        VestaInstruction instruction;
        while (at < end && vesta_decode(at, &instruction))
            at += instruction.length;
        if (at > end)
            fail_msg("decoded beyond the end of the function at +0x%lx", (unsigned long)functions[i].BeginAddress);
        whole += at == end;
    }
    assert_true(whole > count * 9 / 10);
}

/* ---- Moving ---- */

static uint8_t *code; /* a page that may be run */

static int need_code(void **state) {
    (void)state;
    code = VirtualAlloc(NULL, 4096, MEM_RESERVE | MEM_COMMIT, PAGE_EXECUTE_READWRITE);
    return code == NULL;
}

enum { MOVED = 1024, ELSEWHERE = 2048 };

static size_t move(const char *bytes, size_t size) {
    memset(code, 0xCC, 4096);
    memcpy(code, bytes, size);
    return vesta_decode_move(code, 5, code + MOVED);
}

#define MOVE(bytes) move(bytes, sizeof bytes - 1)

typedef int Function(int);

static int call(size_t at, int argument) {
    return ((Function *)(uintptr_t)(code + at))(argument);
}

static void what_was_moved_goes_on_behind(void **state) {
    (void)state;
    /* lea eax, [rcx+1]; add eax, ecx; add eax, eax; ret */
    assert_int_equal(MOVE("\x8D\x41\x01\x01\xC8\x01\xC0\xC3"), 5);
    assert_int_equal(call(0, 20), 82);
    assert_int_equal(call(MOVED, 20), 82);
}

static void a_short_jump_becomes_a_long_one(void **state) {
    (void)state;
    /* test ecx, ecx; je 1f; mov eax, ecx; ret; 1: mov eax, 77; ret */
    assert_int_equal(MOVE("\x85\xC9\x74\x03\x89\xC8\xC3\xB8\x4D\x00\x00\x00\xC3"), 6);
    assert_int_equal(call(MOVED, 5), 5);
    assert_int_equal(call(MOVED, 0), 77);
}

static void an_address_relative_to_the_instruction_is_corrected(void **state) {
    (void)state;
    /* mov eax, [rip+10]; add eax, ecx; ret */
    assert_int_equal(MOVE("\x8B\x05\x0A\x00\x00\x00\x01\xC8\xC3\xCC\xCC\xCC\xCC\xCC\xCC\xCC\x2A\x00\x00\x00"), 6);
    assert_int_equal(call(MOVED, 1), 43);
}

static void a_call_still_reaches_its_function(void **state) {
    (void)state;
    /* sub rsp, 40; call +0x7F7 (to 2048); add rsp, 40; ret */
    move("\x48\x83\xEC\x28\xE8\xF7\x07\x00\x00\x48\x83\xC4\x28\xC3", 14);
    memcpy(code + ELSEWHERE, "\x8D\x41\x03\xC3", 4); /* lea eax, [rcx+3]; ret */
    assert_int_equal(call(MOVED, 4), 7);
}

static void a_jump_as_a_whole_function_is_moved(void **state) {
    (void)state;
    assert_int_equal(MOVE("\xE9\xFB\x07\x00\x00"), 5); /* to 2048 */
    memcpy(code + ELSEWHERE, "\x8D\x41\x03\xC3", 4);
    assert_int_equal(call(MOVED, 4), 7);
}

static void a_function_that_is_too_short_has_padding_behind_it(void **state) {
    (void)state;
    assert_int_equal(MOVE("\x89\xC8\xC3\xCC\xCC\xCC"), 5); /* mov eax, ecx; ret */
    assert_int_equal(call(MOVED, 4), 4);
    assert_int_equal(MOVE("\x89\xC8\xC3\x55\x90\x90"), 0);
}

static void what_cannot_be_moved_is_refused(void **state) {
    (void)state;
    assert_int_equal(MOVE("\xC5\xF8\x77\x90\x90\x90"), 0); /* not known */
    assert_int_equal(MOVE("\x90\x90\xEB\xFD\x90\x90"), 0); /* jumps among what is moved */
    assert_int_equal(MOVE("\x90\x90\x75\x01\x90\x90"), 5); /* just behind it is fine */
    /* A loop to the second instruction, found in the rest of the function. */
    static const uint8_t loop[] = {0x90, 0xFF, 0xC9, 0x85, 0xC9, 0x90, 0x75, 0xF9, 0xC3};
    assert_true(vesta_decode_jumps_into(loop, loop + sizeof loop, 5));
    assert_false(vesta_decode_jumps_into(loop, loop + sizeof loop, 1));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_as_long_as_the_manual_says),
        cmocka_unit_test(functions_of_the_runtime_end_where_they_end),
        cmocka_unit_test(what_was_moved_goes_on_behind),
        cmocka_unit_test(a_short_jump_becomes_a_long_one),
        cmocka_unit_test(an_address_relative_to_the_instruction_is_corrected),
        cmocka_unit_test(a_call_still_reaches_its_function),
        cmocka_unit_test(a_jump_as_a_whole_function_is_moved),
        cmocka_unit_test(a_function_that_is_too_short_has_padding_behind_it),
        cmocka_unit_test(what_cannot_be_moved_is_refused),
    };
    return cmocka_run_group_tests(tests, need_code, NULL);
}
