# vesta_add_test(NAME <name> SOURCES <file>... [LINK <target>...] [COMMAND <argument>...] [TIMEOUT <seconds>])
# A CMocka program that is one CTest test. It links the core, with the system's malloc left alone, unless LINK says
# otherwise: vesta_alloc makes malloc this allocator. COMMAND replaces the program's plain call; it may use the target
# <name> in generator expressions.

include(vesta_cmocka)

# As every program among the tests and benchmarks is compiled.
function(vesta_test_program target)
    vesta_warnings(${target})
    set_target_properties(${target} PROPERTIES C_STANDARD 11 CXX_STANDARD 17)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    # The same as in the library, for tests that read its internal headers.
    target_compile_definitions(${target} PRIVATE ${VESTA_ALLOC_DEFINITIONS})
    # Compilers drop pairs of malloc and free that a test is about.
    target_compile_options(${target} PRIVATE -fno-builtin)
endfunction()

function(vesta_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 test "" "NAME;TIMEOUT" "SOURCES;LINK;COMMAND")
    if(NOT test_LINK)
        set(test_LINK vesta_alloc_core)
    endif()
    if(NOT test_COMMAND)
        set(test_COMMAND ${test_NAME})
    endif()
    if(NOT test_TIMEOUT)
        set(test_TIMEOUT 120)
    endif()
    add_executable(${test_NAME} ${test_SOURCES})
    vesta_test_program(${test_NAME})
    target_link_libraries(${test_NAME} PRIVATE ${test_LINK} vesta_cmocka)
    add_test(NAME ${test_NAME} COMMAND ${test_COMMAND})
    set_tests_properties(${test_NAME} PROPERTIES TIMEOUT ${test_TIMEOUT})
endfunction()

# vesta_add_core_variant(<name> <definition>...): the core compiled once more with the definitions added, to be linked
# by tests in place of vesta_alloc_core.
function(vesta_add_core_variant name)
    get_target_property(sources vesta_alloc_core SOURCES)
    add_library(${name} OBJECT EXCLUDE_FROM_ALL ${sources})
    vesta_compile_library(${name})
    target_compile_definitions(${name} PUBLIC ${ARGN})
endfunction()
