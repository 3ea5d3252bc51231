// The evaluator behind the Executable interface: the oracle.
#ifndef HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_
#define HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_

#include <memory>

#include "client/api/client.h"

namespace halyard {

// Evaluates a clone of `module`, whose custom calls can be evaluated.
std::unique_ptr<Executable> MakeReferenceExecutable(const hlo::Module& module);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_
