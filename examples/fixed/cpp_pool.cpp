// What lives long says so, and does not keep the pages of short-lived blocks from going to other sizes.
#include <cstdio>
#include <vector>
#include <vesta/fixed.hpp>

int main() {
    vesta::PagePool pool;
    std::vector<void *> passing;
    for (int i = 0; i < 20000; i++) {
        void *block = pool.alloc(100, i % 20 == 0 ? vesta::PoolLifetime::Long : vesta::PoolLifetime::Short);
        if (block != nullptr && i % 20 != 0)
            passing.push_back(block);
    }
    for (void *block : passing)
        if (pool.free(block) != VESTA_OK)
            return 1;
    std::printf("%u pages are still used\n", pool.report().used_pages);
    return pool.report().used_pages > 10;
}
