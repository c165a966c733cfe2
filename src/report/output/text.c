#include "text.h"

/* Room for the decimal digits of any number, a fraction and a unit. */
enum { NUMBER_MAX = 32 };

typedef struct Number {
    char characters[NUMBER_MAX];
    size_t start; /* it is written from its end */
} Number;

static void prepend(Number *number, char character) {
    number->characters[--number->start] = character;
}

static void prepend_string(Number *number, const char *string) {
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    while (length != 0)
        prepend(number, string[--length]);
}

static void prepend_digits(Number *number, uint64_t value, unsigned at_least) {
    size_t end = number->start;
    number->start = (size_t)(vesta_text_digits(number->characters + end, value, 10) - number->characters);
    while (end - number->start < at_least)
        prepend(number, '0');
}

static void begin(Number *number) {
    number->start = NUMBER_MAX - 1;
    number->characters[number->start] = '\0';
}

static void finish(VestaText *text, const Number *number, size_t column) {
    vesta_text_right(text, number->characters + number->start, column);
}

void vesta_text_end_line(VestaText *text) {
    vesta_text_add(text, "\n");
    text->line_start = text->length;
}

void vesta_text_pad(VestaText *text, size_t column) {
    while (text->length - text->line_start < column && text->length < text->capacity)
        text->characters[text->length++] = ' ';
}

void vesta_text_right(VestaText *text, const char *string, size_t column) {
    size_t length = 0;
    while (string[length] != '\0')
        length++;
    vesta_text_pad(text, column > length ? column - length : 0);
    vesta_text_add(text, string);
}

void vesta_text_number(VestaText *text, uint64_t value, size_t column) {
    Number number;
    begin(&number);
    prepend_digits(&number, value, 1);
    finish(text, &number, column);
}

void vesta_text_bytes(VestaText *text, uint64_t value, size_t column) {
    static const char units[][5] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
    unsigned unit = 0;
    while (value >> (10 * unit) >= 1024)
        unit++;
    Number number;
    begin(&number);
    prepend_string(&number, units[unit]);
    if (unit != 0) {
        /* The ten bits below the unit are enough for two digits, and leave room to multiply. */
        uint64_t thousandtwentyfourths = value >> (10 * (unit - 1)) & 1023;
        prepend_digits(&number, thousandtwentyfourths * 100 / 1024, 2);
        prepend(&number, '.');
    }
    prepend_digits(&number, value >> (10 * unit), 1);
    finish(text, &number, column);
}

void vesta_text_share(VestaText *text, uint64_t part, uint64_t whole, size_t column) {
    while (whole > UINT64_MAX / 2000) {
        part >>= 1;
        whole >>= 1;
    }
    uint64_t tenths = whole != 0 ? (part * 1000 + whole / 2) / whole : 0;
    Number number;
    begin(&number);
    prepend_string(&number, " %");
    prepend_digits(&number, tenths % 10, 1);
    prepend(&number, '.');
    prepend_digits(&number, tenths / 10, 1);
    finish(text, &number, column);
}
