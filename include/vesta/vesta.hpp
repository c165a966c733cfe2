// The C++ face of the public headers: the same functions in namespace vesta, without the prefix.
#ifndef VESTA_VESTA_HPP
#define VESTA_VESTA_HPP

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <type_traits>

#include "host_alloc.h"
#include "mem.hpp"
#if __cplusplus >= 201703L && defined(__cpp_exceptions)
#include "fixed.hpp" // the allocators for fixed memory throw, and have a std::pmr::memory_resource
#endif

namespace vesta {

// ---- host_alloc.h: the heap ----

using HostStats = ::VestaHostStats;
using HostSize = ::VestaHostSize;

inline void *host_alloc(std::size_t size) noexcept {
    return ::vesta_host_alloc(size);
}

inline void *host_alloc_zeroed(std::size_t size) noexcept {
    return ::vesta_host_alloc_zeroed(size);
}

inline void *host_calloc(std::size_t count, std::size_t size) noexcept {
    return ::vesta_host_calloc(count, size);
}

inline void *host_alloc_aligned(std::size_t size, std::size_t alignment) noexcept {
    return ::vesta_host_alloc_aligned(size, alignment);
}

inline void *host_alloc_aligned_freeable(std::size_t size, std::size_t alignment) noexcept {
    return ::vesta_host_alloc_aligned_freeable(size, alignment);
}

inline void *host_realloc(void *block, std::size_t size) noexcept {
    return ::vesta_host_realloc(block, size);
}

inline void host_free(void *block) noexcept {
    ::vesta_host_free(block);
}

inline void host_free_sized(void *block, std::size_t size) noexcept {
    ::vesta_host_free_sized(block, size);
}

inline void host_free_aligned(void *block) noexcept {
    ::vesta_host_free_aligned(block);
}

inline std::size_t host_usable_size(const void *block) noexcept {
    return ::vesta_host_usable_size(block);
}

inline bool host_owns(const void *address) noexcept {
    return ::vesta_host_owns(address) != 0;
}

inline bool host_alloc_active() noexcept {
    return ::vesta_host_alloc_active() != 0;
}

inline bool host_trim(std::size_t keep) noexcept {
    return ::vesta_host_trim(keep) != 0;
}

inline HostStats host_alloc_stats() noexcept {
    HostStats stats;
    ::vesta_host_alloc_stats(&stats);
    return stats;
}

inline unsigned host_alloc_sizes(HostSize *sizes, unsigned capacity) noexcept {
    return ::vesta_host_alloc_sizes(sizes, capacity);
}

[[noreturn]] inline void throw_bad_alloc() {
#ifdef __cpp_exceptions
    throw std::bad_alloc();
#else
    std::abort();
#endif
}

// An allocator for the standard containers that takes its memory from the heap whether or not operator new does.
template <typename T>
struct Allocator {
    using value_type = T;
    using is_always_equal = std::true_type;

    Allocator() noexcept = default;

    template <typename U>
    Allocator(const Allocator<U> &) noexcept {}

    T *allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(T))
            throw_bad_alloc();
        void *block = alignof(T) > VESTA_HOST_ALLOC_ALIGNMENT
                          ? host_alloc_aligned_freeable(count * sizeof(T), alignof(T))
                          : host_alloc(count * sizeof(T));
        if (block == nullptr)
            throw_bad_alloc();
        return static_cast<T *>(block);
    }

    void deallocate(T *block, std::size_t count) noexcept {
        host_free_sized(block, count * sizeof(T));
    }
};

template <typename T, typename U>
bool operator==(const Allocator<T> &, const Allocator<U> &) noexcept {
    return true;
}

template <typename T, typename U>
bool operator!=(const Allocator<T> &, const Allocator<U> &) noexcept {
    return false;
}

} // namespace vesta

#endif
