# Finds what scripts/setup installs, and defines targets for the rest of the tree:
#   halyard_halide (shared libHalide, found through the wheel in .venv), absl::*, GTest::*,
#   benchmark::benchmark, protobuf::libprotobuf-lite, protobuf::protoc, CLI11::CLI11,
#   nlohmann_json::nlohmann_json, Eigen3::Eigen, ZLIB::ZLIB, halyard_libzip, halyard_xxhash,
#   SPIRV-Tools-static, SPIRV-Tools-opt, Vulkan::Headers;
# and HALYARD_PTXAS, HALYARD_CUDA_INCLUDE_DIR from NVIDIA's wheels; HALYARD_PJRT_INCLUDE_DIR.

set(HALYARD_PYTHON "${PROJECT_SOURCE_DIR}/.venv/bin/python" CACHE FILEPATH
  "Python whose environment holds the wheels of scripts/requirements.txt")
if(NOT EXISTS "${HALYARD_PYTHON}")
  message(FATAL_ERROR "${HALYARD_PYTHON} is missing: run scripts/setup first")
endif()

function(halyard_ask_python result code)
  execute_process(COMMAND "${HALYARD_PYTHON}" -c "${code}"
    OUTPUT_VARIABLE answer OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${HALYARD_PYTHON} cannot run `${code}`: run scripts/setup")
  endif()
  set(${result} "${answer}" PARENT_SCOPE)
endfunction()

if(NOT HALYARD_HALIDE_DIR)
  halyard_ask_python(answer "import halide; print(halide.install_dir())")
  set(HALYARD_HALIDE_DIR "${answer}" CACHE PATH "Folder with Halide's include and lib64")
endif()
if(NOT HALYARD_SITE_PACKAGES)
  halyard_ask_python(answer "import sysconfig; print(sysconfig.get_paths()['purelib'])")
  set(HALYARD_SITE_PACKAGES "${answer}" CACHE PATH "Where the wheels are")
endif()

# Does not use Halide's own CMake package, because it looks for GPU SDKs and Python. The library and
# its headers are enough.
add_library(halyard_halide SHARED IMPORTED GLOBAL)
set_target_properties(halyard_halide PROPERTIES
  IMPORTED_LOCATION "${HALYARD_HALIDE_DIR}/lib64/libHalide.so"
  INTERFACE_INCLUDE_DIRECTORIES "${HALYARD_HALIDE_DIR}/include"
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${HALYARD_HALIDE_DIR}/include")

find_package(absl REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SPIRV-Tools REQUIRED)
find_package(SPIRV-Tools-opt REQUIRED)
find_package(Vulkan REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(Threads REQUIRED)
find_package(Protobuf REQUIRED)
if(HALYARD_BUILD_TESTS OR HALYARD_FUZZ)
  find_package(GTest REQUIRED CONFIG)
endif()
if(HALYARD_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
endif()

# These libraries are found by file. The CMake package of libzip requires its command-line tools,
# that of xgboost requires files that Debian leaves out, and xxhash has no package.
foreach(pair "libzip;zip;zip.h" "xxhash;xxhash;xxhash.h" "xgboost;xgboost;xgboost/c_api.h")
  list(GET pair 0 name)
  list(GET pair 1 library)
  list(GET pair 2 header)
  find_library(HALYARD_${name}_LIBRARY ${library} REQUIRED)
  find_path(HALYARD_${name}_INCLUDE_DIR ${header} REQUIRED)
  add_library(halyard_${name} UNKNOWN IMPORTED GLOBAL)
  set_target_properties(halyard_${name} PROPERTIES
    IMPORTED_LOCATION "${HALYARD_${name}_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${HALYARD_${name}_INCLUDE_DIR}")
endforeach()

find_program(HALYARD_PTXAS ptxas
  HINTS "${HALYARD_SITE_PACKAGES}/nvidia/cuda_nvcc/bin" NO_DEFAULT_PATH)
if(NOT HALYARD_PTXAS)
  message(FATAL_ERROR "ptxas is missing from ${HALYARD_SITE_PACKAGES}: run scripts/setup")
endif()
set(HALYARD_CUDA_INCLUDE_DIR "${HALYARD_SITE_PACKAGES}/nvidia/cuda_runtime/include")

# The headers of the C APIs of JAX's plugins and of the functions that they call.
find_path(HALYARD_PJRT_INCLUDE_DIR xla/pjrt/c/pjrt_c_api.h
  HINTS "${PROJECT_SOURCE_DIR}/.venv/include" NO_DEFAULT_PATH)
if(NOT HALYARD_PJRT_INCLUDE_DIR)
  message(FATAL_ERROR "xla/pjrt/c/pjrt_c_api.h is missing: run scripts/setup")
endif()
