// The C++ face of the allocators for fixed memory: owners that free what they hold, and a memory resource.
#ifndef VESTA_FIXED_HPP
#define VESTA_FIXED_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "arena.h"
#include "offset.h"
#include "pool.h"
#include "scratch.h"

namespace vesta {

using Status = ::VestaStatus;

// ---- scratch.h ----

// Memory for work that ends all at once. Not safe: one thread at a time. Destructors of what lies in it do not run.
class ScratchArena {
  public:
    explicit ScratchArena(std::size_t chunk_size = 0) noexcept {
        ::vesta_scratch_init(&scratch_, chunk_size);
    }

    // Uses a buffer, and then chunks; with a chunk size of 0 it never grows.
    ScratchArena(void *buffer, std::size_t size, std::size_t chunk_size = 0) noexcept {
        ::vesta_scratch_init_buffer(&scratch_, buffer, size, chunk_size);
    }

    ~ScratchArena() {
        ::vesta_scratch_destroy(&scratch_);
    }

    ScratchArena(const ScratchArena &) = delete;
    ScratchArena &operator=(const ScratchArena &) = delete;

    // nullptr if there is no memory.
    [[nodiscard]] void *try_alloc(std::size_t size) noexcept {
        return ::vesta_scratch_alloc(&scratch_, size);
    }

    [[nodiscard]] void *try_alloc(std::size_t size, std::size_t alignment) noexcept {
        return ::vesta_scratch_alloc_aligned(&scratch_, size, alignment);
    }

    // Throws std::bad_alloc if there is no memory.
    [[nodiscard]] void *alloc(std::size_t size, std::size_t alignment = VESTA_SCRATCH_ALIGNMENT) {
        void *block = alignment <= VESTA_SCRATCH_ALIGNMENT ? try_alloc(size) : try_alloc(size, alignment);
        if (block == nullptr)
            throw std::bad_alloc();
        return block;
    }

    // An object whose destructor need not run, because it will not.
    template <class T, class... Arguments>
    [[nodiscard]] T *make(Arguments &&...arguments) {
        static_assert(std::is_trivially_destructible_v<T>, "nobody would destroy it");
        return ::new (alloc(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
    }

    using Mark = ::VestaScratchMark;

    Mark mark() const noexcept {
        return ::vesta_scratch_mark(&scratch_);
    }

    void rewind(Mark mark) noexcept {
        ::vesta_scratch_rewind(&scratch_, mark);
    }

    void reset() noexcept {
        ::vesta_scratch_reset(&scratch_);
    }

  private:
    ::VestaScratch scratch_;
};

// Rewinds an arena at the end of a block of code.
class ScratchScope {
  public:
    explicit ScratchScope(ScratchArena &arena) noexcept : arena_(arena), mark_(arena.mark()) {}

    ~ScratchScope() {
        arena_.rewind(mark_);
    }

    ScratchScope(const ScratchScope &) = delete;
    ScratchScope &operator=(const ScratchScope &) = delete;

  private:
    ScratchArena &arena_;
    ScratchArena::Mark mark_;
};

// Lets the containers of std::pmr allocate from a scratch arena; what they free comes back when the arena is rewound.
class ScratchResource final : public std::pmr::memory_resource {
  public:
    explicit ScratchResource(ScratchArena &arena) noexcept : arena_(arena) {}

  private:
    void *do_allocate(std::size_t size, std::size_t alignment) override {
        return arena_.alloc(size, alignment);
    }

    void do_deallocate(void *, std::size_t, std::size_t) override {}

    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        return this == &other;
    }

    ScratchArena &arena_;
};

// ---- offset.h ----

using OffsetAllocation = ::VestaOffsetAllocation;
using OffsetReport = ::VestaOffsetReport;

// Numbers for memory that is not touched. Not safe: one thread at a time.
class OffsetAllocator {
  public:
    // Throws std::bad_alloc if there is no memory for the nodes or an argument is out of range.
    OffsetAllocator(std::uint64_t capacity, std::uint32_t max_blocks, void *memory = nullptr)
        : allocator_(::vesta_offset_create(capacity, max_blocks, memory)) {
        if (allocator_ == nullptr)
            throw std::bad_alloc();
    }

    [[nodiscard]] std::optional<OffsetAllocation> alloc(std::uint64_t size, std::uint64_t alignment = 1) noexcept {
        OffsetAllocation allocation;
        Status status = alignment == 1 ? ::vesta_offset_alloc(get(), size, &allocation)
                                       : ::vesta_offset_alloc_aligned(get(), size, alignment, &allocation);
        return status == VESTA_OK ? std::optional(allocation) : std::nullopt;
    }

    Status free(OffsetAllocation allocation) noexcept {
        return ::vesta_offset_free(get(), allocation);
    }

    Status free_after(OffsetAllocation allocation, std::uint64_t fence) noexcept {
        return ::vesta_offset_free_after(get(), allocation, fence);
    }

    std::uint32_t retire(std::uint64_t completed) noexcept {
        return ::vesta_offset_retire(get(), completed);
    }

    void reset() noexcept {
        ::vesta_offset_reset(get());
    }

    OffsetReport report() const noexcept {
        OffsetReport report;
        ::vesta_offset_report(get(), &report);
        return report;
    }

    // For the functions of offset.h that have no method.
    ::VestaOffsetAllocator *get() const noexcept {
        return allocator_.get();
    }

  private:
    struct Destroy {
        void operator()(::VestaOffsetAllocator *allocator) const noexcept {
            ::vesta_offset_destroy(allocator);
        }
    };
    std::unique_ptr<::VestaOffsetAllocator, Destroy> allocator_;
};

// ---- arena.h ----

using ArenaConfig = ::VestaArenaConfig;
using ArenaReport = ::VestaArenaReport;

class FixedArena;

// A block of a fixed arena, freed at the end of its life.
class ArenaBlock {
  public:
    ArenaBlock(ArenaBlock &&other) noexcept : arena_(std::exchange(other.arena_, nullptr)), handle_(other.handle_) {}

    ArenaBlock &operator=(ArenaBlock &&other) noexcept {
        std::swap(arena_, other.arena_);
        std::swap(handle_, other.handle_);
        return *this;
    }

    ~ArenaBlock() {
        if (arena_ != nullptr)
            ::vesta_arena_free(arena_, handle_);
    }

    void *address() const noexcept {
        return handle_.address;
    }

    std::size_t size() const noexcept {
        return handle_.size;
    }

    std::byte &operator[](std::size_t offset) const noexcept {
        return static_cast<std::byte *>(handle_.address)[offset];
    }

  private:
    friend class FixedArena;
    ArenaBlock(::VestaArena *arena, ::VestaArenaHandle handle) noexcept : arena_(arena), handle_(handle) {}

    ::VestaArena *arena_;
    ::VestaArenaHandle handle_;
};

// One range of memory that never grows. Not safe: one thread at a time. Must outlive its blocks.
class FixedArena {
  public:
    // Throws std::bad_alloc if there is no memory or the configuration is out of range.
    explicit FixedArena(const ArenaConfig &config) : arena_(::vesta_arena_create(&config)) {
        if (arena_ == nullptr)
            throw std::bad_alloc();
    }

    explicit FixedArena(std::size_t size) : FixedArena(ArenaConfig{size, 0, 0, nullptr}) {}

    // Throws std::bad_alloc if there is no block, or none of that size is ever given.
    [[nodiscard]] ArenaBlock alloc(std::size_t size) {
        ::VestaArenaHandle handle;
        if (::vesta_arena_alloc(get(), size, &handle) != VESTA_OK)
            throw std::bad_alloc();
        return ArenaBlock(get(), handle);
    }

    [[nodiscard]] std::optional<ArenaBlock> try_alloc(std::size_t size) noexcept {
        ::VestaArenaHandle handle;
        if (::vesta_arena_try_alloc(get(), size, &handle) == 0)
            return std::nullopt;
        return ArenaBlock(get(), handle);
    }

    std::size_t collect() noexcept {
        return ::vesta_arena_collect(get());
    }

    ArenaReport report() const noexcept {
        ArenaReport report;
        ::vesta_arena_report(get(), &report);
        return report;
    }

    // For the functions of arena.h.
    ::VestaArena *get() const noexcept {
        return arena_.get();
    }

  private:
    struct Destroy {
        void operator()(::VestaArena *arena) const noexcept {
            ::vesta_arena_destroy(arena);
        }
    };
    std::unique_ptr<::VestaArena, Destroy> arena_;
};

// ---- pool.h ----

using PoolConfig = ::VestaPoolConfig;
using PoolReport = ::VestaPoolReport;

enum class PoolLifetime { Short = VESTA_POOL_SHORT, Long = VESTA_POOL_LONG };

// Small blocks out of a budget that is never exceeded. Not safe: one thread at a time.
class PagePool {
  public:
    // Throws std::bad_alloc if there is no memory or the budget is too small.
    explicit PagePool(const PoolConfig &config) : pool_(::vesta_pool_create(&config)) {
        if (pool_ == nullptr)
            throw std::bad_alloc();
    }

    explicit PagePool(std::size_t budget = VESTA_POOL_BUDGET) : PagePool(::vesta_pool_defaults(budget)) {}

    [[nodiscard]] void *alloc(std::size_t size, PoolLifetime lifetime = PoolLifetime::Short) noexcept {
        return ::vesta_pool_alloc_hint(get(), size, static_cast<::VestaPoolLifetime>(lifetime));
    }

    [[nodiscard]] void *alloc_control(std::size_t size) noexcept {
        return ::vesta_pool_alloc_control(get(), size);
    }

    Status free(void *block) noexcept {
        return ::vesta_pool_free(get(), block);
    }

    PoolReport report() const noexcept {
        PoolReport report;
        ::vesta_pool_report(get(), &report);
        return report;
    }

    // For the functions of pool.h that have no method.
    ::VestaPool *get() const noexcept {
        return pool_.get();
    }

  private:
    struct Destroy {
        void operator()(::VestaPool *pool) const noexcept {
            ::vesta_pool_destroy(pool);
        }
    };
    std::unique_ptr<::VestaPool, Destroy> pool_;
};

} // namespace vesta

#endif
