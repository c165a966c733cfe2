#include "decode.h"

#include "vesta/mem.h"

/* What follows an opcode. */
enum {
    MODRM = 1 << 0,
    IMM8 = 1 << 1,
    IMM16 = 1 << 2,
    IMM32 = 1 << 3, /* 16 bits with the operand size prefix */
    IMM64 = 1 << 4, /* 64 bits with REX.W, else as IMM32 */
    REL8 = 1 << 5,
    REL32 = 1 << 6,
    GROUP3 = 1 << 7, /* the immediate is there for the first two of the group only */
    UNKNOWN = 1 << 8,
};

/* A letter per opcode: m ModRM, b w i I immediates of 8, 16, 32 and up to 64 bits, B J ModRM with one of 8 or 32, g G
 * such of group 3, s l short and long relative addresses, . nothing. */
static const char one_byte[16][17] = {
    "mmmmbi??mmmmbi??", "mmmmbi??mmmmbi??", "mmmmbi??mmmmbi??", "mmmmbi??mmmmbi??", /* 00 to 3F */
    "????????????????", "................", "???m????iJbB????", "ssssssssssssssss", /* 40 to 7F */
    "BJ?Bmmmmmmmmmmmm", "..........?.....", "????....bi......", "bbbbbbbbIIIIIIII", /* 80 to BF */
    "BBw.??BJ?.??.b??", "mmmm????mmmmmmmm", "????????ll?s????", "??????gG??????mm", /* C0 to FF */
};

/* Behind 0F. */
static const char two_bytes[16][17] = {
    "?????.?????.?m??", "mmmmmmmmmmmmmmmm", "????????mmmmmmmm", "?.??????????????", /* 00 to 3F */
    "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "BBBBmmm.????mmmm", /* 40 to 7F */
    "llllllllllllllll", "mmmmmmmmmmmmmmmm", "??.mBm?????mBmmm", "mm?m??mmm?Bmmmmm", /* 80 to BF */
    "mmBmBBBm........", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmmm", "mmmmmmmmmmmmmmm?", /* C0 to FF */
};

static unsigned shape_of(char letter) {
    switch (letter) {
    case '.':
        return 0;
    case 'm':
        return MODRM;
    case 'b':
        return IMM8;
    case 'w':
        return IMM16;
    case 'i':
        return IMM32;
    case 'I':
        return IMM64;
    case 'B':
        return MODRM | IMM8;
    case 'J':
        return MODRM | IMM32;
    case 'g':
        return MODRM | IMM8 | GROUP3;
    case 'G':
        return MODRM | IMM32 | GROUP3;
    case 's':
        return REL8;
    case 'l':
        return REL32;
    default:
        return UNKNOWN;
    }
}

/* What may be skipped in front of an opcode; REX comes last. */
static bool is_prefix(uint8_t byte) {
    static const uint8_t prefixes[] = {0x26, 0x2E, 0x36, 0x3E, 0x64, 0x65, 0x66, 0xF0, 0xF2, 0xF3};
    for (size_t i = 0; i < sizeof prefixes; i++)
        if (byte == prefixes[i])
            return true;
    return false;
}

/* The length of a ModRM byte with what belongs to it. An address relative to the instruction pointer is noted. */
static uint8_t modrm_length(const uint8_t *code, uint8_t at, VestaInstruction *instruction) {
    uint8_t modrm = code[at], mode = modrm >> 6, rm = modrm & 7, length = 1;
    if (mode == 3)
        return length;
    bool no_base = mode == 0 && rm == 5;
    if (rm == 4) {
        no_base = mode == 0 && (code[at + 1] & 7) == 5;
        length++;
    } else if (no_base) {
        instruction->relative_at = (uint8_t)(at + 1);
        instruction->relative_size = 4;
    }
    return (uint8_t)(length + (no_base || mode == 2 ? 4 : mode == 1 ? 1 : 0));
}

static VestaFlow flow_of(const uint8_t *code, uint8_t at, unsigned shape, bool two) {
    uint8_t opcode = code[at], group = code[at + 1] >> 3 & 7;
    if (!two && (opcode == 0xE9 || opcode == 0xEB))
        return VESTA_FLOW_JUMP;
    if ((shape & (REL8 | REL32)) != 0)
        return VESTA_FLOW_BRANCH;
    if (two)
        return opcode == 0x0B ? VESTA_FLOW_END : VESTA_FLOW_ON;
    bool ends = opcode == 0xC2 || opcode == 0xC3 || opcode == 0xCC || (opcode == 0xFF && (group == 4 || group == 5));
    return ends ? VESTA_FLOW_END : VESTA_FLOW_ON;
}

bool vesta_decode(const uint8_t *code, VestaInstruction *instruction) {
    uint8_t at = 0;
    bool short_operand = false, wide = false;
    for (; is_prefix(code[at]); at++) {
        short_operand = short_operand || code[at] == 0x66;
        if (at == 10)
            return false;
    }
    if ((code[at] & 0xF0) == 0x40)
        wide = (code[at++] & 8) != 0;
    bool two = code[at] == 0x0F;
    if (two)
        at++;
    *instruction = (VestaInstruction){.opcode_at = at};
    unsigned shape = shape_of((two ? two_bytes : one_byte)[code[at] >> 4][code[at] & 15]);
    if ((shape & UNKNOWN) != 0)
        return false;
    instruction->flow = flow_of(code, at, shape, two);
    at++;
    bool immediate = (shape & GROUP3) == 0 || (code[at] >> 3 & 7) < 2;
    if ((shape & MODRM) != 0)
        at = (uint8_t)(at + modrm_length(code, at, instruction));
    if ((shape & (REL8 | REL32)) != 0) {
        instruction->relative_at = at;
        instruction->relative_size = (shape & REL8) != 0 ? 1 : 4;
        at = (uint8_t)(at + instruction->relative_size);
    }
    if (immediate) {
        if ((shape & IMM8) != 0)
            at = (uint8_t)(at + 1);
        if ((shape & IMM16) != 0)
            at = (uint8_t)(at + 2);
        if ((shape & (IMM32 | IMM64)) != 0)
            at = (uint8_t)(at + ((shape & IMM64) != 0 && wide ? 8 : short_operand ? 2 : 4));
    }
    instruction->length = at;
    return true;
}

const uint8_t *vesta_decode_target(const uint8_t *code, const VestaInstruction *instruction) {
    int32_t distance = (int8_t)code[instruction->relative_at];
    if (instruction->relative_size == 4)
        vesta_memcpy_inline(&distance, code + instruction->relative_at, sizeof distance);
    return code + instruction->length + distance;
}

static bool write_distance(uint8_t *at, const uint8_t *from, const uint8_t *target) {
    int64_t distance = target - from;
    int32_t written = (int32_t)distance;
    vesta_memcpy_inline(at, &written, sizeof written);
    return distance == written;
}

/* Copies one instruction; returns its new length, or 0. Short jumps become long ones. */
static size_t move_one(const uint8_t *from, const VestaInstruction *instruction, uint8_t *to) {
    const uint8_t *target = vesta_decode_target(from, instruction);
    if (instruction->relative_size != 1) {
        vesta_memcpy_inline(to, from, instruction->length);
        bool reaches = instruction->relative_at == 0 ||
                       write_distance(to + instruction->relative_at, to + instruction->length, target);
        return reaches ? instruction->length : 0;
    }
    uint8_t opcode = from[instruction->opcode_at];
    size_t length = 0;
    if (instruction->flow == VESTA_FLOW_JUMP) {
        to[length++] = 0xE9;
    } else {
        to[length++] = 0x0F;
        to[length++] = (uint8_t)(0x80 | (opcode & 0x0F));
    }
    return write_distance(to + length, to + length + 4, target) ? length + 4 : 0;
}

static bool is_padding(const uint8_t *code, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (code[i] != 0xCC && code[i] != 0x90)
            return false;
    return true;
}

size_t vesta_decode_move(const uint8_t *from, size_t need, uint8_t *to) {
    size_t moved = 0, written = 0;
    bool goes_on = true;
    while (moved < need && goes_on) {
        VestaInstruction instruction;
        if (!vesta_decode(from + moved, &instruction))
            return 0;
        size_t length = move_one(from + moved, &instruction, to + written);
        if (length == 0)
            return 0;
        moved += instruction.length;
        written += length;
        goes_on = instruction.flow == VESTA_FLOW_ON || instruction.flow == VESTA_FLOW_BRANCH;
    }
    /* A function that is shorter may have nothing of another behind it. */
    if (moved < need && !is_padding(from + moved, need - moved))
        return 0;
    size_t again = 0;
    for (VestaInstruction instruction; again < moved; again += instruction.length) {
        vesta_decode(from + again, &instruction);
        const uint8_t *target = vesta_decode_target(from + again, &instruction);
        if (instruction.relative_at != 0 && target > from && target < from + (moved > need ? moved : need))
            return 0;
    }
    if (goes_on) {
        to[written] = 0xE9;
        if (!write_distance(to + written + 1, to + written + 5, from + moved))
            return 0;
    }
    return moved > need ? moved : need;
}

bool vesta_decode_jumps_into(const uint8_t *code, const uint8_t *end, size_t moved) {
    VestaInstruction instruction;
    for (const uint8_t *at = code; at < end && vesta_decode(at, &instruction); at += instruction.length) {
        const uint8_t *target = vesta_decode_target(at, &instruction);
        if (instruction.relative_at != 0 && instruction.flow != VESTA_FLOW_ON && target > code && target < code + moved)
            return true;
    }
    return false;
}
