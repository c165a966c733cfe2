#include "walk.h"

#include "stacks.h"
#include "unwind_rule.h"
#include "../../alloc/os/os.h"

static uintptr_t own_start, own_end;

void vesta_walk_leave_out(uintptr_t start, uintptr_t end) {
    own_start = start;
    own_end = end;
}

/* ---- One step ---- */

typedef struct Walk {
    uintptr_t address, stack_pointer, frame_pointer;
    uintptr_t high;       /* the stack may be read up to here */
    bool is_threads;      /* it is the thread's own stack, else what lies above a page is looked at before it is read */
    bool crossed_signal;  /* the interrupted frames are not found by the words that were kept */
    uint32_t ending;      /* 0 while it goes on, and where the stack ends as it should */
    VestaUnwindRule rule; /* of the last step */
    const uintptr_t *slot; /* where the last step found frame_pointer, NULL if it is unchanged */
} Walk;

static VESTA_NOINLINE bool extend(Walk *walk, uintptr_t end) {
    if (walk->is_threads || end - walk->high > (1 << 20))
        return false;
    uintptr_t os_page = vesta_os_page_size(), word;
    while (walk->high < end) {
        if (!vesta_os_read_memory(walk->high, &word, sizeof word))
            return false;
        walk->high += os_page;
    }
    return true;
}

static inline bool may_read(Walk *walk, uintptr_t end) {
    return VESTA_LIKELY(end <= walk->high) || extend(walk, end);
}

static void set_limits(Walk *walk, const VestaStackLimits *limits) {
    walk->is_threads = walk->stack_pointer >= limits->low && walk->stack_pointer < limits->high;
    uintptr_t os_page = vesta_os_page_size();
    walk->high = walk->is_threads ? limits->high : (walk->stack_pointer + os_page) & ~(os_page - 1);
}

static inline bool break_off(Walk *walk) {
    walk->ending = VESTA_END_BROKEN;
    return false;
}

/* Sanitizers know of no reason to read other functions' frames. */
static inline __attribute__((no_sanitize("address", "thread"))) uintptr_t load(uintptr_t address) {
    return *(const uintptr_t *)address;
}

/* The kernel's frame is a ucontext_t (x86-64: registers from byte 40 on, rbp the 11th, rsp the 16th, rip the 17th). */
static VESTA_NOINLINE bool step_signal(Walk *walk, const VestaStackLimits *limits) {
#if defined(__x86_64__)
    const uintptr_t context = walk->stack_pointer;
    if (!may_read(walk, context + 40 + 17 * 8))
        return break_off(walk);
    walk->crossed_signal = true;
    /* Not a return address: one more, so that one less is looked up. */
    walk->address = load(context + 40 + 16 * 8) + 1;
    walk->frame_pointer = load(context + 40 + 10 * 8);
    walk->stack_pointer = load(context + 40 + 15 * 8);
    if (walk->stack_pointer % 8 != 0)
        return break_off(walk);
    bool was_threads = walk->is_threads;
    set_limits(walk, limits);
    /* From one stack to another at most once: from the signal handler's own. */
    if (!walk->is_threads && !was_threads && walk->stack_pointer < context)
        return break_off(walk);
    uintptr_t word;
    if (!walk->is_threads && !vesta_os_read_memory(walk->stack_pointer, &word, sizeof word))
        return break_off(walk);
    return true;
#else
    (void)limits;
    return break_off(walk);
#endif
}

static VESTA_NOINLINE bool step_frame_pointer(Walk *walk) {
    uintptr_t frame = walk->frame_pointer;
    if (frame < walk->stack_pointer || frame % 8 != 0 || !may_read(walk, frame + 16) ||
        !vesta_unwind_is_code(load(frame + 8)))
        return break_off(walk);
    walk->slot = (const uintptr_t *)frame;
    walk->frame_pointer = load(frame);
    walk->address = load(frame + 8);
    walk->stack_pointer = frame + 16;
    return true;
}

/* To the caller's frame; false at the end of the stack. */
static inline bool step(Walk *walk, const VestaStackLimits *limits) {
    VestaUnwindRule rule = walk->rule = vesta_unwind_rule(walk->address);
    walk->slot = NULL;
    if (VESTA_UNLIKELY(rule.kind != VESTA_RULE_CFA)) {
        if (rule.kind == VESTA_RULE_FRAME_POINTER)
            return step_frame_pointer(walk);
        if (rule.kind == VESTA_RULE_SIGNAL)
            return step_signal(walk, limits);
        return rule.kind == VESTA_RULE_END ? false : break_off(walk);
    }
    uintptr_t cfa = (rule.from_frame_pointer ? walk->frame_pointer : walk->stack_pointer) + rule.cfa_words * 8;
    if (VESTA_UNLIKELY(cfa <= walk->stack_pointer || cfa % 8 != 0 || !may_read(walk, cfa)))
        return break_off(walk);
    if (rule.saved_words != 0) {
        walk->slot = (const uintptr_t *)(cfa - rule.saved_words * 8);
        if (VESTA_UNLIKELY((uintptr_t)walk->slot < walk->stack_pointer))
            return break_off(walk);
        walk->frame_pointer = load((uintptr_t)walk->slot);
    }
    walk->address = load(cfa - 8);
    walk->stack_pointer = cfa;
    /* A thread's first function need not say that it is the first. */
    return VESTA_LIKELY(walk->address >= 4096);
}

/* ---- The last stack ---- */

static void forget(VestaWalker *walker) {
    walker->first = walker->end = VESTA_WALK_FRAMES;
    walker->words_first = walker->words_end = 2 * VESTA_WALK_FRAMES;
    walker->ending = 0;
}

/* From which frame on the words are what they were, going inwards as far as frame `first`. */
static inline uint32_t unchanged_from(const VestaWalker *walker, uint32_t first) {
    uint32_t word = walker->words_end, stop = walker->frames[first].words;
    while (word > stop && load((uintptr_t)walker->words[word - 1].place) == walker->words[word - 1].value)
        word--;
    if (VESTA_LIKELY(word == stop))
        return first;
    while (first < walker->end && walker->frames[first].words < word)
        first++;
    return first;
}

static inline uint64_t fold(uint64_t hash, uintptr_t address) {
    hash = (hash ^ address) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static inline uint64_t hash_of_ending(uint32_t ending) {
    return UINT64_C(0x8BB84B93962EACC9) * (ending + 1);
}

static uint64_t hash_of_last(const VestaWalker *walker) {
    return walker->first != walker->end ? walker->frames[walker->first].hash : hash_of_ending(walker->ending);
}

static inline void push_word(VestaWalker *walker, const uintptr_t *place, uintptr_t value) {
    walker->words[--walker->words_first] = (VestaStackWord){place, value};
}

/* Puts the new frames before those of the last stack. For each: whether its rule counts from the frame pointer, and
 * where that rule found the caller's. */
static void push_fresh(VestaWalker *walker, uint32_t count, bool *from_pointer, const uintptr_t **slots) {
    for (uint32_t i = count; i-- != 0;) {
        VestaFrame frame = walker->fresh[i];
        const VestaFrame *outer = walker->first != walker->end ? &walker->frames[walker->first] : NULL;
        uint64_t hash = hash_of_last(walker);
        bool outer_needs = outer != NULL && outer->needs_pointer;
        if (outer != NULL)
            push_word(walker, (const uintptr_t *)(outer->stack_pointer - 8), outer->address);
        if (outer_needs && slots[i] != NULL)
            push_word(walker, slots[i], outer->frame_pointer);
        frame.needs_pointer = from_pointer[i] || (outer_needs && slots[i] == NULL);
        frame.words = (uint16_t)walker->words_first;
        frame.hash = fold(hash, frame.address);
        frame.node = VESTA_NODE_NONE;
        walker->frames[--walker->first] = frame;
    }
}

/* Drops outer frames beyond the limit: what is left hangs on another end. */
static void truncate(VestaWalker *walker, uint32_t limit) {
    walker->end = walker->first + limit;
    walker->words_end = walker->frames[walker->end - 1].words;
    walker->ending = VESTA_END_TRUNCATED;
    uint64_t hash = hash_of_ending(walker->ending);
    for (uint32_t i = walker->end; i-- != walker->first;) {
        walker->frames[i].hash = hash = fold(hash, walker->frames[i].address);
        walker->frames[i].node = VESTA_NODE_NONE;
    }
}

uint64_t vesta_walk(VestaWalker *walker, const VestaCaller *caller, const VestaStackLimits *limits, uint32_t thread,
                    uint32_t limit) {
    bool from_pointer[VESTA_DEPTH_MAX];
    const uintptr_t *slots[VESTA_DEPTH_MAX];
    Walk walk = {
        .address = (uintptr_t)caller->return_address,
        .stack_pointer = (uintptr_t)caller + sizeof *caller,
        .frame_pointer = (uintptr_t)caller->frame_pointer,
    };
    set_limits(&walk, limits);
    if (VESTA_LIKELY(!vesta_unwind_is_loader(walk.address)))
        vesta_unwind_refresh();
    uint32_t generation = vesta_unwind_generation();
    if (VESTA_UNLIKELY(walker->thread != thread || walker->generation != generation || !walk.is_threads ||
                       walker->first < limit || walker->words_first < 2 * limit)) {
        forget(walker);
        walker->thread = thread;
        walker->generation = generation;
    }
    uint32_t count = 0, match = walker->first, last = walker->end;
    bool verified = false, matched = false, going = true, inner = true;
    while (going) {
        while (match < last && walker->frames[match].stack_pointer < walk.stack_pointer)
            match++;
        if (match < last && walker->frames[match].stack_pointer == walk.stack_pointer &&
            walker->frames[match].address == walk.address &&
            (!walker->frames[match].needs_pointer || walker->frames[match].frame_pointer == walk.frame_pointer)) {
            if (!verified) {
                uint32_t unchanged = unchanged_from(walker, match);
                verified = true;
                matched = unchanged == match;
                match = unchanged;
            } else {
                matched = true;
            }
            if (matched) {
                /* The last stack was cut off where this one goes on. */
                if (walker->ending != VESTA_END_TRUNCATED || count + (last - match) >= limit)
                    break;
                matched = false;
                match = last;
            }
        }
        if (inner && VESTA_UNLIKELY(walk.address - own_start < own_end - own_start)) {
            going = step(&walk, limits);
            continue;
        }
        inner = false;
        if (count == limit)
            break;
        walker->fresh[count] = (VestaFrame){
            .address = walk.address, .stack_pointer = walk.stack_pointer, .frame_pointer = walk.frame_pointer};
        going = step(&walk, limits);
        slots[count] = walk.slot;
        from_pointer[count] = walk.rule.from_frame_pointer || walk.rule.kind == VESTA_RULE_FRAME_POINTER;
        count++;
    }
    if (matched) {
        walker->first = match;
        walker->words_first = walker->frames[match].words;
    } else {
        forget(walker);
        walker->ending = going ? VESTA_END_TRUNCATED : walk.ending;
        if (!going && walk.ending == 0 && walk.rule.kind == VESTA_RULE_CFA)
            push_word(walker, (const uintptr_t *)(walk.stack_pointer - 8), walk.address);
    }
    push_fresh(walker, count, from_pointer, slots);
    if (VESTA_UNLIKELY(walker->end - walker->first > limit))
        truncate(walker, limit);
    uint64_t hash = hash_of_last(walker);
    bool guessed = walk.ending == VESTA_END_BROKEN && walk.rule.kind == VESTA_RULE_FRAME_POINTER;
    if (VESTA_UNLIKELY(!walk.is_threads || walk.crossed_signal || guessed))
        walker->thread = 0;
    return hash;
}

uint32_t vesta_walk_node(VestaWalker *walker) {
    uint32_t known = walker->first;
    while (known < walker->end && walker->frames[known].node == VESTA_NODE_NONE)
        known++;
    uint32_t node = VESTA_NODE_NONE;
    if (known < walker->end)
        node = walker->frames[known].node;
    else if (walker->ending != 0)
        node = vesta_stack_node(VESTA_NODE_NONE, walker->ending);
    for (; known-- != walker->first;) {
        node = vesta_stack_node(node, walker->frames[known].address);
        if (node == VESTA_NODE_NONE)
            return node;
        walker->frames[known].node = node;
    }
    return node;
}
