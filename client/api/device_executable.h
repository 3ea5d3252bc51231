// A Program on a device, behind the Executable interface.
#ifndef HALYARD_CLIENT_API_DEVICE_EXECUTABLE_H_
#define HALYARD_CLIENT_API_DEVICE_EXECUTABLE_H_

#include <memory>
#include <string>

#include "client/api/client.h"
#include "runtime/execute/context.h"

namespace halyard {

// Loads the Program in `bytes` and registers its custom calls with `context`. Adds the time of
// loading to `stats`. `profile` may be null. Returns kDataLoss for damaged bytes, and kNotFound for
// a custom call that nobody has registered.
absl::StatusOr<std::unique_ptr<Executable>> LoadDeviceExecutable(
    runtime::Context* context, const std::string& bytes, CompileStats stats,
    const std::shared_ptr<Profile>& profile);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_DEVICE_EXECUTABLE_H_
