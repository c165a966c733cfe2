#include "unwind_rule.h"

#include "eh_frame.h"
#include "memory.h"
#include "../../alloc/base/compiler.h"
#include "../../alloc/os/os.h"
#include "../symbols/modules.h"

enum {
    SETS_SHIFT = 15, /* of two entries each: 512 KiB */
    MODULES_MAX = 4096,
    UPDATE_MILLISECONDS = 10, /* unknown code makes the list of modules be read no more often */
    COMPARED = 256,           /* bytes of .eh_frame_hdr that must be alike in the file and in memory */
};

/* An address's upper 32 bits from bit 15 on, then its rule; the lower ones are the place. 0 is free. */
typedef uint64_t Entry;

static Entry (*entries)[2];
static uint32_t generation = 1;

static VestaUnwindRule rule_of(Entry entry) {
    union {
        uint32_t word;
        VestaUnwindRule rule;
    } value = {.word = (uint32_t)entry};
    return value.rule;
}

static Entry entry_of(uintptr_t address, VestaUnwindRule rule) {
    union {
        VestaUnwindRule rule;
        uint32_t word;
    } value = {.rule = rule};
    return (uint64_t)(address >> SETS_SHIFT) << 32 | value.word;
}

bool vesta_unwind_rules_start(void) {
    entries = vesta_record_pages(sizeof *entries << SETS_SHIFT, 0);
    return entries != NULL;
}

uint32_t vesta_unwind_generation(void) {
    return __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
}

/* ---- Modules ---- */

/* What is known of a module's frames, made when the first is looked for. The file stays mapped, also when the module
 * goes: a thread may be reading it. */
static VestaEhFrame *frames_of_modules[MODULES_MAX];
static VestaRecordPool pool;
static bool stale = true; /* the loader has been at work since the last look */
static uint64_t last_update;

/* One thread at a time, and no waiting: the number of its process, so that a forked child is not kept out for ever. */
static uint32_t busy;

static bool begin(void) {
    uint32_t self = vesta_os_process_id(), seen = __atomic_load_n(&busy, __ATOMIC_RELAXED);
    return seen != self && __atomic_compare_exchange_n(&busy, &seen, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

static void end(void) {
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

static void forget_rules(void) {
    for (size_t i = 0; i < (size_t)1 << SETS_SHIFT; i++)
        for (size_t j = 0; j < 2; j++)
            if (entries[i][j] != 0)
                __atomic_store_n(&entries[i][j], 0, __ATOMIC_RELAXED);
    __atomic_fetch_add(&generation, 1, __ATOMIC_RELEASE);
}

static size_t modules_gone(void) {
    size_t gone = 0;
    for (size_t i = 0; i < vesta_module_count(); i++)
        gone += vesta_module(i)->unloaded;
    return gone;
}

/* Rules about a module that went may be taken for those of what came to its place. */
static void update(void) {
    static size_t gone_before;
    __atomic_store_n(&stale, false, __ATOMIC_RELAXED);
    last_update = vesta_os_milliseconds();
    vesta_modules_update();
    size_t gone = modules_gone();
    if (gone != gone_before)
        forget_rules();
    gone_before = gone;
}

extern char __tls_get_addr VESTA_WEAK;

/* Every dlopen allocates: that is how it is noticed. */
bool vesta_unwind_is_loader(uintptr_t address) {
    static uintptr_t start, size;
    static bool known;
    if (VESTA_UNLIKELY(!__atomic_load_n(&known, __ATOMIC_ACQUIRE))) {
        const VestaModule *loader = vesta_module_count() != 0 ? vesta_module_at((uintptr_t)&__tls_get_addr) : NULL;
        if (loader != NULL && !loader->is_program) {
            __atomic_store_n(&start, loader->text_start, __ATOMIC_RELAXED);
            __atomic_store_n(&size, loader->text_end - loader->text_start, __ATOMIC_RELAXED);
        }
        if (vesta_module_count() != 0)
            __atomic_store_n(&known, true, __ATOMIC_RELEASE);
    }
    bool is_loader = address - __atomic_load_n(&start, __ATOMIC_RELAXED) < __atomic_load_n(&size, __ATOMIC_RELAXED);
    if (VESTA_UNLIKELY(is_loader))
        __atomic_store_n(&stale, true, __ATOMIC_RELAXED);
    return is_loader;
}

void vesta_unwind_refresh(void) {
    if (VESTA_LIKELY(!__atomic_load_n(&stale, __ATOMIC_RELAXED)) || !begin())
        return;
    update();
    end();
}

bool vesta_unwind_is_code(uintptr_t address) {
    return vesta_module_at(address) != NULL;
}

/* The module's file as it was loaded: another one may have taken its name since. */
static bool is_same(const VestaModule *module, const VestaEhFrame *frames) {
    uint8_t here[COMPARED];
    VestaBytes there = vesta_bytes_part(frames->file, frames->header + frames->to_offset, sizeof here);
    if (!vesta_os_read_memory(module->bias + (uintptr_t)frames->header, here, there.size))
        return false;
    for (size_t i = 0; i < there.size; i++)
        if (here[i] != there.data[i])
            return false;
    return true;
}

/* Under begin(). */
static VestaEhFrame *open_frames(const VestaModule *module) {
    VestaEhFrame *frames = vesta_record_take(&pool, sizeof *frames);
    if (frames == NULL)
        return NULL;
    VestaFileView view;
    if (vesta_os_map_file(module->path, &view)) {
        vesta_eh_frame_open(frames, (VestaBytes){view.bytes, view.size});
        if (frames->table_length != 0 && !is_same(module, frames))
            frames->table_length = 0;
        if (frames->table_length == 0)
            vesta_os_unmap_file(&view);
    }
    __atomic_store_n(&frames_of_modules[module->index], frames, __ATOMIC_RELEASE);
    return frames;
}

/* mov $15, %rax (or %eax); syscall: what a signal handler returns to, in C libraries that describe it in no table. */
static bool is_signal_return(uintptr_t address) {
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
    static const uint8_t shorter[] = {0xb8, 0x0f, 0x00, 0x00, 0x00, 0x0f, 0x05};
    uint8_t here[sizeof code];
    if (!vesta_os_read_memory(address, here, sizeof here))
        return false;
    bool is = true, is_shorter = true;
    for (size_t i = 0; i < sizeof code; i++)
        is = is && here[i] == code[i];
    for (size_t i = 0; i < sizeof shorter; i++)
        is_shorter = is_shorter && here[i] == shorter[i];
    return is || is_shorter;
}

/* `*found` is false where more may be known later. */
static VestaUnwindRule work_out(uintptr_t address, bool *found) {
    VestaUnwindRule rule = {.kind = VESTA_RULE_FRAME_POINTER};
    *found = false;
    if (is_signal_return(address)) {
        *found = true;
        return (VestaUnwindRule){.kind = VESTA_RULE_SIGNAL};
    }
    /* What has to be looked up is the call before it. */
    VestaModule *module = vesta_module_at(address - 1);
    if (module == NULL || module->unloaded) {
        if (vesta_os_milliseconds() - last_update < UPDATE_MILLISECONDS || !begin())
            return rule;
        update();
        end();
        module = vesta_module_at(address - 1);
        *found = module == NULL || module->unloaded;
        if (*found)
            return rule;
    }
    if (module->index >= MODULES_MAX)
        return rule;
    VestaEhFrame *frames = __atomic_load_n(&frames_of_modules[module->index], __ATOMIC_ACQUIRE);
    if (frames == NULL) {
        if (!begin())
            return rule;
        frames = __atomic_load_n(&frames_of_modules[module->index], __ATOMIC_ACQUIRE);
        frames = frames != NULL ? frames : open_frames(module);
        end();
    }
    *found = true;
    return frames != NULL ? vesta_eh_frame_rule(frames, address - 1 - module->bias) : rule;
}

static VESTA_NOINLINE VestaUnwindRule find(uintptr_t address, Entry *set) {
    bool found;
    uint32_t before = vesta_unwind_generation();
    VestaUnwindRule rule = work_out(address, &found);
    if (found && before == vesta_unwind_generation()) {
        __atomic_store_n(&set[1], __atomic_load_n(&set[0], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
        __atomic_store_n(&set[0], entry_of(address, rule), __ATOMIC_RELAXED);
    }
    return rule;
}

VestaUnwindRule vesta_unwind_rule(uintptr_t address) {
    Entry *set = entries[address & (((uintptr_t)1 << SETS_SHIFT) - 1)];
    Entry tag = address >> SETS_SHIFT;
    Entry entry = __atomic_load_n(&set[0], __ATOMIC_RELAXED);
    if (VESTA_LIKELY(entry >> 32 == tag))
        return rule_of(entry);
    entry = __atomic_load_n(&set[1], __ATOMIC_RELAXED);
    return entry >> 32 == tag ? rule_of(entry) : find(address, set);
}
