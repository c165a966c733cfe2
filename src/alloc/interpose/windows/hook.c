#include "hook.h"

#include "decode.h"
#include "../../base/text.h"
#include "../../heap/stats.h"
#include "../../os/os.h"
#include "../../os/windows/nt.h"
#include "vesta/mem.h"

enum { JUMP_SIZE = 5, OS_PAGE = 4096, GRANULARITY = 64 << 10 };

/* Two pieces of code in reach of the module: what the function jumps to, which goes on to wherever the replacement is,
 * and the function's first instructions. */
typedef struct Relay {
    uint8_t to_replacement[16];
    uint8_t original[VESTA_MOVED_MAX];
} Relay;

enum { RELAYS = OS_PAGE / sizeof(Relay) };

/* A page within 2 GiB of the whole module, or NULL: the first free place below it. */
static Relay *allocate_relays(const char *module) {
    for (const char *place = module - GRANULARITY; module - place < INT32_MAX / 2; place -= GRANULARITY) {
        MEMORY_BASIC_INFORMATION area;
        if (VirtualQuery(place, &area, sizeof area) == 0)
            return NULL;
        void *page = area.State != MEM_FREE ? NULL
                                            : VirtualAlloc((void *)(uintptr_t)place, OS_PAGE, MEM_RESERVE | MEM_COMMIT,
                                                           PAGE_EXECUTE_READWRITE);
        if (page != NULL)
            return page;
        if (area.State != MEM_FREE)
            place = area.AllocationBase;
    }
    return NULL;
}

static void write_jump_anywhere(uint8_t *code, VestaFunction *target) {
    static const uint8_t jump_indirect[] = {0xFF, 0x25, 0, 0, 0, 0}; /* to what is written behind it */
    vesta_memcpy_inline(code, jump_indirect, sizeof jump_indirect);
    vesta_memcpy_inline(code + sizeof jump_indirect, &target, sizeof target);
}

/* Other threads may be about to run it: the eight bytes are written at once. */
static bool write_jump(uint8_t *code, const uint8_t *target) {
    DWORD before;
    if (!VirtualProtect(code, sizeof(uint64_t), PAGE_EXECUTE_READWRITE, &before))
        return false;
    uint8_t bytes[sizeof(uint64_t)];
    vesta_memcpy_inline(bytes, code, sizeof bytes);
    int32_t distance = (int32_t)(target - (code + JUMP_SIZE));
    bytes[0] = 0xE9;
    vesta_memcpy_inline(bytes + 1, &distance, sizeof distance);
    uint64_t word;
    vesta_memcpy_inline(&word, bytes, sizeof word);
    __asm__ volatile("movq %1, %0" : "=m"(*(uint64_t *)(void *)code) : "r"(word) : "memory");
    VirtualProtect(code, sizeof(uint64_t), before, &before);
    FlushInstructionCache(GetCurrentProcess(), code, JUMP_SIZE);
    return true;
}

/* Where the function ends, by the module's unwind data; its start if that does not say. */
static const uint8_t *end_of(const uint8_t *code) {
    DWORD64 image;
    const RUNTIME_FUNCTION *function = RtlLookupFunctionEntry((DWORD64)(uintptr_t)code, &image, NULL);
    return function != NULL ? (const uint8_t *)(uintptr_t)(image + function->EndAddress) : code;
}

static bool leads_to(const uint8_t *code, const Relay *relays, size_t count) {
    VestaInstruction instruction;
    if (!vesta_decode(code, &instruction) || instruction.flow != VESTA_FLOW_JUMP)
        return false;
    const uint8_t *target = vesta_decode_target(code, &instruction);
    return target >= (const uint8_t *)relays && target < (const uint8_t *)(relays + count);
}

static bool hook_function(uint8_t *code, const VestaHook *hook, Relay *relay) {
    size_t moved = vesta_decode_move(code, JUMP_SIZE, relay->original);
    if (moved == 0 || vesta_decode_jumps_into(code, end_of(code), moved))
        return false;
    write_jump_anywhere(relay->to_replacement, hook->replacement);
    if (hook->original != NULL)
        *hook->original = (VestaFunction *)(uintptr_t)relay->original;
    return write_jump(code, relay->to_replacement);
}

static void say(const char *name) {
    if (!vesta_stats_on())
        return;
    char characters[128];
    VestaText line = {.characters = characters, .capacity = sizeof characters};
    vesta_text_add(&line, "vesta_alloc: cannot hook ");
    vesta_text_add(&line, name);
    vesta_text_add(&line, " of the C runtime: what it allocates is not seen\n");
    vesta_os_write_error(line.characters, line.length);
}

void vesta_hook_module(void *module, const VestaHook *hooks, size_t count) {
    Relay *relays = allocate_relays(module);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t *code = (uint8_t *)(uintptr_t)GetProcAddress(module, hooks[i].name);
        /* A second name of the same function. */
        if (code == NULL || (relays != NULL && leads_to(code, relays, used)))
            continue;
        if (relays == NULL || used == RELAYS || !hook_function(code, &hooks[i], &relays[used]))
            say(hooks[i].name);
        else
            used++;
    }
    DWORD before;
    if (relays != NULL)
        VirtualProtect(relays, OS_PAGE, PAGE_EXECUTE_READ, &before);
}
