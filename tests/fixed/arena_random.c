/* The fixed arena through random sequences, beside its model. */
#include "random.h"

int main(void) {
    return run_random("arena", run_arena_model);
}
