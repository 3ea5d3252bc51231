# Declares what `cmake --install BUILD --prefix PREFIX [--component runtime|compiler]` installs. The
# target `packages` builds all of it. No installed file contains a path, so a prefix may be moved.
#
#   runtime    include/halyard_rt.h, lib/libhalyard_rt.a (x86, CUDA and Vulkan), and the files for
#              pkg-config and find_package(Halyard)
#   compiler   bin/halyard, halyard-codegen and halyard-rt, lib/halyard/libHalide.so; together with
#              the runtime, also halyard_add_program()
#
# `cpack --config BUILD/CPackConfig.cmake` makes a .tar.gz and a .deb of each component.

# Joins the runtime and its backends into one archive.
set(parts halyard_runtime halyard_runtime_gpu halyard_runtime_cuda halyard_runtime_vulkan)
set(archive "${PROJECT_BINARY_DIR}/install/libhalyard_rt.a")
set(script "create ${archive}\n")
foreach(part ${parts})
  string(APPEND script "addlib $<TARGET_FILE:${part}>\n")
endforeach()
file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/install/libhalyard_rt.mri" CONTENT "${script}save\nend\n")
add_custom_command(OUTPUT "${archive}"
  COMMAND "${CMAKE_COMMAND}" -E rm -f "${archive}"
  COMMAND "${CMAKE_AR}" -M < "${PROJECT_BINARY_DIR}/install/libhalyard_rt.mri"
  DEPENDS ${parts} "${PROJECT_BINARY_DIR}/install/libhalyard_rt.mri"
  COMMENT "Putting the runtime's archives together" VERBATIM)
add_custom_target(halyard_rt_archive ALL DEPENDS "${archive}")
add_custom_target(packages DEPENDS commands halyard-codegen halyard-rt halyard_rt_archive)

install(FILES "${PROJECT_SOURCE_DIR}/runtime/c_api/halyard_rt.h" DESTINATION include
  COMPONENT runtime)
install(FILES "${archive}" DESTINATION lib COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/runtime/c_api/halyard_rt.hpp" DESTINATION include
  COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/halyard COMPONENT runtime)
# The linker adds a backend to a program if the program asks for this symbol of the backend.
set(door_cuda "_ZN7halyard7runtime4cuda10OpenDeviceEjPPNS0_6DeviceE")
set(door_vulkan "_ZN7halyard7runtime6vulkan10OpenDeviceEjPPNS0_6DeviceE")
foreach(backend "" cuda vulkan)
  if(backend STREQUAL "")
    set(name halyard-rt)
    set(description "Runs programs that Halyard has compiled, on x86")
    set(flags "")
  else()
    set(name halyard-rt-${backend})
    set(description "Runs programs that Halyard has compiled, on x86 and with ${backend}")
    set(flags "-Wl,-u,${door_${backend}} ")
  endif()
  configure_file(cmake/install/halyard-rt.pc.in "${PROJECT_BINARY_DIR}/install/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/install/${name}.pc" DESTINATION lib/pkgconfig
    COMPONENT runtime)
endforeach()

set_target_properties(halyard halyard-rt PROPERTIES INSTALL_RPATH "")
set_target_properties(halyard-codegen PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/halyard")
install(TARGETS halyard halyard-codegen halyard-rt DESTINATION bin COMPONENT compiler)
if(TARGET halyard_mpi)
  install(TARGETS halyard_mpi LIBRARY DESTINATION lib COMPONENT compiler)
endif()
install(FILES "$<TARGET_FILE:halyard_halide>" DESTINATION lib/halyard COMPONENT compiler)
install(FILES cmake/install/HalyardPrograms.cmake DESTINATION lib/cmake/Halyard COMPONENT compiler)

include(CMakePackageConfigHelpers)
configure_file(cmake/install/HalyardConfig.cmake.in
  "${PROJECT_BINARY_DIR}/install/HalyardConfig.cmake" @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/install/HalyardConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/install/HalyardConfig.cmake"
  "${PROJECT_BINARY_DIR}/install/HalyardConfigVersion.cmake"
  DESTINATION lib/cmake/Halyard COMPONENT runtime)

set(CPACK_PACKAGE_NAME halyard)
set(CPACK_PACKAGE_VENDOR "Halyard")
set(CPACK_PACKAGE_CONTACT "The Halyard authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiles HLO and StableHLO programs to Halide kernels")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_COMPONENTS_ALL runtime compiler)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPILER_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${HALYARD_HALIDE_DIR}/lib64")
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "halyard-runtime")
include(CPack)
