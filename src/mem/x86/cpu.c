#include "cpu.h"

#include <vesta/mem_config.h>

#if VESTA_MEM_X86

#include <cpuid.h>
#include <stdint.h>

typedef struct Leaf {
    unsigned eax, ebx, ecx, edx;
} Leaf;

static Leaf cpuid(unsigned leaf, unsigned subleaf) {
    Leaf l;
    l.eax = l.ebx = l.ecx = l.edx = 0;
    if (leaf <= (unsigned)__get_cpuid_max(leaf & 0x80000000u, NULL))
        __cpuid_count(leaf, subleaf, l.eax, l.ebx, l.ecx, l.edx);
    return l;
}

/* Which register sets the system saves when it switches threads. */
static unsigned saved_registers(void) {
    unsigned low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Walks the list of caches, which Intel and AMD keep at different leaves in the same format. */
static size_t last_level_cache(unsigned leaf) {
    enum { NO_MORE = 0, INSTRUCTIONS = 2 };
    size_t size = 0;
    for (unsigned index = 0; index < 16; index++) {
        Leaf cache = cpuid(leaf, index);
        unsigned type = cache.eax & 31;
        if (type == NO_MORE)
            break;
        if (type == INSTRUCTIONS)
            continue;
        size_t ways = (cache.ebx >> 22) + 1u, partitions = (cache.ebx >> 12 & 0x3ff) + 1u;
        size_t line = (cache.ebx & 0xfff) + 1u, sets = (size_t)cache.ecx + 1;
        size_t bytes = ways * partitions * line * sets;
        if (bytes > size)
            size = bytes;
    }
    return size;
}

VestaMemCpu vesta_mem_cpu(void) {
    enum { XMM_YMM = 0x06, XMM_YMM_ZMM_MASKS = 0xe6 };
    Leaf basic = cpuid(1, 0), features = cpuid(7, 0);
    unsigned saved = basic.ecx & bit_OSXSAVE ? saved_registers() : 0;
    unsigned avx512 = bit_AVX512F | bit_AVX512BW | bit_AVX512VL | bit_BMI2;
    VestaMemCpu cpu;
    cpu.intel = cpuid(0, 0).ecx == signature_INTEL_ecx;
    cpu.avx2 = (features.ebx & bit_AVX2) && (saved & XMM_YMM) == XMM_YMM;
    cpu.avx512 = (features.ebx & avx512) == avx512 && (saved & XMM_YMM_ZMM_MASKS) == XMM_YMM_ZMM_MASKS;
    cpu.erms = features.ebx >> 9 & 1;
    cpu.fsrm = features.edx >> 4 & 1;
    cpu.last_level_cache = last_level_cache(cpu.intel ? 4 : 0x8000001du);
    return cpu;
}

#endif
