/* The call frame information of one module, as its file has it in .eh_frame_hdr and .eh_frame (Linux Standard Base
 * 5.0, section 10.6; DWARF 5, section 6.4). */
#ifndef VESTA_RECORD_EH_FRAME_H
#define VESTA_RECORD_EH_FRAME_H

#include "unwind_rule.h"
#include "../symbols/reader.h"

/* Addresses are those that the file itself speaks of. */
typedef struct VestaEhFrame {
    VestaBytes file;
    uint64_t to_offset;    /* address + this = offset in the file */
    uint64_t table;        /* address of the first entry of the search table */
    uint64_t header;       /* address of .eh_frame_hdr */
    uint64_t table_length; /* entries; 0 if the module has no table that can be searched */
} VestaEhFrame;

void vesta_eh_frame_open(VestaEhFrame *frames, VestaBytes file);

/* The rule at an instruction. A module without table, or a place that it does not cover: frame pointer. */
VestaUnwindRule vesta_eh_frame_rule(const VestaEhFrame *frames, uint64_t address);

#endif
