// Symbols that tell the linker the version of the runtime. The libraries of ahead-of-time models
// need the first symbol, and each library contains a runtime. If an application links libraries of
// two versions, this object comes from both, and the linker reports by name that the second symbol
// is defined twice.
#include "runtime/version.h"

extern "C" {

extern const char HALYARD_ABI_SYMBOL[];
const char HALYARD_ABI_SYMBOL[] = "Halyard " HALYARD_VERSION_TEXT;

extern const char halyard_two_versions_of_the_runtime_in_one_program;
const char halyard_two_versions_of_the_runtime_in_one_program = 0;

}  // extern "C"
