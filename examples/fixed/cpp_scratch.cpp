// Standard containers in a scratch arena, on a buffer on the stack first.
#include <cstdio>
#include <string>
#include <vector>
#include <vesta/fixed.hpp>

int main() {
    alignas(16) char buffer[1024];
    vesta::ScratchArena arena(buffer, sizeof buffer, 64 << 10);
    vesta::ScratchResource resource(arena);
    for (int round = 0; round < 3; round++) {
        vesta::ScratchScope scope(arena);
        std::pmr::vector<std::pmr::string> words(&resource);
        for (int i = 0; i < 100; i++)
            words.emplace_back("a word that is too long to be kept in the string itself");
        std::printf("%zu words\n", words.size());
    }
    return 0;
}
