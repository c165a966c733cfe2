#include "thresholds.h"

#include <vesta/mem_config.h>

#if VESTA_MEM_X86

#include <stdint.h>

VestaMemThresholdsInUse vesta_mem_thresholds = {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};

void vesta_mem_use_thresholds(const VestaMemThresholds *thresholds) {
    atomic_store_explicit(&vesta_mem_thresholds.copy_rep, thresholds->copy_rep, memory_order_relaxed);
    atomic_store_explicit(&vesta_mem_thresholds.copy_stream, thresholds->copy_stream, memory_order_relaxed);
    atomic_store_explicit(&vesta_mem_thresholds.set_rep, thresholds->set_rep, memory_order_relaxed);
    atomic_store_explicit(&vesta_mem_thresholds.set_stream, thresholds->set_stream, memory_order_relaxed);
}

VestaMemThresholds vesta_mem_thresholds_for(const VestaMemCpu *cpu) {
    /* A guess where the cache is unknown. */
    size_t cache = cpu->last_level_cache != 0 ? cpu->last_level_cache : (size_t)32 << 20;
    VestaMemThresholds thresholds;
    /* A copy has two blocks, which no longer fit into three quarters of the cache. */
    thresholds.copy_stream = cache / 8 * 3;
    thresholds.copy_rep = thresholds.copy_stream;
    /* Past the cache, rep stosb does not read the lines either, and knows better what to keep. */
    thresholds.set_stream = cpu->erms ? SIZE_MAX : cache / 2;
    thresholds.set_rep = cache / 2;
    /* Below, AMD's microcode was measured and nowhere beats the loop; Intel's does by its optimisation manual. */
    if (cpu->intel && cpu->erms) {
        thresholds.copy_rep = cpu->fsrm ? 2048 : 4096;
        thresholds.set_rep = 2048;
    }
    return thresholds;
}

#endif
