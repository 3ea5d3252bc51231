// Estimates schedules that use tensor cores, for RooflineEstimate.
#ifndef HALYARD_AUTOTUNER_MODEL_TENSOR_ESTIMATE_H_
#define HALYARD_AUTOTUNER_MODEL_TENSOR_ESTIMATE_H_

#include <optional>

#include "autotuner/model/features.h"

namespace halyard::autotuner {

// Returns the log of the seconds that the kernel takes by whole waves of groups, the instructions
// that load fragments beside those that multiply them, the bytes that groups read through the L2,
// those of parts that are written and read again, and the registers that a thread lacks. Returns
// nothing if the schedule's template has no groups of warps whose tiles are known from its knobs.
std::optional<double> TensorEstimate(const KernelFacts& kernel,
                                     const schedules::Schedule& schedule);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MODEL_TENSOR_ESTIMATE_H_
