// The same from C++: operator new and what the standard library allocates come from vesta_alloc.
#include <vesta/vesta.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

int main() {
    if (!vesta::host_alloc_active()) {
        std::cerr << "malloc is not vesta_alloc: was the archive linked whole?\n";
        return 1;
    }

    auto number = std::make_unique<int>(42);
    std::vector<std::string> words(100, "long enough to need a block of its own");
    std::cout << "operator new:     ours? " << (vesta::host_owns(number.get()) ? "yes" : "no") << '\n'
              << "std::vector:      ours? " << (vesta::host_owns(words.data()) ? "yes" : "no") << '\n'
              << "std::string:      ours? " << (vesta::host_owns(words[0].data()) ? "yes" : "no") << '\n';

    // An allocator for containers, for programs that leave operator new alone.
    std::vector<double, vesta::Allocator<double>> samples(1000, 0.5);
    std::cout << "vesta::Allocator: ours? " << (vesta::host_owns(samples.data()) ? "yes" : "no") << '\n';

    std::cout << "the heap has committed " << vesta::host_alloc_stats().committed_bytes / 1024 << " KiB\n";
}
