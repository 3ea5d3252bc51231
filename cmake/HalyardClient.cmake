# The component `client`: the C++ API as one static library, libhalyard_client.a, and its headers.
#
#   include/halyard/client.h, xla_client.h, custom_call.h   the API; they need C++17 and Abseil
#   include/halyard/impl/...                                headers that these include, by their
#                                                           folders in this tree
#
# HalyardConfig.cmake offers it as Halyard::client.

# Appends the project's static libraries that a target needs to `archives`, and libraries of others
# to `others`, each once.
function(_halyard_closure target archives others)
  if(NOT TARGET ${target} OR target MATCHES "::")
    list(APPEND ${others} ${target})
  else()
    get_target_property(type ${target} TYPE)
    set(property LINK_LIBRARIES)
    if(type STREQUAL "STATIC_LIBRARY")
      if("${target}" IN_LIST ${archives})
        return()
      endif()
      list(APPEND ${archives} ${target})
    elseif(type STREQUAL "INTERFACE_LIBRARY")
      set(property INTERFACE_LINK_LIBRARIES)
    else()
      list(APPEND ${others} ${target})
      set(property "")
    endif()
    set(needed "")
    if(property)
      get_target_property(needed ${target} ${property})
    endif()
    foreach(item IN LISTS needed)
      if(item)
        _halyard_closure(${item} ${archives} ${others})
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES ${others})
  set(${archives} "${${archives}}" PARENT_SCOPE)
  set(${others} "${${others}}" PARENT_SCOPE)
endfunction()

# Joins static libraries into one. OUT is the file, and a target NAME makes it.
function(halyard_join_archives name out)
  set(script "create ${out}\n")
  foreach(part IN LISTS ARGN)
    string(APPEND script "addlib $<TARGET_FILE:${part}>\n")
  endforeach()
  file(GENERATE OUTPUT "${out}.mri" CONTENT "${script}save\nend\n")
  add_custom_command(OUTPUT "${out}"
    COMMAND "${CMAKE_COMMAND}" -E rm -f "${out}"
    COMMAND "${CMAKE_AR}" -M < "${out}.mri"
    DEPENDS ${ARGN} "${out}.mri"
    COMMENT "Putting the archives of ${name} together" VERBATIM)
  add_custom_target(${name} DEPENDS "${out}")
endfunction()

set(client_archives "")
set(client_others "")
_halyard_closure(halyard_client_xla client_archives client_others)
# Imported by file here (HalyardDependencies.cmake), and found anew by HalyardConfig.cmake.
list(TRANSFORM client_others REPLACE "^halyard_" "Halyard::")
# No public header needs these headers.
list(REMOVE_ITEM client_others nlohmann_json::nlohmann_json Eigen3::Eigen)
set(client_library "${PROJECT_BINARY_DIR}/install/libhalyard_client.a")
halyard_join_archives(halyard_client_archive "${client_library}" ${client_archives})

set(client_include "${PROJECT_BINARY_DIR}/install/include/halyard")
add_custom_target(halyard_client_headers
  COMMAND "${CMAKE_COMMAND}" "-DROOT=${PROJECT_SOURCE_DIR}" "-DOUT=${client_include}"
    -P "${PROJECT_SOURCE_DIR}/cmake/install/client_headers.cmake"
  VERBATIM)

install(FILES "${client_library}" DESTINATION lib COMPONENT client)
install(DIRECTORY "${client_include}" DESTINATION include COMPONENT client)
list(JOIN client_others ";" HALYARD_CLIENT_NEEDS)
