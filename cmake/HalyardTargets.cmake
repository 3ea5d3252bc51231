# How libraries and tests are declared.
#
#   halyard_library(NAME SRCS a.cc ... [ALONE b.cc ...] [DEPS target ...] [HALIDE] [FREESTANDING])
#     A static library; headers are included from the repository's root. HALIDE gives it libHalide
#     and the shared precompiled Halide.h. FREESTANDING is for runtime/: no exceptions, no RTTI, and
#     so no reason to need libstdc++. Without sources in SRCS it is header-only.
#     With HALYARD_JOIN_SOURCES, up to eight files of SRCS are compiled as one; those of ALONE never.
#   halyard_executable(NAME SRCS ... [DEPS ...] [HALIDE])
#     A command in <build>/bin.
#   halyard_test(NAME SRCS ... [DEPS ...] [HALIDE] [LABELS ...] [TIMEOUT seconds])
#     A GoogleTest program in <build>/test_bin, and one test of ctest; the target tests_LABEL builds
#     all of a label. It may use the macros
#     HALYARD_SOURCE_DIR, HALYARD_BIN_DIR (where the commands are) and HALYARD_PTXAS.

# Halide.h takes seconds to parse: once per build folder, not once per file.
add_library(halyard_halide_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/halide_pch.cc")
target_link_libraries(halyard_halide_pch PRIVATE halyard_halide)
target_precompile_headers(halyard_halide_pch PRIVATE <Halide.h>)

# The standard library's and Abseil's headers that nearly every other file includes took half of its
# time. Sources include what they use all the same: -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON builds
# without.
add_library(halyard_common_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/common_pch.cc")
target_link_libraries(halyard_common_pch PRIVATE absl::span absl::status absl::statusor absl::strings)
target_precompile_headers(halyard_common_pch PRIVATE
  <algorithm> <cstdint> <functional> <memory> <optional> <string> <unordered_map> <utility> <variant>
  <vector> <absl/status/status.h> <absl/status/statusor.h> <absl/strings/str_cat.h>
  <absl/strings/str_join.h> <absl/types/span.h>)

# Tests leave the user's own cache alone. A cache holds code: it must be its owner's alone.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/test_cache")
file(CHMOD "${PROJECT_BINARY_DIR}/test_cache" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# For tests that run --target=cuda without a GPU: the fake driver interprets kernels, which stay PTX.
set(HALYARD_ON_FAKE_CUDA
  "HALYARD_LIBCUDA=${PROJECT_BINARY_DIR}/lib/fake_libcuda.so"
  "HALYARD_FAKE_CUDA=interpret" "HALYARD_PTXAS=")

# Of tests that choose some of a program's: they fail where there are none of that name, or no such
# device. ANY_SKIPPED: or where one is skipped for any reason.
function(halyard_must_run)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "ANY_SKIPPED" "" "")
  set(signs "Running 0 tests" "no CUDA d" "not on this machine" "no cuda here" "no cuda$")
  if(ARG_ANY_SKIPPED)
    list(APPEND signs "  SKIPPED ")
  endif()
  set_tests_properties(${ARG_UNPARSED_ARGUMENTS} PROPERTIES FAIL_REGULAR_EXPRESSION "${signs}")
endfunction()

function(_halyard_common target)
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "INTERFACE_LIBRARY")
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope}
    "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${target} ${scope} ${ARG_DEPS})
  if(ARG_HALIDE)
    target_link_libraries(${target} ${scope} halyard_halide)
    target_precompile_headers(${target} REUSE_FROM halyard_halide_pch)
  elseif(ARG_COMMON_PCH)
    target_precompile_headers(${target} REUSE_FROM halyard_common_pch)
  endif()
endfunction()

# Most of a file's time goes into its headers, which files that are compiled as one share. The names
# in the anonymous namespaces of a library's files must differ for that.
function(_halyard_join_sources target)
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD "${HALYARD_JOIN_SOURCES}" UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

function(halyard_library target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "HALIDE;FREESTANDING" "" "SRCS;ALONE;DEPS")
  set(ARG_COMMON_PCH OFF)
  if(ARG_SRCS OR ARG_ALONE)
    add_library(${target} STATIC ${ARG_SRCS} ${ARG_ALONE})
    if(NOT ARG_FREESTANDING)  # whose users link only the files that they need
      _halyard_join_sources(${target})
    endif()
    if(NOT ARG_FREESTANDING AND "absl::strings" IN_LIST ARG_DEPS)
      set(ARG_COMMON_PCH ON)
    endif()
  else()
    add_library(${target} INTERFACE)
  endif()
  _halyard_common(${target})
  if(ARG_FREESTANDING AND ARG_SRCS)
    target_compile_options(${target} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fno-threadsafe-statics>
      -fvisibility=hidden -ffunction-sections -fdata-sections)
  endif()
endfunction()

function(halyard_executable target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "HALIDE" "" "SRCS;ALONE;DEPS")
  set(ARG_COMMON_PCH OFF)
  if("absl::strings" IN_LIST ARG_DEPS)
    set(ARG_COMMON_PCH ON)
  endif()
  add_executable(${target} ${ARG_SRCS} ${ARG_ALONE})
  _halyard_join_sources(${target})
  _halyard_common(${target})
endfunction()

function(halyard_test target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "HALIDE" "TIMEOUT" "SRCS;DEPS;LABELS")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${target} ${ARG_SRCS})
  _halyard_common(${target})
  target_link_libraries(${target} PRIVATE GTest::gmock GTest::gtest_main)
  if(NOT ARG_HALIDE)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)  # a quarter less to compile
  endif()
  target_compile_definitions(${target} PRIVATE
    HALYARD_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    HALYARD_BIN_DIR="${PROJECT_BINARY_DIR}/bin"
    HALYARD_PTXAS="${HALYARD_PTXAS}")
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test_bin")
  add_test(NAME ${target} COMMAND ${target})
  foreach(label IN LISTS ARG_LABELS)
    if(NOT TARGET tests_${label})
      add_custom_target(tests_${label})
    endif()
    add_dependencies(tests_${label} ${target})
  endforeach()
  set_tests_properties(${target} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
    ENVIRONMENT "HALYARD_CACHE_DIR=${PROJECT_BINARY_DIR}/test_cache;HALYARD_TUNING_DB=${PROJECT_BINARY_DIR}/no_tuning.sqlite")
endfunction()
