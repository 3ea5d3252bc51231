// What a device does at best with kernels of ours: what profiles compare with.
#ifndef HALYARD_CLIENT_MEASURED_RATES_H_
#define HALYARD_CLIENT_MEASURED_RATES_H_

#include "absl/status/statusor.h"
#include "client/client.h"
#include "client/profile.h"

namespace halyard {

// Compiles and times programs like any others (so the second time they come from the cache): an
// elementwise copy of an array that no cache holds, and products of f32 matrices, a square and a
// flat one, of which the better counts. The best of some calls each; about a second on a CPU.
absl::StatusOr<MeasuredRates> MeasureRates(const ClientOptions& options);

}  // namespace halyard

#endif  // HALYARD_CLIENT_MEASURED_RATES_H_
