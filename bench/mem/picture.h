#ifndef VESTA_BENCH_MEM_PICTURE_H
#define VESTA_BENCH_MEM_PICTURE_H

/* Measures every path at every size and draws nanoseconds against size into an SVG file. Returns 0, or says on stderr
 * what is wrong with the file and returns -1. */
int draw_picture(const char *file_name);

#endif
