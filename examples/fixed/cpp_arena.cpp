// Blocks that free themselves.
#include <cstdio>
#include <vesta/fixed.hpp>

int main() {
    vesta::FixedArena arena(std::size_t{1} << 20);
    std::size_t before = arena.report().free;
    {
        vesta::ArenaBlock block = arena.alloc(1000);
        block[0] = std::byte{42};
        std::printf("%zu bytes are used\n", before - arena.report().free);
    }
    return arena.report().free == before ? 0 : 1;
}
