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
        $<$<BOOL:${VESTA_ALLOC_DEFINE_MALLOC}>:VESTA_ALLOC_DEFINE_MALLOC>)
    target_compile_options(${target} PRIVATE
        $<$<NOT:$<CONFIG:Debug>>:-O2>
        -fno-builtin                  # or calloc becomes a call of itself
        -ftls-model=initial-exec      # a thread's heap is one load away, and no access allocates
        -foptimize-sibling-calls      # the slow path knows the program's call by the frame that the entry left it
        -fno-semantic-interposition
        -fno-stack-protector          # it would need the C library
        -fasynchronous-unwind-tables) # backtraces of the program pass through
endfunction()

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
