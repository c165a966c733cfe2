// The same heap, reported by size class.
#include <cstdio>
#include <vector>
#include <vesta/fixed.hpp>

int main() {
    vesta::OffsetAllocator heap(std::uint64_t{256} << 20, 4096);
    std::vector<vesta::OffsetAllocation> buffers;
    for (std::uint64_t size = 1000; size < 20000; size += 100)
        if (auto buffer = heap.alloc(size, 256))
            buffers.push_back(*buffer);
    for (std::size_t i = 0; i < buffers.size(); i += 2)
        heap.free(buffers[i]);
    VestaOffsetClass classes[64];
    std::uint32_t count = vesta_offset_classes(heap.get(), classes, 64);
    for (std::uint32_t i = 0; i < count && i < 64; i++)
        std::printf("%u free blocks of %llu bytes and more\n", classes[i].blocks,
                    static_cast<unsigned long long>(classes[i].size_min));
    return count == 0;
}
