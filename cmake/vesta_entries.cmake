# The names that src/alloc/interpose answers to as VESTA_ENTRY or VESTA_ENTRY_ALIAS; a test compares the two lists.
# The C++ operators are not among them: the language lets a program define those, so they need no renaming.
if(WIN32)
    # src/alloc/interpose/windows/runtimes.h
    set(VESTA_ALLOC_ENTRIES
        malloc calloc free realloc _msize _expand _recalloc
        _aligned_malloc _aligned_offset_malloc _aligned_free _aligned_msize
        _aligned_realloc _aligned_offset_realloc _aligned_recalloc _aligned_offset_recalloc)
    # Calls of what was declared dllimport go through a pointer.
    list(TRANSFORM VESTA_ALLOC_ENTRIES PREPEND __imp_ OUTPUT_VARIABLE import_pointers)
    list(APPEND VESTA_ALLOC_ENTRIES ${import_pointers})
    return()
endif()
set(VESTA_ALLOC_ENTRIES
    malloc calloc realloc reallocarray free cfree free_sized free_aligned_sized
    posix_memalign aligned_alloc memalign valloc pvalloc
    malloc_usable_size malloc_trim malloc_stats malloc_info mallinfo mallinfo2 mallopt
    __libc_malloc __libc_calloc __libc_realloc __libc_free __libc_memalign __libc_valloc __libc_pvalloc
    __libc_mallinfo __libc_mallopt)
