/* libFuzzer spells the operations of a model: MODEL names it. */
#include "model.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    MODEL(bytes, size);
    return 0;
}
