/* M2: under ulimit -d, which counts private writable mappings, touched or not. */
#include "limits.h"

int main(int count, char **values) {
    if (count > 1) {
        size_t limit = strtoul(values[1], NULL, 10);
        live_under_limit(RLIMIT_DATA, limit, 0.7, 256 * KIB);
        return 0;
    }
    run_limited(RLIMIT_DATA, 100 * MIB);
    run_limited(RLIMIT_DATA, 1 * GIB);
    return 0;
}
