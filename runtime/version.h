// The version of Halyard, and that of the formats that compiled programs and the runtime share.
#ifndef HALYARD_RUNTIME_VERSION_H_
#define HALYARD_RUNTIME_VERSION_H_

#include <stdint.h>

#define HALYARD_VERSION_MAJOR 0
#define HALYARD_VERSION_MINOR 1
#define HALYARD_VERSION_PATCH 0
// One version for the formats of Program files, kernel objects and hy_linked_program.
#define HALYARD_PROGRAM_FORMAT 5

#define HALYARD_TEXT_OF(x) #x
#define HALYARD_TEXT(x) HALYARD_TEXT_OF(x)
#define HALYARD_VERSION_TEXT          \
  HALYARD_TEXT(HALYARD_VERSION_MAJOR) \
  "." HALYARD_TEXT(HALYARD_VERSION_MINOR) "." HALYARD_TEXT(HALYARD_VERSION_PATCH)

// The symbol that a runtime defines and that the libraries of its models need. If a library is
// linked with the runtime of another version, the linker reports an error that shows this name.
#define HALYARD_ABI_JOIN(major, minor, patch, format) \
  halyard_runtime_##major##_##minor##_##patch##_format_##format
#define HALYARD_ABI_OF(major, minor, patch, format) HALYARD_ABI_JOIN(major, minor, patch, format)
#define HALYARD_ABI_SYMBOL                                                            \
  HALYARD_ABI_OF(HALYARD_VERSION_MAJOR, HALYARD_VERSION_MINOR, HALYARD_VERSION_PATCH, \
                 HALYARD_PROGRAM_FORMAT)

namespace halyard::runtime {

// The version as a number: 10203 is 1.2.3.
inline constexpr uint32_t kVersionNumber =
    HALYARD_VERSION_MAJOR * 10000 + HALYARD_VERSION_MINOR * 100 + HALYARD_VERSION_PATCH;
inline constexpr char kAbiSymbol[] = HALYARD_TEXT(HALYARD_ABI_SYMBOL);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_VERSION_H_
