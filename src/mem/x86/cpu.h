/* What CPUID says about this CPU, as far as moving memory is concerned. */
#ifndef VESTA_MEM_X86_CPU_H
#define VESTA_MEM_X86_CPU_H

#include <stdbool.h>
#include <stddef.h>

typedef struct VestaMemCpu {
    bool intel;
    bool avx2;               /* and the system saves the registers */
    bool avx512;             /* foundation, BW and VL; and the system saves the registers */
    bool erms;               /* rep movsb and rep stosb move whole cache lines */
    bool fsrm;               /* and start fast */
    size_t last_level_cache; /* bytes, of all cores that share it; 0 if CPUID does not tell */
} VestaMemCpu;

#pragma GCC visibility push(hidden)

VestaMemCpu vesta_mem_cpu(void);

#pragma GCC visibility pop

#endif
