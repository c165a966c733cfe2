#include "eh_frame.h"

#include "../symbols/elf_format.h"

enum {
    PT_GNU_EH_FRAME = 0x6474e550,
    REMEMBERED_MAX = 8,
    RBP = 6,
    RSP = 7,
    RETURN_ADDRESS = 16,
    /* Pointer encodings. */
    ABSOLUTE = 0x00,
    PC_RELATIVE = 0x10,
    DATA_RELATIVE = 0x30,
    SIGNED_4 = 0x0b,
    OMITTED = 0xff,
};

static const VestaUnwindRule unknown = {.kind = VESTA_RULE_UNKNOWN};
static const VestaUnwindRule frame_pointer = {.kind = VESTA_RULE_FRAME_POINTER};

static VestaReader reader_at(const VestaEhFrame *frames, uint64_t address) {
    return vesta_reader_at(frames->file, address + frames->to_offset);
}

static uint64_t address_of(const VestaEhFrame *frames, const VestaReader *reader) {
    return (uint64_t)(reader->at - frames->file.data) - frames->to_offset;
}

/* Indirect pointers are not followed: only personalities use them. */
static uint64_t read_pointer(const VestaEhFrame *frames, VestaReader *reader, uint8_t encoding) {
    static const uint8_t sizes[8] = {8, 0, 2, 4, 8, 0, 0, 0};
    if (encoding == OMITTED)
        return 0;
    uint64_t base = 0;
    if ((encoding & 0x70) == PC_RELATIVE)
        base = address_of(frames, reader);
    else if ((encoding & 0x70) == DATA_RELATIVE)
        base = frames->header;
    unsigned size = sizes[encoding & 7];
    if ((encoding & 7) == 1)
        return base + ((encoding & 8) != 0 ? (uint64_t)vesta_read_sleb(reader) : vesta_read_uleb(reader));
    if (size == 0) {
        vesta_reader_fail(reader);
        return 0;
    }
    uint64_t value = vesta_read_number(reader, size);
    if ((encoding & 8) != 0 && size < 8)
        value = (value ^ UINT64_C(1) << (size * 8 - 1)) - (UINT64_C(1) << (size * 8 - 1));
    return base + value;
}

void vesta_eh_frame_open(VestaEhFrame *frames, VestaBytes file) {
    *frames = (VestaEhFrame){.file = file};
    VestaElfHeader header;
    if (file.size < sizeof header)
        return;
    header = *(const VestaElfHeader *)file.data;
    VestaBytes table = vesta_bytes_part(file, header.segments, header.segment_count * sizeof(VestaElfSegment));
    if (!vesta_elf_is_ours(&header) || header.segment_size != sizeof(VestaElfSegment))
        return;
    const VestaElfSegment *segments = (const VestaElfSegment *)table.data;
    for (size_t i = 0; i < table.size / sizeof *segments; i++) {
        if (segments[i].type != PT_GNU_EH_FRAME)
            continue;
        frames->to_offset = segments[i].offset - segments[i].address;
        frames->header = segments[i].address;
        VestaReader reader = reader_at(frames, frames->header);
        uint8_t version = vesta_read_8(&reader), frame_encoding = vesta_read_8(&reader);
        uint8_t count_encoding = vesta_read_8(&reader), table_encoding = vesta_read_8(&reader);
        read_pointer(frames, &reader, frame_encoding);
        uint64_t count = read_pointer(frames, &reader, count_encoding);
        frames->table = address_of(frames, &reader);
        if (version == 1 && table_encoding == (DATA_RELATIVE | SIGNED_4) && !reader.failed &&
            count <= vesta_reader_left(&reader) / 8)
            frames->table_length = count;
    }
}

/* ---- The search table: pairs of a function's start and its description's address, ascending ---- */

static uint64_t table_value(const VestaEhFrame *frames, uint64_t index, unsigned column) {
    VestaReader reader = reader_at(frames, frames->table + index * 8 + column * 4);
    return frames->header + (uint64_t)(int64_t)(int32_t)vesta_read_32(&reader);
}

/* 0 if nothing begins before the address. */
static uint64_t find_description(const VestaEhFrame *frames, uint64_t address) {
    uint64_t low = 0, high = frames->table_length;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (table_value(frames, middle, 0) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low != 0 ? table_value(frames, low - 1, 1) : 0;
}

/* ---- The program that describes a function's frames ---- */

typedef struct Row {
    uint64_t cfa_register;
    int64_t cfa_offset;
    int64_t saved_at;  /* of rbp, from the CFA, 0: it is unchanged */
    int64_t return_at; /* of the return address */
    bool end;          /* the return address is not known: there is no caller */
    bool unsupported;
} Row;

typedef struct Program {
    uint64_t code_factor;
    int64_t data_factor;
    uint8_t encoding;
    bool is_signal;
    Row initial; /* after the common part */
    Row remembered[REMEMBERED_MAX];
    unsigned depth;
} Program;

static void set_saved(Row *row, uint64_t number, int64_t at) {
    if (number == RBP)
        row->saved_at = at;
    else if (number == RETURN_ADDRESS)
        row->return_at = at;
    else if (number == RSP)
        row->unsupported = true;
}

static void lose(Row *row, uint64_t number) {
    if (number == RBP || number == RSP)
        row->unsupported = true;
    else if (number == RETURN_ADDRESS)
        row->end = true;
}

static void restore(Row *row, const Row *initial, uint64_t number) {
    if (number == RBP)
        row->saved_at = initial->saved_at;
    else if (number == RETURN_ADDRESS)
        row->return_at = initial->return_at;
}

static void skip_block(VestaReader *reader) {
    vesta_reader_skip(reader, vesta_read_uleb(reader));
}

/* Executes up to the row that holds at `target`; `location` is where the program begins. */
static void execute(const VestaEhFrame *frames, Program *program, VestaReader *reader, Row *row, uint64_t location,
                    uint64_t target) {
    while (vesta_reader_left(reader) != 0) {
        uint8_t code = vesta_read_8(reader), low = code & 0x3f;
        uint64_t number, advance = 0;
        switch (code & 0xc0) {
        case 0x40: /* advance_loc */
            advance = low * program->code_factor;
            break;
        case 0x80: /* offset */
            set_saved(row, low, (int64_t)vesta_read_uleb(reader) * program->data_factor);
            break;
        case 0xc0: /* restore */
            restore(row, &program->initial, low);
            break;
        default:
            switch (code) {
            case 0x00: /* nop */
                break;
            case 0x01: /* set_loc */
                number = read_pointer(frames, reader, program->encoding);
                advance = number - location;
                break;
            case 0x02: /* advance_loc1, 2, 4 */
                advance = vesta_read_8(reader) * program->code_factor;
                break;
            case 0x03:
                advance = vesta_read_16(reader) * program->code_factor;
                break;
            case 0x04:
                advance = vesta_read_32(reader) * program->code_factor;
                break;
            case 0x05: /* offset_extended */
                number = vesta_read_uleb(reader);
                set_saved(row, number, (int64_t)vesta_read_uleb(reader) * program->data_factor);
                break;
            case 0x11: /* offset_extended_sf */
                number = vesta_read_uleb(reader);
                set_saved(row, number, vesta_read_sleb(reader) * program->data_factor);
                break;
            case 0x2f: /* GNU_negative_offset_extended */
                number = vesta_read_uleb(reader);
                set_saved(row, number, -(int64_t)vesta_read_uleb(reader) * program->data_factor);
                break;
            case 0x06: /* restore_extended */
                restore(row, &program->initial, vesta_read_uleb(reader));
                break;
            case 0x07: /* undefined */
                lose(row, vesta_read_uleb(reader));
                break;
            case 0x08: /* same_value */
                number = vesta_read_uleb(reader);
                if (number == RBP)
                    row->saved_at = 0;
                break;
            case 0x09: /* register: kept in another one */
                number = vesta_read_uleb(reader);
                vesta_read_uleb(reader);
                row->unsupported = row->unsupported || number == RBP || number == RETURN_ADDRESS;
                break;
            case 0x0a: /* remember_state */
                if (program->depth == REMEMBERED_MAX) {
                    row->unsupported = true;
                    return;
                }
                program->remembered[program->depth++] = *row;
                break;
            case 0x0b: /* restore_state */
                if (program->depth == 0) {
                    row->unsupported = true;
                    return;
                }
                *row = program->remembered[--program->depth];
                break;
            case 0x0c: /* def_cfa */
                row->cfa_register = vesta_read_uleb(reader);
                row->cfa_offset = (int64_t)vesta_read_uleb(reader);
                break;
            case 0x12: /* def_cfa_sf */
                row->cfa_register = vesta_read_uleb(reader);
                row->cfa_offset = vesta_read_sleb(reader) * program->data_factor;
                break;
            case 0x0d: /* def_cfa_register */
                row->cfa_register = vesta_read_uleb(reader);
                break;
            case 0x0e: /* def_cfa_offset */
                row->cfa_offset = (int64_t)vesta_read_uleb(reader);
                break;
            case 0x13: /* def_cfa_offset_sf */
                row->cfa_offset = vesta_read_sleb(reader) * program->data_factor;
                break;
            case 0x0f: /* def_cfa_expression */
                skip_block(reader);
                row->cfa_register = RETURN_ADDRESS;
                break;
            case 0x10: /* expression, val_expression */
            case 0x16:
                number = vesta_read_uleb(reader);
                skip_block(reader);
                row->unsupported = row->unsupported || number == RBP || number == RETURN_ADDRESS;
                break;
            case 0x2e: /* GNU_args_size */
                vesta_read_uleb(reader);
                break;
            default:
                row->unsupported = true;
                return;
            }
        }
        location += advance;
        if (advance != 0 && location > target)
            return;
    }
}

/* ---- Descriptions ---- */

/* The record at an address: a length, then that many bytes; `*start` is where those begin. */
static VestaReader record_at(const VestaEhFrame *frames, uint64_t address, uint64_t *start) {
    VestaReader reader = reader_at(frames, address);
    uint64_t length = vesta_read_32(&reader);
    if (length == UINT32_MAX)
        length = vesta_read_64(&reader);
    *start = address_of(frames, &reader);
    if (length == 0 || !vesta_reader_has(&reader, length))
        vesta_reader_fail(&reader);
    else
        reader.end = reader.at + length;
    return reader;
}

/* The part common to several functions (CIE). */
static bool read_common(const VestaEhFrame *frames, uint64_t address, Program *program, bool *augmented) {
    uint64_t start;
    VestaReader reader = record_at(frames, address, &start);
    uint32_t id = vesta_read_32(&reader);
    uint8_t version = vesta_read_8(&reader);
    const char *augmentation = vesta_read_text(&reader);
    if (id != 0 || (version != 1 && version != 3) || augmentation == NULL)
        return false;
    program->code_factor = vesta_read_uleb(&reader);
    program->data_factor = vesta_read_sleb(&reader);
    uint64_t return_register = version == 1 ? vesta_read_8(&reader) : vesta_read_uleb(&reader);
    *augmented = augmentation[0] == 'z';
    if (*augmented) {
        uint64_t size = vesta_read_uleb(&reader);
        if (!vesta_reader_has(&reader, size))
            return false;
        const uint8_t *end = reader.at + size;
        for (const char *c = augmentation + 1; *c != '\0'; c++) {
            if (*c == 'R')
                program->encoding = vesta_read_8(&reader);
            else if (*c == 'P')
                read_pointer(frames, &reader, vesta_read_8(&reader) & 0x7f);
            else if (*c == 'L')
                vesta_read_8(&reader);
            else if (*c == 'S')
                program->is_signal = true;
        }
        reader.at = end;
    } else if (augmentation[0] != '\0') {
        return false;
    }
    if (reader.failed || return_register != RETURN_ADDRESS)
        return false;
    program->initial.return_at = -8;
    execute(frames, program, &reader, &program->initial, 0, UINT64_MAX);
    return !reader.failed;
}

static VestaUnwindRule rule_of(const Row *row) {
    if (row->end)
        return (VestaUnwindRule){.kind = VESTA_RULE_END};
    bool from_frame_pointer = row->cfa_register == RBP;
    int64_t cfa_words = row->cfa_offset / 8, saved_words = -row->saved_at / 8;
    if (row->unsupported || (!from_frame_pointer && row->cfa_register != RSP) || row->return_at != -8 ||
        row->cfa_offset % 8 != 0 || cfa_words < 1 || cfa_words >= 1 << 15 || row->saved_at % 8 != 0 ||
        saved_words < 0 || saved_words >= 1 << 13)
        return unknown;
    return (VestaUnwindRule){
        .kind = VESTA_RULE_CFA,
        .from_frame_pointer = from_frame_pointer,
        .cfa_words = (uint32_t)cfa_words & 0x7fff,
        .saved_words = (uint32_t)saved_words & 0x1fff,
    };
}

VestaUnwindRule vesta_eh_frame_rule(const VestaEhFrame *frames, uint64_t address) {
    uint64_t description = find_description(frames, address);
    if (description == 0)
        return frame_pointer;
    uint64_t start;
    VestaReader reader = record_at(frames, description, &start);
    uint32_t common = vesta_read_32(&reader);
    Program program = {.encoding = ABSOLUTE};
    bool augmented;
    if (reader.failed || common == 0 || !read_common(frames, start - common, &program, &augmented))
        return unknown;
    uint64_t begin = read_pointer(frames, &reader, program.encoding);
    uint64_t size = read_pointer(frames, &reader, program.encoding & 0x0f);
    if (reader.failed || address - begin >= size)
        return frame_pointer;
    if (program.is_signal)
        return (VestaUnwindRule){.kind = VESTA_RULE_SIGNAL};
    if (augmented)
        skip_block(&reader);
    Row row = program.initial;
    execute(frames, &program, &reader, &row, begin, address);
    return reader.failed ? unknown : rule_of(&row);
}
