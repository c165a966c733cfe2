#include "picture.h"

#include <math.h>
#include <stdio.h>

#include "measure.h"
#include "workload.h"

/* Two panels side by side, both axes logarithmic. */
enum { PANEL_WIDTH = 620, PANEL_HEIGHT = 460, LEFT = 60, TOP = 40, GAP = 70, LEGEND = 30 };

static const double size_min = 1, size_max = 64.0 * 1024 * 1024, ns_min = 0.2, ns_max = 1e7;

enum { MAX_SUBJECTS = MAX_PATHS + 3, MAX_SIZES = 256 };

static const char *const colours[MAX_SUBJECTS] = {"#000000", "#d62728", "#1f77b4", "#9467bd", "#2ca02c", "#ff7f0e",
                                                  "#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"};

static double x_of(unsigned panel, double size) {
    double along = log(size / size_min) / log(size_max / size_min);
    return LEFT + panel * (PANEL_WIDTH + GAP) + along * PANEL_WIDTH;
}

static double y_of(double ns) {
    return TOP + PANEL_HEIGHT * (1 - log(ns / ns_min) / log(ns_max / ns_min));
}

static void text(FILE *file, double x, double y, const char *anchor, const char *words) {
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, words);
}

static void grid(FILE *file, unsigned panel, const char *title) {
    static const struct {
        double size;
        const char *label;
    } sizes[] = {{1, "1"},          {16, "16"},         {64, "64"},         {256, "256"},        {1 << 10, "1 Ki"},
                 {1 << 12, "4 Ki"}, {1 << 14, "16 Ki"}, {1 << 16, "64 Ki"}, {1 << 18, "256 Ki"}, {1 << 20, "1 Mi"},
                 {1 << 22, "4 Mi"}, {1 << 24, "16 Mi"}, {1 << 26, "64 Mi"}};
    text(file, x_of(panel, size_min), TOP - 14, "start", title);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double x = x_of(panel, sizes[i].size);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x, TOP, x, TOP + PANEL_HEIGHT);
        text(file, x, TOP + PANEL_HEIGHT + 16, "middle", sizes[i].label);
    }
    for (double ns = 1; ns <= ns_max; ns *= 10) {
        char label[32];
        snprintf(label, sizeof label, "%.0f ns", ns);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x_of(panel, size_min), y_of(ns),
                x_of(panel, size_max), y_of(ns));
        text(file, x_of(panel, size_min) - 6, y_of(ns) + 4, "end", label);
    }
}

static void panel_of(FILE *file, Operation operation, const Subject *const *subjects, size_t count) {
    static double ns[MAX_SIZES][MAX_SUBJECTS];
    grid(file, operation, operation == COPY ? "copy: nanoseconds against bytes" : "fill: nanoseconds against bytes");
    for (size_t i = 0; i < fixed_size_count && i < MAX_SIZES; i++) {
        for (size_t j = 0; j < count; j++)
            ns[i][j] = HUGE_VAL;
        measure_block(subjects, count, operation, fixed_block(fixed_sizes[i], MALLOCED),
                      fixed_sizes[i] < (4 << 20) ? 15 : 5, ns[i]);
    }
    for (size_t j = 0; j < count; j++) {
        fprintf(file, "<polyline stroke=\"%s\" points=\"", colours[j]);
        for (size_t i = 0; i < fixed_size_count && i < MAX_SIZES; i++) {
            if (fixed_sizes[i] != 0)
                fprintf(file, "%.1f,%.1f ", x_of(operation, (double)fixed_sizes[i]), y_of(ns[i][j]));
        }
        fputs("\"/>\n", file);
    }
}

static void legend(FILE *file, const Subject *const *subjects, size_t count) {
    double y = TOP + PANEL_HEIGHT + 16 + LEGEND;
    for (size_t i = 0; i < count; i++) {
        double x = LEFT + (double)i * 110;
        fprintf(file, "<polyline stroke=\"%s\" points=\"%.1f,%.1f %.1f,%.1f\"/>\n", colours[i], x, y - 4, x + 24,
                y - 4);
        text(file, x + 30, y, "start", subjects[i]->name);
    }
}

int draw_picture(const char *file_name) {
    FILE *file = fopen(file_name, "w");
    if (file == NULL) {
        perror(file_name);
        return -1;
    }
    const Subject *subjects[MAX_SUBJECTS] = {&libc, &call, &in_place};
    size_t count = 3 + path_subjects(subjects + 3);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "font-size=\"11\">\n"
            "<style>line{stroke:#ddd}polyline{fill:none;stroke-width:1.5}</style>\n"
            "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            LEFT + 2 * PANEL_WIDTH + GAP + 30, TOP + PANEL_HEIGHT + 80);
    for (Operation operation = 0; operation < OPERATIONS; operation++)
        panel_of(file, operation, subjects, count);
    legend(file, subjects, count);
    fputs("</svg>\n", file);
    if (fclose(file) != 0) {
        perror(file_name);
        return -1;
    }
    return 0;
}
