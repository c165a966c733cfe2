/* The paths that this machine can run, those that it would not choose included. */
#ifndef VESTA_TESTS_MEM_PATHS_H
#define VESTA_TESTS_MEM_PATHS_H

#include <stddef.h>

#include "check_path.h"

/* How the path treats large blocks: as the thresholds in use say, or from the first size on that is not small. */
typedef enum Large { AS_SELECTED, NEVER, BY_REP, BY_STREAM } Large;

typedef struct ForcedPath {
    Path path;
    Large large;
} ForcedPath;

/* Fills `paths` and returns how many there are. */
size_t forced_paths(ForcedPath *paths, size_t capacity);

void forced_path_begin(const ForcedPath *path);
void forced_path_end(const ForcedPath *path);

/* The sizes at which the selected path changes its ways for large blocks. */
size_t forced_path_thresholds(size_t *sizes, size_t capacity);

#endif
