// The C++ face of mem.h, and typed helpers that take objects instead of byte counts. Included by vesta.hpp.
#ifndef VESTA_MEM_HPP
#define VESTA_MEM_HPP

#include <cstddef>
#include <type_traits>

#include "mem.h"

// Copies one object. Sizes up to 64 bytes are moved in place, without a call.
template <typename T>
inline void vesta_memcopy(T *dst, const T *src) noexcept {
    static_assert(std::is_trivially_copyable<T>::value, "vesta_memcopy: the type is not trivially copyable");
    vesta_memcpy(dst, src, sizeof(T));
}

// Copies `count` objects.
template <typename T>
inline void vesta_memcopy(T *dst, const T *src, std::size_t count) noexcept {
    static_assert(std::is_trivially_copyable<T>::value, "vesta_memcopy: the type is not trivially copyable");
    vesta_memcpy(dst, src, count * sizeof(T));
}

// Sets every byte of one object.
template <typename T>
inline void vesta_memfill(T *object, int byte) noexcept {
    static_assert(std::is_trivially_copyable<T>::value, "vesta_memfill: the type is not trivially copyable");
    vesta_memset(object, byte, sizeof(T));
}

namespace vesta {

using ::vesta_memcopy;
using ::vesta_memcpy;
using ::vesta_memcpy_inline;
using ::vesta_memcpy_noinline;
using ::vesta_memfill;
using ::vesta_memset;
using ::vesta_memset_inline;
using ::vesta_memset_noinline;

} // namespace vesta

#endif
