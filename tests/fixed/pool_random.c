/* The page pool through random sequences, beside its model. */
#include "random.h"

int main(void) {
    return run_random("pool", run_pool_model);
}
