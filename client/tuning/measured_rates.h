// Measures the best that a device achieves with Halyard's own kernels. Profiles compare with it.
#ifndef HALYARD_CLIENT_TUNING_MEASURED_RATES_H_
#define HALYARD_CLIENT_TUNING_MEASURED_RATES_H_

#include "absl/status/statusor.h"
#include "client/api/client.h"
#include "client/reports/profile.h"

namespace halyard {

// Compiles and times programs like any others, so the second time they come from the cache: an
// elementwise copy of an array that no cache holds, and a square and a flat product of f32
// matrices, of which the better counts. Takes the best of several calls of each. This needs about a
// second on a CPU.
absl::StatusOr<MeasuredRates> MeasureRates(const ClientOptions& options);

}  // namespace halyard

#endif  // HALYARD_CLIENT_TUNING_MEASURED_RATES_H_
