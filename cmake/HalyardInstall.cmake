# Declares what `cmake --install BUILD --prefix PREFIX [--component NAME]` installs. The target
# `packages` builds all of it. No installed file contains a path, so a prefix may be moved.
#
#   runtime    include/halyard_rt.h; lib/libhalyard_rt.a and libhalyard_rt.so (x86, CUDA and Vulkan);
#              the files for pkg-config and find_package(Halyard)
#   compiler   bin/halyard, halyard-codegen and halyard-rt, lib/halyard/libHalide.so; together with
#              the runtime, also halyard_add_program()
#   client     include/halyard/ and lib/libhalyard_client.a, the C++ API (HalyardClient.cmake)
#
# `cpack --config BUILD/CPackConfig.cmake` makes a .tar.gz and a .deb of each component.
include(HalyardClient)

# The runtime and its backends, as an archive and as a shared library. The library shows what
# halyard_rt.h declares and nothing else, and needs nothing but the C library.
set(parts halyard_runtime halyard_runtime_gpu halyard_runtime_cuda halyard_runtime_vulkan)
set(archive "${PROJECT_BINARY_DIR}/install/libhalyard_rt.a")
halyard_join_archives(halyard_rt_archive "${archive}" ${parts})
add_library(halyard_rt_shared SHARED cmake/install/nothing.c)
set_target_properties(halyard_rt_shared PROPERTIES
  OUTPUT_NAME halyard_rt
  LINKER_LANGUAGE C
  VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
target_link_libraries(halyard_rt_shared PRIVATE
  "$<LINK_LIBRARY:WHOLE_ARCHIVE,${parts}>" Threads::Threads ${CMAKE_DL_LIBS} m)
target_link_options(halyard_rt_shared PRIVATE
  LINKER:-Bsymbolic LINKER:--gc-sections LINKER:-z,defs LINKER:-z,noexecstack)
add_custom_target(packages ALL DEPENDS commands halyard-codegen halyard-rt halyard_rt_archive
  halyard_rt_shared halyard_client_archive halyard_client_headers)

install(FILES "${PROJECT_SOURCE_DIR}/runtime/c_api/halyard_rt.h" DESTINATION include
  COMPONENT runtime)
install(FILES "${archive}" DESTINATION lib COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/runtime/c_api/halyard_rt.hpp" DESTINATION include
  COMPONENT runtime)
install(TARGETS halyard_rt_shared LIBRARY DESTINATION lib COMPONENT runtime)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/halyard COMPONENT runtime)
# The linker adds a backend to a program if the program asks for this symbol of the backend.
set(door_cuda "_ZN7halyard7runtime4cuda10OpenDeviceEjRKNS1_7OptionsEPPNS0_6DeviceE")
set(door_vulkan "_ZN7halyard7runtime6vulkan10OpenDeviceEjRKNS1_7OptionsEPPNS0_6DeviceE")
# Configures a file for pkg-config. LIBRARY is how the linker finds the runtime.
function(halyard_pkg_config name library description flags)
  configure_file(cmake/install/halyard-rt.pc.in "${PROJECT_BINARY_DIR}/install/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/install/${name}.pc" DESTINATION lib/pkgconfig
    COMPONENT runtime)
endfunction()
set(runs "Runs programs that Halyard has compiled")
set(static "-l:libhalyard_rt.a -lpthread -ldl -lm")
halyard_pkg_config(halyard-rt "${static}" "${runs}, on x86" "")
foreach(backend cuda vulkan)
  halyard_pkg_config(halyard-rt-${backend} "${static}" "${runs}, on x86 and with ${backend}"
    "-Wl,-u,${door_${backend}} ")
endforeach()
halyard_pkg_config(halyard-rt-shared "-lhalyard_rt"
  "${runs}, with all backends, as a shared library" "")

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
set(CPACK_COMPONENTS_ALL runtime compiler client)
set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)  # and a script that runs ldconfig
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${HALYARD_HALIDE_DIR}/lib64")
set(CPACK_DEBIAN_COMPILER_PACKAGE_DEPENDS "halyard-runtime (= ${PROJECT_VERSION})")
# The client's headers include Abseil's, and applications link its library with the others.
set(CPACK_DEBIAN_CLIENT_PACKAGE_DEPENDS
  "halyard-compiler (= ${PROJECT_VERSION}), libabsl-dev, libprotobuf-dev, libsqlite3-dev, libxxhash-dev")
include(CPack)
