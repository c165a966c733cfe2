# Defines vesta_cmocka, the library that the tests are written with: Debian's package, or for Windows, where Debian has
# none, its source package compiled into the build folder.
add_library(vesta_cmocka INTERFACE)
if(NOT WIN32)
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
    target_link_libraries(vesta_cmocka INTERFACE PkgConfig::cmocka)
    return()
endif()

set(cmocka_folder ${CMAKE_BINARY_DIR}/cmocka)
file(GLOB cmocka_source ${cmocka_folder}/cmocka-*/src/cmocka.c)
if(NOT cmocka_source)
    # apt's view of the source packages, kept apart from the machine's.
    file(MAKE_DIRECTORY ${cmocka_folder}/lists/partial)
    file(STRINGS /etc/os-release codename REGEX "^VERSION_CODENAME=")
    string(REPLACE "VERSION_CODENAME=" "" codename "${codename}")
    file(WRITE ${cmocka_folder}/sources.list
        "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian ${codename} main\n")
    set(apt apt-get -q -o Dir::Etc::sourcelist=${cmocka_folder}/sources.list -o Dir::Etc::sourceparts=-
        -o Dir::State::lists=${cmocka_folder}/lists -o APT::Sandbox::User=root)
    execute_process(COMMAND ${apt} update COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${apt} source --download-only cmocka
        WORKING_DIRECTORY ${cmocka_folder} COMMAND_ERROR_IS_FATAL ANY)
    file(GLOB cmocka_archive ${cmocka_folder}/cmocka_*.orig.tar.xz)
    file(ARCHIVE_EXTRACT INPUT ${cmocka_archive} DESTINATION ${cmocka_folder})
    file(GLOB cmocka_source ${cmocka_folder}/cmocka-*/src/cmocka.c)
endif()
cmake_path(GET cmocka_source PARENT_PATH cmocka_include)
set(cmocka_include ${cmocka_include}/../include)

add_library(vesta_cmocka_windows STATIC EXCLUDE_FROM_ALL ${cmocka_source})
target_include_directories(vesta_cmocka_windows SYSTEM PUBLIC ${cmocka_include})
target_compile_options(vesta_cmocka_windows PRIVATE -w)
target_compile_definitions(vesta_cmocka_windows PRIVATE
    HAVE_STDLIB_H HAVE_STRING_H HAVE_INTTYPES_H HAVE_STDINT_H HAVE_SETJMP_H HAVE_STDARG_H HAVE_STDDEF_H HAVE_STDIO_H
    HAVE_MALLOC_H HAVE_SIGNAL_H HAVE_TIME_H HAVE_SNPRINTF HAVE_VSNPRINTF HAVE_STRSIGNAL=0)
target_link_libraries(vesta_cmocka INTERFACE vesta_cmocka_windows)
