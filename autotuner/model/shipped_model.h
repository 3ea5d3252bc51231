// The cost models that ship with Halyard. The build trains them on the records in
// autotuner/records, so that the first run on a new machine already ranks well.
#ifndef HALYARD_AUTOTUNER_MODEL_SHIPPED_MODEL_H_
#define HALYARD_AUTOTUNER_MODEL_SHIPPED_MODEL_H_

#include "absl/status/statusor.h"
#include "autotuner/model/cost_model.h"
#include "runtime/device_info.h"

namespace halyard::autotuner {

// Returns kNotFound if there is no model for the kind, or no XGBoost on this machine.
absl::StatusOr<CostModel> ShippedModel(runtime::DeviceKind kind);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MODEL_SHIPPED_MODEL_H_
