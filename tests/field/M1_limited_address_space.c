/* M1: under ulimit -v, which counts address space however little is used, a program starts, has threads, gets most of
 * the limit, then NULL and ENOMEM, and goes on. */
#include "limits.h"

int main(int count, char **values) {
    if (count > 1) {
        size_t limit = strtoul(values[1], NULL, 10);
        live_under_limit(RLIMIT_AS, limit, limit < GIB ? 0.4 : 0.7, limit < GIB ? 256 * KIB : 8 * MIB);
        return 0;
    }
    run_limited(RLIMIT_AS, 200000 * KIB);
    run_limited(RLIMIT_AS, 1 * GIB);
    run_limited(RLIMIT_AS, 2 * GIB);
    return 0;
}
