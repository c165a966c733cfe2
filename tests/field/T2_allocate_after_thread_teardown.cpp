// T2: a thread still allocates and frees when its thread_local objects, then its keys, then what the C library keeps
// for it are being destroyed, all of that after the allocator heard of the thread's end. Nothing is lost per thread.
#include "field.h"

namespace {

constexpr int kThreads = 3000;
constexpr size_t kBlock = 5000;

pthread_key_t key;
int keyRuns, objectRuns;

void use_heap(unsigned seed) {
    char *block = static_cast<char *>(malloc(kBlock));
    CHECK(block, "malloc failed");
    mark(block, kBlock, seed);
    block = static_cast<char *>(realloc(block, 40 * kBlock));
    CHECK(block && marked(block, kBlock, seed), "realloc lost the content");
    free(block);
    void *zeroed = calloc(7, 300);
    CHECK(zeroed && *static_cast<char *>(zeroed) == 0, "calloc failed");
    free(zeroed);
}

struct Late {
    char *held = nullptr;
    ~Late() {
        free(held);
        use_heap(1);
        __atomic_fetch_add(&objectRuns, 1, __ATOMIC_RELAXED);
    }
};

thread_local Late late;

void destroy(void *value) {
    free(value);
    use_heap(2);
    __atomic_fetch_add(&keyRuns, 1, __ATOMIC_RELAXED);
    strerror(98765); // the C library keeps the text per thread and frees it after the last destructor
    dlsym(RTLD_DEFAULT, "no such symbol");
}

void *body(void *) {
    late.held = static_cast<char *>(malloc(kBlock));
    pthread_setspecific(key, malloc(kBlock));
    strerror(98765);
    dlsym(RTLD_DEFAULT, "no such symbol");
    dlerror();
    return nullptr;
}

void run_threads(int count) {
    for (int i = 0; i < count; i++) {
        pthread_join(start_thread(body, nullptr, 256 * KIB), nullptr);
    }
}

} // namespace

int main() {
    expect_allocator();
    CHECK(pthread_key_create(&key, destroy) == 0, "pthread_key_create failed"); // later than the allocator's
    run_threads(100);
    size_t before = resident_bytes();
    run_threads(kThreads);
    size_t after = resident_bytes();
    CHECK(keyRuns == kThreads + 100 && objectRuns == keyRuns, "%d and %d runs", keyRuns, objectRuns);
    // Half a kibibyte lost per thread would be 1.5 MiB.
    CHECK(after < before + 1 * MIB, "%zu KiB before, %zu KiB after %d threads", before / KIB, after / KIB, kThreads);
    return 0;
}
