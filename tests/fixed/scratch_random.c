/* The scratch arena through random sequences, beside its model. */
#include "random.h"

int main(void) {
    return run_random("scratch", run_scratch_model);
}
