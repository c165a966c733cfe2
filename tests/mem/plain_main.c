/* The checks without a test framework, for other architectures under an emulator. */
#include <stdio.h>

#include "check_path.h"
#include "paths.h"

int main(void) {
    ForcedPath paths[16];
    size_t count = forced_paths(paths, 16);
    for (size_t i = 0; i < count; i++) {
        const Path *path = &paths[i].path;
        forced_path_begin(&paths[i]);
        if (!right_beside_guard_pages(path, NORMAL) || !right_at_every_alignment(path, BRIEF) ||
            !right_across_pages(path, BRIEF) || !right_in_place(path, NORMAL) || !right_around(path, 8192) ||
            !right_around(path, (size_t)8 << 20))
            return 1;
        forced_path_end(&paths[i]);
        printf("%s: right\n", path->name);
    }
    return 0;
}
