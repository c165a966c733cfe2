#include "rows.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 256 };

static char missed[MOST][96];
static int missed_count;
static const char *selected = "";

void rows_select(const char *prefix) {
    selected = prefix;
}

int rows_want(const char *prefix) {
    size_t length = strlen(prefix) < strlen(selected) ? strlen(prefix) : strlen(selected);
    return strncmp(prefix, selected, length) == 0;
}

static void row(const char *name, double figure, const char *relation, double bound, const char *unit, int kept) {
    printf("%-64s %12.4f %s %12.4f %-14s %s\n", name, figure, relation, bound, unit, kept ? "" : "MISSED");
    fflush(stdout);
    if (!kept && missed_count < MOST)
        snprintf(missed[missed_count++], sizeof missed[0], "%s", name);
}

void row_at_most(const char *name, double figure, double bound, const char *unit) {
    row(name, figure, "<=", bound, unit, figure <= bound);
}

void row_at_least(const char *name, double figure, double bound, const char *unit) {
    row(name, figure, ">=", bound, unit, figure >= bound);
}

void row_info(const char *name, double figure, const char *unit) {
    printf("%-64s %12.4f                 %s\n", name, figure, unit);
    fflush(stdout);
}

void row_missing(const char *name, const char *why) {
    printf("%-64s not measured: %s\n", name, why);
}

int rows_missed(void) {
    for (int i = 0; i < missed_count; i++)
        printf("missed: %s\n", missed[i]);
    return missed_count;
}
