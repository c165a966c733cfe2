# How code of this project is compiled.

function(vesta_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow $<$<COMPILE_LANGUAGE:C>:-Wconversion>)
    if(VESTA_ALLOC_WARNINGS_ARE_ERRORS)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

function(vesta_include_directories target)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endfunction()

# The library's own code.
function(vesta_compile_library target)
    vesta_include_directories(${target})
    vesta_warnings(${target})
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON C_VISIBILITY_PRESET hidden)
    target_compile_definitions(${target} PRIVATE
        ${VESTA_ALLOC_DEFINITIONS}
        $<$<BOOL:${VESTA_ALLOC_INTERPOSE_MALLOC}>:VESTA_ALLOC_INTERPOSE_MALLOC>
        $<$<BOOL:${VESTA_ALLOC_DEFINE_MALLOC}>:VESTA_ALLOC_DEFINE_MALLOC>
        $<$<BOOL:${VESTA_ALLOC_HOOK_MSVCRT}>:VESTA_ALLOC_HOOK_MSVCRT>)
    target_compile_options(${target} PRIVATE
        $<$<NOT:$<CONFIG:Debug>>:-O2>
        -fno-builtin                  # or calloc becomes a call of itself
        -ftls-model=initial-exec      # a thread's heap is one load away, and no access allocates
        -foptimize-sibling-calls      # the slow path knows the program's call by the frame that the entry left it
        -fno-semantic-interposition
        -fno-stack-protector          # it would need the C library
        -fasynchronous-unwind-tables) # backtraces of the program pass through
endfunction()

# vesta_add_shared(<target> <core> <output name> <exported as>): a shared library of a core's objects. Its door is always
# that of symbol definition: nothing can be renamed in a program that is linked already.
macro(vesta_add_shared target core output exported)
    add_library(${target} SHARED $<TARGET_OBJECTS:${core}>)
    vesta_compile_library(${target})
    target_compile_definitions(${target} PRIVATE VESTA_ALLOC_DEFINE_MALLOC)
    # A heap whose blocks are in use must not be unloaded.
    target_link_options(${target} PRIVATE LINKER:-z,nodelete LINKER:-z,now LINKER:-z,defs)
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${output} EXPORT_NAME ${exported})
    add_library(vesta_alloc::${exported} ALIAS ${target})
    list(APPEND VESTA_ALLOC_DOOR_TARGETS ${target})
endmacro()

# Called by the CMakeLists.txt of each folder of src/ with its sources: those of the library proper, and those of the
# doors, which are compiled once per door.
function(vesta_core_sources)
    foreach(target IN LISTS VESTA_ALLOC_CORE_TARGETS)
        target_sources(${target} PRIVATE ${ARGN})
    endforeach()
endfunction()

function(vesta_door_sources)
    foreach(target IN LISTS VESTA_ALLOC_DOOR_TARGETS)
        target_sources(${target} PRIVATE ${ARGN})
    endforeach()
endfunction()
