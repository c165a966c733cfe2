/* Feeds a model with random sequences: the same ones every time. */
#ifndef TESTS_FIXED_RANDOM_H
#define TESTS_FIXED_RANDOM_H

#include "model.h"

#include "unit.h"
#include <stdio.h>
#include <stdlib.h>

#ifndef SEQUENCES
#define SEQUENCES 4000
#endif

typedef void (*Run)(const uint8_t *bytes, size_t size);

static void agrees_with_the_model(void **state) {
    Run run = *(Run *)*state;
    uint64_t random = 0x9E3779B97F4A7C15u;
    for (int i = 0; i < SEQUENCES; i++) {
        uint8_t bytes[4096];
        size_t size = next_random(&random) % sizeof bytes;
        for (size_t j = 0; j < size; j++)
            bytes[j] = (uint8_t)(next_random(&random) >> 32);
        run(bytes, size);
        fail_request(0);
    }
}

static inline int run_random(const char *name, Run run) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(agrees_with_the_model, &run)};
    return cmocka_run_group_tests_name(name, tests, NULL, NULL);
}

#endif
