// What the cost model is told of a kernel and a schedule, before it is compiled (FeaturesOf) and
// after (AddCompiled, too). Sizes are as log2(1 + x).
#ifndef HALYARD_AUTOTUNER_FEATURES_H_
#define HALYARD_AUTOTUNER_FEATURES_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/cost_model.h"
#include "lowering/kernel_resources.h"
#include "runtime/device_info.h"
#include "schedules/schedule.h"

namespace halyard::autotuner {

// A kernel, from its key alone: records of other programs are as good as those of this one.
struct KernelFacts {
  runtime::DeviceInfo device;  // the fields that are in keys
  // The HLO with every number left out: kernels of one family differ in extents only.
  std::string family;
  Features features;  // flops, bytes, extents, counts of ops by kind, the device's sizes
  // Elements of the largest result; terms of its longest fold (1: none); bytes of an element.
  double elements = 1, terms = 1, width = 4;
  double last_extent = 1, rows = 1;  // of that result: elements side by side, and how often
  double flops = 0, bytes = 0;
};
absl::StatusOr<KernelFacts> FactsOf(absl::string_view kernel_key);

// Of kernel and schedule: the kernel's, template and knobs by name, and what follows from both:
// tile footprint, vector use, tasks per core, unrolled code.
Features FeaturesOf(const KernelFacts& kernel, const schedules::Schedule& schedule);

// What compiling has found out beside: "code.bytes"; of GPUs "group.threads", "group.shared",
// "resident.groups" and "resident.threads" (the share of a unit's threads that have work at a
// time); of CUDA "ptxas.registers", "ptxas.spills", "ptxas.stack". What is not known is left out.
void AddCompiled(const runtime::DeviceInfo& device, const lowering::KernelResources& resources,
                 Features* features);

// Workgroups that a compute unit has room for at a time, by threads, groups, registers and shared
// memory, as far as device and resources are known; 0: nothing of it is. At least 1 else: a launch
// that has no room is an error long before.
int64_t ResidentGroups(const runtime::DeviceInfo& device,
                       const lowering::KernelResources& resources);

// Without any record: log of the seconds that a roofline of cores, vectors and caches gives; GPUs
// alike, by threads. Only its order among schedules of one kernel means something.
double RooflineEstimate(const KernelFacts& kernel, const schedules::Schedule& schedule);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_FEATURES_H_
