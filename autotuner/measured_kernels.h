// Files of records (`halyard db export`) as what cost models are trained and judged on.
#ifndef HALYARD_AUTOTUNER_MEASURED_KERNELS_H_
#define HALYARD_AUTOTUNER_MEASURED_KERNELS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/cost_model.h"
#include "autotuner/features.h"
#include "schedules/schedule.h"

namespace halyard::autotuner {

// A kernel's schedules, their seconds and what they take of the device, in the same order.
struct MeasuredKernel {
  KernelFacts facts;
  std::vector<schedules::Schedule> schedules;
  std::vector<double> seconds;
  std::vector<lowering::KernelResources> resources;

  // `compiled`: with what compiling has found out.
  std::vector<Features> ScheduleFeatures(bool compiled = false) const;
};
using MeasuredKernels = std::map<std::string, MeasuredKernel>;  // by key

// The good records of current versions. kNotFound: no file; kInvalidArgument: what is wrong in it.
absl::StatusOr<MeasuredKernels> ReadMeasuredKernels(const std::string& path);

void AddSamples(const std::string& key, const MeasuredKernel& kernel, std::vector<Sample>* samples,
                bool compiled = false);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MEASURED_KERNELS_H_
