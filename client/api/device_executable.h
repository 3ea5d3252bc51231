// A Program on a device, behind the Executable interface.
#ifndef HALYARD_CLIENT_API_DEVICE_EXECUTABLE_H_
#define HALYARD_CLIENT_API_DEVICE_EXECUTABLE_H_

#include <memory>
#include <string>
#include <vector>

#include "client/api/client.h"
#include "client/api/places.h"

namespace halyard {

// Loads the Program in `bytes` on the Contexts of the devices that run its processes, and registers
// its custom calls with them. `places` are the client's logical devices; `devices` is as in
// CompileOptions::device_assignment. Adds the time of loading to `stats`. `profile` may be null.
// Returns kDataLoss for damaged bytes, and kNotFound for a custom call that nobody has registered.
absl::StatusOr<std::unique_ptr<Executable>> LoadDeviceExecutable(
    const std::vector<Place>& places, const std::vector<int>& devices, const std::string& bytes,
    CompileStats stats, const std::shared_ptr<Profile>& profile);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_DEVICE_EXECUTABLE_H_
