/* Runs a program's part under each mode of transparent huge pages. The mode is the whole system's: it is put back at
 * once, also when the part fails. */
#ifndef FIELD_HUGE_PAGES_H
#define FIELD_HUGE_PAGES_H

#include "field.h"

#define HUGE_PAGES_MODE "/sys/kernel/mm/transparent_hugepage/enabled"

FIELD_UNUSED static int set_huge_pages(const char *mode) {
    int file = open(HUGE_PAGES_MODE, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return 0;
    }
    ssize_t written = write(file, mode, strlen(mode));
    close(file);
    return written == (ssize_t)strlen(mode);
}

FIELD_UNUSED static void get_huge_pages(char mode[32]) {
    int file = open(HUGE_PAGES_MODE, O_RDONLY | O_CLOEXEC);
    char text[128] = {0};
    ssize_t got = file < 0 ? 0 : read(file, text, sizeof text - 1);
    close(file);
    char *start = strchr(text, '['), *end = strchr(text, ']');
    if (got <= 0 || !start || !end) {
        fprintf(stderr, "this kernel has no transparent huge pages\n");
        exit(FIELD_SKIPPED);
    }
    *end = 0;
    strncpy(mode, start + 1, 31);
}

/* Calls `part` in a child under `mode`; what it returns is returned. Ends the program with FIELD_SKIPPED where the mode
 * cannot be set. */
FIELD_UNUSED static size_t under_huge_pages(const char *mode, size_t (*part)(void)) {
    char before[32] = {0};
    int results[2];
    size_t result = 0;
    get_huge_pages(before);
    if (!set_huge_pages(mode)) {
        fprintf(stderr, "%s cannot be written\n", HUGE_PAGES_MODE);
        exit(FIELD_SKIPPED);
    }
    CHECK(pipe(results) == 0, "pipe: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        result = part();
        _exit(write(results[1], &result, sizeof result) != sizeof result);
    }
    int status = -1;
    waitpid(child, &status, 0);
    int restored = set_huge_pages(before);
    CHECK(restored, "the mode could not be put back to %s", before);
    CHECK(status == 0, "the part under %s failed", mode);
    CHECK(read(results[0], &result, sizeof result) == sizeof result, "no result");
    close(results[0]);
    close(results[1]);
    return result;
}

#endif
