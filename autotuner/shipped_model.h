// The cost models that Halyard carries: trained when it is built, on the records in
// autotuner/records, so that the first run on a new machine ranks well already.
#ifndef HALYARD_AUTOTUNER_SHIPPED_MODEL_H_
#define HALYARD_AUTOTUNER_SHIPPED_MODEL_H_

#include "absl/status/statusor.h"
#include "autotuner/cost_model.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// kNotFound: there is none for the kind, or no XGBoost on this machine.
absl::StatusOr<CostModel> ShippedModel(runtime::DeviceKind kind);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_SHIPPED_MODEL_H_
