// The reference evaluator, which is the oracle, behind the Executable interface.
#ifndef HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_
#define HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_

#include <memory>

#include "client/api/client.h"

namespace halyard {

// Returns an executable that evaluates a clone of `module`. Its custom calls must be ones that can
// be evaluated.
std::unique_ptr<Executable> MakeReferenceExecutable(const hlo::Module& module);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_
