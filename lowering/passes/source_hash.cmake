cmake_minimum_required(VERSION 3.28)
# Writes OUT: the hash of the sources below ROOT/lowering and ROOT/schedules, and HALIDE_VERSION.
file(GLOB_RECURSE sources RELATIVE "${ROOT}"
  "${ROOT}/lowering/*.h" "${ROOT}/lowering/*.cc" "${ROOT}/schedules/*.h" "${ROOT}/schedules/*.cc")
# The passes decide which kernels there are, not what code one gets.
list(FILTER sources EXCLUDE REGEX "^lowering/passes/")
list(SORT sources)
set(all "")
foreach(source IN LISTS sources)
  file(SHA256 "${ROOT}/${source}" hash)
  string(APPEND all "${source} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
file(CONFIGURE OUTPUT "${OUT}" CONTENT
"#define HALYARD_LOWERING_SOURCE_HASH \"@hash@\"
#define HALYARD_HALIDE_VERSION \"@HALIDE_VERSION@\"
" @ONLY)
