// Reads files of records (`halyard db export`), on which cost models are trained and evaluated.
#ifndef HALYARD_AUTOTUNER_MODEL_MEASURED_KERNELS_H_
#define HALYARD_AUTOTUNER_MODEL_MEASURED_KERNELS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "autotuner/model/cost_model.h"
#include "autotuner/model/features.h"
#include "schedules/schedule.h"

namespace halyard::autotuner {

// A kernel's schedules, their seconds and the resources that they use, in the same order.
struct MeasuredKernel {
  KernelFacts facts;
  std::vector<schedules::Schedule> schedules;
  std::vector<double> seconds;
  std::vector<lowering::KernelResources> resources;

  // With `compiled`, includes the features that compiling has made known (AddCompiled).
  std::vector<Features> ScheduleFeatures(bool compiled = false) const;
};
using MeasuredKernels = std::map<std::string, MeasuredKernel>;  // by key

// Returns the good records of current versions. Returns kNotFound if there is no file, and
// kInvalidArgument, with a description of the error, if its contents are wrong.
absl::StatusOr<MeasuredKernels> ReadMeasuredKernels(const std::string& path);

void AddSamples(const std::string& key, const MeasuredKernel& kernel, std::vector<Sample>* samples,
                bool compiled = false);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MODEL_MEASURED_KERNELS_H_
