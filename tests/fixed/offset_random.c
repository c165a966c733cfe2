/* The offset allocator through random sequences, beside its model. */
#include "random.h"

int main(void) {
    return run_random("offset", run_offset_model);
}
