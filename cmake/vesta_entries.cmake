# The names that src/alloc/interpose answers to as VESTA_ENTRY or VESTA_ENTRY_ALIAS; a test compares the two lists.
# The C++ operators are not among them: the language lets a program define those, so they need no renaming.
set(VESTA_ALLOC_ENTRIES
    malloc calloc realloc reallocarray free cfree free_sized free_aligned_sized
    posix_memalign aligned_alloc memalign valloc pvalloc
    malloc_usable_size malloc_trim malloc_stats malloc_info mallinfo mallinfo2 mallopt
    __libc_malloc __libc_calloc __libc_realloc __libc_free __libc_memalign __libc_valloc __libc_pvalloc
    __libc_mallinfo __libc_mallopt)
