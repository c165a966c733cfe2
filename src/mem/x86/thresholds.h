/* Where the vector loops hand over. Chosen once from CPUID; how each was measured is said in docs/mem.md. */
#ifndef VESTA_MEM_X86_THRESHOLDS_H
#define VESTA_MEM_X86_THRESHOLDS_H

#include <stdatomic.h>
#include <stddef.h>

#include "cpu.h"

/* From `rep` bytes on rep movsb or rep stosb, from `stream` on non-temporal stores; rep <= stream. */
typedef struct VestaMemThresholds {
    size_t copy_rep, copy_stream;
    size_t set_rep, set_stream;
} VestaMemThresholds;

#pragma GCC visibility push(hidden)

VestaMemThresholds vesta_mem_thresholds_for(const VestaMemCpu *cpu);

/* Those in use: "never" until a path is selected. Threads that select at once store the same values. */
typedef struct VestaMemThresholdsInUse {
    _Atomic size_t copy_rep, copy_stream;
    _Atomic size_t set_rep, set_stream;
} VestaMemThresholdsInUse;

extern VestaMemThresholdsInUse vesta_mem_thresholds;

void vesta_mem_use_thresholds(const VestaMemThresholds *thresholds);

#pragma GCC visibility pop

#endif
