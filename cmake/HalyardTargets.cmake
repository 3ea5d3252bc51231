# Functions that declare libraries and tests.
#
#   halyard_library(NAME SRCS a.cc ... [ALONE b.cc ...] [DEPS target ...] [HALIDE] [FREESTANDING])
#     A static library; headers are included from the repository's root. HALIDE gives it libHalide
#     and the shared precompiled Halide.h. FREESTANDING is for runtime/: it turns off exceptions and
#     RTTI, so that nothing needs libstdc++. Without sources, the library is header-only.
#     With HALYARD_JOIN_SOURCES, up to eight files of SRCS are compiled as one, but never those of
#     ALONE.
#   halyard_executable(NAME SRCS ... [DEPS ...] [HALIDE])
#     A command in <build>/bin.
#   halyard_test(NAME SRCS ... [DEPS ...] [HALIDE] [LABELS ...] [TIMEOUT seconds])
#     A GoogleTest program in <build>/test_bin, and one test of ctest. The target tests_LABEL builds
#     all tests of a label. Tests may use the macros HALYARD_SOURCE_DIR, HALYARD_BIN_DIR (the folder
#     of the commands) and HALYARD_PTXAS.

# Halide.h takes seconds to parse, so it is parsed once for each build folder, not for each file.
add_library(halyard_halide_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/halide_pch.cc")
target_link_libraries(halyard_halide_pch PRIVATE halyard_halide)
target_precompile_headers(halyard_halide_pch PRIVATE <Halide.h>)

# Nearly every other file spent half of its compile time on the same headers of the standard library
# and Abseil. Sources must still include what they use, so that they also compile with
# -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON.
add_library(halyard_common_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/common_pch.cc")
target_link_libraries(halyard_common_pch PRIVATE absl::span absl::status absl::statusor absl::strings)
target_precompile_headers(halyard_common_pch PRIVATE
  <algorithm> <cstdint> <functional> <memory> <optional> <string> <unordered_map> <utility> <variant>
  <vector> <absl/status/status.h> <absl/status/statusor.h> <absl/strings/str_cat.h>
  <absl/strings/str_join.h> <absl/types/span.h>)

# The same for tests that do not include Halide.h, with the options that halyard_test gives them.
add_library(halyard_test_pch OBJECT "${PROJECT_SOURCE_DIR}/cmake/test_pch.cc")
target_link_libraries(halyard_test_pch PRIVATE
  absl::span absl::status absl::statusor absl::strings GTest::gmock)
target_precompile_headers(halyard_test_pch PRIVATE
  <algorithm> <cstdint> <fstream> <functional> <memory> <optional> <sstream> <string>
  <unordered_map> <utility> <variant> <vector> <gmock/gmock.h> <gtest/gtest.h>
  <absl/status/status.h> <absl/status/statusor.h> <absl/strings/match.h>
  <absl/strings/str_cat.h> <absl/strings/str_join.h> <absl/types/span.h>)

# Tests do not use the user's own cache. A cache contains code, so only its owner may have access.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/test_cache")
file(CHMOD "${PROJECT_BINARY_DIR}/test_cache" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

# The environment of tests that run --target=cuda without a GPU. Kernels stay PTX, which the fake
# driver interprets.
set(HALYARD_ON_FAKE_CUDA
  "HALYARD_LIBCUDA=${PROJECT_BINARY_DIR}/lib/fake_libcuda.so"
  "HALYARD_FAKE_CUDA=interpret" "HALYARD_PTXAS=")

# For tests that run a selection of a program's tests. They fail if the selection is empty or the
# device is missing. With ANY_SKIPPED, they also fail if any test is skipped.
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

# Compiles several files of a library as one, because most of the time for a file goes into its
# headers. So names in the anonymous namespaces of these files must differ.
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
    if(NOT ARG_FREESTANDING)  # users link only the files that they need
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

# Options of tests' sources: -O1 takes a quarter less time. In precompiled headers, GCC forgets which
# code is a system header's, and so warns of GoogleTest's macros and of std::string's copies.
function(_halyard_test_options target)
  target_compile_options(${target} PRIVATE
    $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-dangling-else> $<$<COMPILE_LANGUAGE:CXX>:-Wno-array-bounds>)
endfunction()
_halyard_test_options(halyard_test_pch)

function(halyard_test target)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "HALIDE" "TIMEOUT" "SRCS;DEPS;LABELS")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  add_executable(${target} ${ARG_SRCS})
  _halyard_common(${target})
  target_link_libraries(${target} PRIVATE GTest::gmock GTest::gtest_main)
  if(NOT ARG_HALIDE)
    _halyard_test_options(${target})
    target_precompile_headers(${target} REUSE_FROM halyard_test_pch)
    set(c_sources ${ARG_SRCS})
    list(FILTER c_sources INCLUDE REGEX "\\.c$")
    set_source_files_properties(${c_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
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

# Multiplies the time that the tests of a folder, and of those in it, may take.
function(halyard_scale_timeouts folder factor)
  get_property(tests DIRECTORY "${folder}" PROPERTY TESTS)
  foreach(test IN LISTS tests)
    get_property(timeout TEST ${test} DIRECTORY "${folder}" PROPERTY TIMEOUT)
    if(timeout)
      math(EXPR timeout "${factor} * ${timeout}")
      set_property(TEST ${test} DIRECTORY "${folder}" PROPERTY TIMEOUT ${timeout})
    endif()
  endforeach()
  get_property(folders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(inner IN LISTS folders)
    halyard_scale_timeouts("${inner}" ${factor})
  endforeach()
endfunction()
