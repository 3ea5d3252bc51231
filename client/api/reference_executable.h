// The reference evaluator, which is the oracle, behind the Executable interface.
#ifndef HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_
#define HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_

#include <memory>
#include <vector>

#include "client/api/client.h"

namespace halyard {

// Returns an executable that evaluates a clone of `module`. Its custom calls must be ones that can
// be evaluated. `devices` are those of its processes, of a client that has `num_devices`.
std::unique_ptr<Executable> MakeReferenceExecutable(const hlo::Module& module,
                                                    std::vector<int> devices, int num_devices);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_REFERENCE_EXECUTABLE_H_
