/* Text in columns. */
#ifndef VESTA_REPORT_TEXT_H
#define VESTA_REPORT_TEXT_H

#include "../../alloc/base/text.h"

void vesta_text_end_line(VestaText *text);

/* Fills the line with blanks so that `column` characters are there before what comes next. */
void vesta_text_pad(VestaText *text, size_t column);

/* What these add ends at `column`. */
void vesta_text_number(VestaText *text, uint64_t value, size_t column);
void vesta_text_bytes(VestaText *text, uint64_t value, size_t column); /* in the largest fitting unit, as 1.50 MiB */
void vesta_text_share(VestaText *text, uint64_t part, uint64_t whole, size_t column); /* as 12.3 % */
void vesta_text_right(VestaText *text, const char *string, size_t column);

#endif
