// The logical devices of a client.
#ifndef HALYARD_CLIENT_API_PLACES_H_
#define HALYARD_CLIENT_API_PLACES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "client/devices/target.h"
#include "frontend/hlo/processes/communication.h"
#include "runtime/collectives/grid.h"
#include "runtime/execute/context.h"

namespace halyard {

// A logical device: some of the streams of a Context. Those of one CPU, or of one GPU, share the
// Context, and with it threads, kernels, constants and memory.
struct Place {
  runtime::Context* context = nullptr;
  uint32_t first_stream = 0;
  uint32_t step = 1;  // the number of logical devices of the Context

  // Returns the Context's number of this device's stream k.
  uint32_t stream(uint32_t k) const { return first_stream + k * step; }
  runtime::GridPlace grid_place(uint32_t k) const { return {context->device(), stream(k)}; }
};

// Returns how many logical devices the options ask for: num_devices, else $HALYARD_NUM_DEVICES,
// else one. Returns kInvalidArgument unless they are between 1 and Client::kMaxDevices.
absl::StatusOr<int> NumDevicesFor(const ClientOptions& options);

// Opens the Contexts for `target`, which may become another one if the options say "auto", and
// spreads `num_devices` logical devices over them in turn: there is a Context for each GPU of the
// same name that is needed, the first being options.device_index. Lowers the memory sizes of
// `target` to those of the devices. On an error, Contexts that were made are left in `contexts`.
// The caller releases them in any case.
absl::Status OpenPlaces(const ClientOptions& options, const std::string& cache_folder,
                        int num_devices, Target* target, std::vector<runtime::Context*>* contexts,
                        std::vector<Place>* places);

// Returns which device runs each process of the grid: `wanted`, or in turn if it is empty. Returns
// kInvalidArgument if the grid has too many, or if `wanted` has another size or names a device that
// is not there.
absl::StatusOr<std::vector<int>> AssignDevices(const std::vector<int>& wanted,
                                               const hlo::GridShape& grid, int num_devices);

}  // namespace halyard

#endif  // HALYARD_CLIENT_API_PLACES_H_
