// Finds the constants of a linked program if they lie in a file of their own.
#ifndef HALYARD_RUNTIME_C_API_WEIGHTS_PLACE_H_
#define HALYARD_RUNTIME_C_API_WEIGHTS_PLACE_H_

#include <stddef.h>

#include "runtime/status.h"

namespace halyard::runtime {

// Writes the path of the file `name`: in the folder $HALYARD_WEIGHTS if that is set, otherwise in
// the folder of the executable or shared object that holds the address `linked`.
Status WeightsPath(const void* linked, const char* name, char* path, size_t size);

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_C_API_WEIGHTS_PLACE_H_
