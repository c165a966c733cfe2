// I10: objects constructed before everything else are destroyed after it and free then; exit handlers allocate; a
// detached thread does not stop allocating while the process ends; and a library that was loaded after the allocator is
// torn down after it. That library ends the program with success; main's own status is a failure.
#include <string>
#include <vector>

#include "field.h"

namespace {

struct Last {
    std::vector<std::string> texts;
    char *large = nullptr;
    Last() {
        for (int i = 0; i < 1000; i++) {
            texts.push_back(std::string(100, static_cast<char>('a' + i % 26)));
        }
        large = static_cast<char *>(malloc(3 * MIB));
        mark(large, 3 * MIB, 1);
    }
    ~Last() {
        for (size_t i = 0; i < texts.size(); i++) {
            CHECK(texts[i] == std::string(100, static_cast<char>('a' + i % 26)), "a text changed");
        }
        texts.clear();
        texts.shrink_to_fit();
        CHECK(marked(large, 3 * MIB, 1), "a block changed");
        free(large);
        pause_seconds(0.2); // the detached thread goes on allocating
        int *ended = static_cast<int *>(dlsym(RTLD_DEFAULT, "field_program_ended"));
        CHECK(ended, "the last library is not loaded");
        *ended = 1;
    }
};

__attribute__((init_priority(101))) Last last;

void handler() {
    static void *held;
    void *block = malloc(5000);
    CHECK(block, "malloc failed in an exit handler");
    memset(block, 1, 5000);
    free(held);
    held = block;
}

void *allocate_for_ever(void *) {
    uint64_t random = 1;
    void *held[50] = {};
    for (;;) {
        void *&slot = held[next_random(&random) % 50];
        free(slot);
        slot = malloc(next_random(&random) % (200 * KIB));
        CHECK(slot, "malloc failed");
    }
}

} // namespace

int main() {
    expect_allocator();
    alarm(60);
    for (int i = 0; i < 50; i++) {
        atexit(handler);
    }
    pthread_detach(start_thread(allocate_for_ever, nullptr, 256 * KIB));
    pause_seconds(0.1);
    return 1;
}
