# Headers, libraries, the CMake package and the pkg-config file.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vesta_alloc)
set(package_build_dir ${CMAKE_CURRENT_BINARY_DIR}/package)

install(DIRECTORY include/vesta DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS vesta_alloc_static EXPORT vesta_alloc ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(shared vesta_alloc_shared vesta_alloc_hardened)
    if(TARGET ${shared})
        install(TARGETS ${shared} EXPORT vesta_alloc LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
endforeach()
install(EXPORT vesta_alloc NAMESPACE vesta_alloc:: FILE vesta_alloc-targets.cmake DESTINATION ${package_dir})

configure_package_config_file(
    cmake/vesta_alloc-config.cmake.in ${package_build_dir}/vesta_alloc-config.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${package_build_dir}/vesta_alloc-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package_build_dir}/vesta_alloc-config.cmake ${package_build_dir}/vesta_alloc-config-version.cmake
        DESTINATION ${package_dir})

list(JOIN VESTA_ALLOC_LINK_FLAGS " " pkg_config_flags)
string(REPLACE "LINKER:" "-Wl," pkg_config_flags "${pkg_config_flags}")
# Relative to the file, so that the tree may be moved.
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_LIBDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE libdir)
cmake_path(ABSOLUTE_PATH CMAKE_INSTALL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE includedir)
cmake_path(RELATIVE_PATH includedir BASE_DIRECTORY ${libdir}/pkgconfig)
configure_file(cmake/vesta_alloc.pc.in ${package_build_dir}/vesta_alloc.pc @ONLY)
install(FILES ${package_build_dir}/vesta_alloc.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
