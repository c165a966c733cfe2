#include "x86.h"

#if VESTA_MEM_X86

#include "cpu.h"
#include "thresholds.h"

static VestaMemCpu prepare(void) {
    VestaMemCpu cpu = vesta_mem_cpu();
    VestaMemThresholds thresholds = vesta_mem_thresholds_for(&cpu);
    vesta_mem_use_thresholds(&thresholds);
    return cpu;
}

VestaMemCopy *vesta_mem_select_copy(void) {
    VestaMemCpu cpu = prepare();
    return cpu.avx512 ? vesta_mem_copy_avx512 : cpu.avx2 ? vesta_mem_copy_avx2 : vesta_mem_copy_sse2;
}

VestaMemSet *vesta_mem_select_set(void) {
    VestaMemCpu cpu = prepare();
    return cpu.avx512 ? vesta_mem_set_avx512 : cpu.avx2 ? vesta_mem_set_avx2 : vesta_mem_set_sse2;
}

#endif
