/* As much of an x86-64 disassembler as it takes to move the first instructions of a function. Encodings from the Intel
 * 64 and IA-32 Architectures Software Developer's Manual, volume 2, appendix A. */
#ifndef VESTA_INTERPOSE_WINDOWS_DECODE_H
#define VESTA_INTERPOSE_WINDOWS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum VestaFlow {
    VESTA_FLOW_ON,     /* execution goes on behind it */
    VESTA_FLOW_BRANCH, /* a conditional jump or a call: goes to the target, too */
    VESTA_FLOW_JUMP,   /* goes to the target only */
    VESTA_FLOW_END,    /* goes where this cannot be told */
} VestaFlow;

typedef struct VestaInstruction {
    uint8_t length;
    uint8_t opcode_at;
    uint8_t relative_at;   /* where its relative address is, or 0; it counts from the instruction's end */
    uint8_t relative_size; /* 1 or 4 bytes */
    VestaFlow flow;
} VestaInstruction;

/* Decodes the instruction at `code`, which may be up to 15 bytes long; false if it is not known. */
bool vesta_decode(const uint8_t *code, VestaInstruction *instruction);

/* Where the relative address of an instruction leads. */
const uint8_t *vesta_decode_target(const uint8_t *code, const VestaInstruction *instruction);

/* Copies whole instructions from `from` to `to` until they cover `need` bytes, so that they do there what they did, and
 * a jump back behind them. At most VESTA_MOVED_MAX bytes are written, for a `need` of 5. Returns how many bytes they
 * were, or 0 if they cannot be moved: one is not known, jumps among them, or is out of reach. */
enum { VESTA_MOVED_MAX = 48 };
size_t vesta_decode_move(const uint8_t *from, size_t need, uint8_t *to);

/* Whether an instruction of the function from `code` to `end` jumps between its first byte and `moved`. */
bool vesta_decode_jumps_into(const uint8_t *code, const uint8_t *end, size_t moved);

#endif
