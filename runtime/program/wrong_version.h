// Errors about files of other versions of Halyard.
#ifndef HALYARD_RUNTIME_PROGRAM_WRONG_VERSION_H_
#define HALYARD_RUNTIME_PROGRAM_WRONG_VERSION_H_

#include <stdint.h>

#include "runtime/status.h"

namespace halyard::runtime {

// Returns kDataLoss with "FILE: WHAT: Halyard 0.1.0 made it in format 4; this is ...". The bytes of
// the file may be damaged, so `maker` may be anything.
Status WrongVersion(const char* file, const char* what, uint32_t version, uint32_t maker);

// Returns the error for a bundle that was given where a Program is needed.
Status BundleAsProgram();

}  // namespace halyard::runtime

#endif  // HALYARD_RUNTIME_PROGRAM_WRONG_VERSION_H_
