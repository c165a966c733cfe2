# The options of the build, and what follows from them:
#   VESTA_ALLOC_DEFINITIONS  compile definitions of the library's own code
#   VESTA_ALLOC_LINK_FLAGS   what a program must be linked with

set(is_elf OFF)
if(UNIX AND NOT APPLE)
    set(is_elf ON)
endif()

option(VESTA_ALLOC_INTERPOSE_MALLOC "malloc and its family are this allocator, by renaming (-Wl,--wrap)" ON)
option(VESTA_ALLOC_DEFINE_MALLOC "also for what the C library allocates itself, by defining the symbols" ${is_elf})
option(VESTA_ALLOC_HOOK_MSVCRT "the same on Windows, by a jump in the C runtime's code" ${WIN32})
option(VESTA_ALLOC_SIZE_HISTOGRAM "count allocations per size class while statistics are on" ON)
set(VESTA_ALLOC_SPAN_CACHE_SLOTS 32 CACHE STRING "how many span lengths a thread keeps to itself")
set(VESTA_ALLOC_SPAN_CACHE_BYTES 2097152 CACHE STRING "and how many bytes they may hold")
option(VESTA_ALLOC_HARDEN "defences against heap corruption, at a price" OFF)
# Each of them; docs/security.md says what it catches and costs.
set(VESTA_ALLOC_HARDEN_SWITCHES CANARY NEIGHBOURS FILL RANDOM QUARANTINE GUARDS EMPTY SIZES MEMORY_CALLS)
foreach(switch IN LISTS VESTA_ALLOC_HARDEN_SWITCHES)
    option(VESTA_ALLOC_HARDEN_${switch} "a defence of the hardened build" ON)
    mark_as_advanced(VESTA_ALLOC_HARDEN_${switch})
endforeach()
option(VESTA_ALLOC_DEBUG "check invariants at run time" OFF)

option(VESTA_ALLOC_BUILD_SHARED "build libvesta_alloc.so too" ${PROJECT_IS_TOP_LEVEL})
option(VESTA_ALLOC_BUILD_TESTS "build the tests" ${PROJECT_IS_TOP_LEVEL})
option(VESTA_ALLOC_BUILD_EXAMPLES "build the examples" ${PROJECT_IS_TOP_LEVEL})
option(VESTA_ALLOC_BUILD_BENCH "build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(VESTA_ALLOC_INSTALL "write install rules" ${PROJECT_IS_TOP_LEVEL})
option(VESTA_ALLOC_WARNINGS_ARE_ERRORS "as it says" OFF)
set(VESTA_ALLOC_SANITIZE "" CACHE STRING "sanitizers for everything built here, as -fsanitize= takes them")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# A sanitizer brings its own malloc and must see the program's calls: the doors are shut.
if(VESTA_ALLOC_SANITIZE)
    set(VESTA_ALLOC_INTERPOSE_MALLOC OFF)
    set(VESTA_ALLOC_DEFINE_MALLOC OFF)
    set(VESTA_ALLOC_BUILD_SHARED OFF)
    set(VESTA_ALLOC_BUILD_EXAMPLES OFF)
    set(VESTA_ALLOC_BUILD_BENCH OFF)
    add_compile_options(-fsanitize=${VESTA_ALLOC_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${VESTA_ALLOC_SANITIZE})
endif()

set(VESTA_ALLOC_DEFINITIONS
    VESTA_ALLOC_SPAN_CACHE_SLOTS=${VESTA_ALLOC_SPAN_CACHE_SLOTS}
    VESTA_ALLOC_SPAN_CACHE_BYTES=${VESTA_ALLOC_SPAN_CACHE_BYTES})
foreach(option VESTA_ALLOC_SIZE_HISTOGRAM VESTA_ALLOC_HARDEN)
    if(${option})
        list(APPEND VESTA_ALLOC_DEFINITIONS ${option})
    endif()
endforeach()
foreach(switch IN LISTS VESTA_ALLOC_HARDEN_SWITCHES)
    if(NOT VESTA_ALLOC_HARDEN_${switch})
        list(APPEND VESTA_ALLOC_DEFINITIONS VESTA_ALLOC_HARDEN_${switch}=0)
    endif()
endforeach()
if(VESTA_ALLOC_DEBUG)
    list(APPEND VESTA_ALLOC_DEFINITIONS VESTA_DEBUG)
endif()

# Renaming and defining the same symbol would make __real_malloc the definition itself: what is defined is not renamed,
# and the door of symbol definition defines every entry. A function that is hooked on Windows is not renamed either.
set(VESTA_ALLOC_LINK_FLAGS "")
if(VESTA_ALLOC_INTERPOSE_MALLOC AND NOT VESTA_ALLOC_DEFINE_MALLOC AND NOT VESTA_ALLOC_HOOK_MSVCRT)
    include(vesta_entries)
    include(CheckLinkerFlag)
    check_linker_flag(C "LINKER:--wrap=vesta_any_name" VESTA_ALLOC_LINKER_CAN_WRAP)
    if(NOT VESTA_ALLOC_LINKER_CAN_WRAP)
        message(FATAL_ERROR "The linker has no --wrap: set VESTA_ALLOC_INTERPOSE_MALLOC=OFF, which leaves malloc alone")
    endif()
    list(TRANSFORM VESTA_ALLOC_ENTRIES PREPEND "LINKER:--wrap=" OUTPUT_VARIABLE VESTA_ALLOC_LINK_FLAGS)
endif()
