/* How to get from a frame to its caller's, per return address, in one word:
 *
 *   CFA = (rsp or rbp) + offset;  return address at CFA - 8;  the caller's rbp at CFA - offset, or unchanged
 *
 * (DWARF 5, section 6.4: the canonical frame address is the caller's rsp after the return.) Worked out from the
 * module's .eh_frame once and then kept in a table for all threads. */
#ifndef VESTA_RECORD_UNWIND_RULE_H
#define VESTA_RECORD_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum VestaRuleKind {
    VESTA_RULE_UNKNOWN, /* nothing tells, or what tells is beyond these rules: the stack is broken here */
    VESTA_RULE_END,     /* no caller: the first function of a thread */
    VESTA_RULE_CFA,
    VESTA_RULE_SIGNAL,        /* the kernel's frame around a signal handler */
    VESTA_RULE_FRAME_POINTER, /* no .eh_frame: if rbp looks like a frame record it is taken for one */
} VestaRuleKind;

typedef struct VestaUnwindRule {
    uint32_t kind : 3;
    uint32_t from_frame_pointer : 1; /* CFA is counted from rbp, else from rsp */
    uint32_t cfa_words : 15;         /* in 8 bytes */
    uint32_t saved_words : 13;       /* rbp is at CFA - 8 * this; 0: it is unchanged */
} VestaUnwindRule;

/* Once, before the first of the others; false if there is no memory. */
bool vesta_unwind_rules_start(void);

/* For a frame that will be returned to at `address`. Takes no lock, does not allocate, never faults. */
VestaUnwindRule vesta_unwind_rule(uintptr_t address);

/* Changes when modules came or went: what was found out before may be about others. */
uint32_t vesta_unwind_generation(void);

/* The loader has been at work: `address` is the caller of the allocator. */
bool vesta_unwind_is_loader(uintptr_t address);

/* Looks for modules anew, if the loader has been at work since. */
void vesta_unwind_refresh(void);

/* Whether it is code of a known module. */
bool vesta_unwind_is_code(uintptr_t address);

#endif
