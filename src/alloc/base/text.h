/* Text in a buffer of the caller's, for messages: the C library's formatting may allocate, or be absent. What does not
 * fit is left out. */
#ifndef VESTA_BASE_TEXT_H
#define VESTA_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

typedef struct VestaText {
    char *characters;
    size_t capacity;
    size_t length;
    size_t line_start; /* for columns */
} VestaText;

static inline void vesta_text_add(VestaText *text, const char *string) {
    while (*string != '\0' && text->length < text->capacity)
        text->characters[text->length++] = *string++;
}

/* Writes the digits of a number so that they end before `end`; returns the first. 64 characters are always enough. */
static inline char *vesta_text_digits(char *end, uint64_t value, unsigned base) {
    do
        *--end = "0123456789abcdef"[value % base];
    while ((value /= base) != 0);
    return end;
}

static inline void vesta_text_add_number(VestaText *text, uint64_t value, unsigned base) {
    char digits[65];
    digits[64] = '\0';
    vesta_text_add(text, vesta_text_digits(digits + 64, value, base));
}

#endif
