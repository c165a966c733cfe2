/* A heap of a graphics device: buffers that live for one frame, freed when the device is done with them. */
#include <stdio.h>
#include <vesta/offset.h>

int main(void) {
    VestaOffsetAllocator *heap = vesta_offset_create((uint64_t)256 << 20, 4096, NULL);
    VestaOffsetReport report;
    if (heap == NULL)
        return 1;
    for (uint64_t frame = 1; frame <= 10; frame++) {
        for (int i = 0; i < 100; i++) {
            VestaOffsetAllocation buffer;
            if (vesta_offset_alloc_aligned(heap, 1000 + 10 * (uint64_t)i, 256, &buffer) != VESTA_OK)
                return 1;
            /* ... record commands that use buffer.offset ... */
            vesta_offset_free_after(heap, buffer, frame);
        }
        if (frame > 2)
            vesta_offset_retire(heap, frame - 2); /* the device is two frames behind */
    }
    vesta_offset_report(heap, &report);
    printf("%u buffers wait for the device, %llu bytes are free\n", report.waiting, (unsigned long long)report.free);
    vesta_offset_retire(heap, 10);
    vesta_offset_report(heap, &report);
    vesta_offset_destroy(heap);
    return report.free == (uint64_t)256 << 20 ? 0 : 1;
}
