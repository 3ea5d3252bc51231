// What the linker sees of the runtime's version. The libraries of ahead-of-time models need the
// first symbol, and each of them brings a runtime along. With libraries of two versions in one
// application, this object comes from both, and the linker reports that the second symbol, which it
// shows by name, is defined twice.
#include "runtime/version.h"

extern "C" {

extern const char HALYARD_ABI_SYMBOL[];
const char HALYARD_ABI_SYMBOL[] = "Halyard " HALYARD_VERSION_TEXT;

extern const char halyard_two_versions_of_the_runtime_in_one_program;
const char halyard_two_versions_of_the_runtime_in_one_program = 0;

}  // extern "C"
