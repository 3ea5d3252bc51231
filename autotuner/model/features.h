// The features of a kernel and a schedule for the cost model: those that are known before the
// kernel is compiled (FeaturesOf), and those that compiling adds (AddCompiled). Sizes are given as
// log2(1 + x).
#ifndef HALYARD_AUTOTUNER_MODEL_FEATURES_H_
#define HALYARD_AUTOTUNER_MODEL_FEATURES_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "autotuner/model/cost_model.h"
#include "lowering/kernels/kernel_resources.h"
#include "runtime/device_info.h"
#include "schedules/schedule.h"

namespace halyard::autotuner {

// Facts about a kernel that follow from its key alone, so records of other programs are as useful
// as those of this one.
struct KernelFacts {
  runtime::DeviceInfo device;  // the fields that are in keys
  // The HLO without numbers: kernels of one family differ only in extents.
  std::string family;
  Features features;  // flops, bytes, extents, counts of ops by kind, the device's sizes
  // Elements of the largest result; terms of its longest fold (1 if there is none); bytes of an
  // element.
  double elements = 1, terms = 1, width = 4;
  double last_extent = 1, rows = 1;  // of that result: its last extent, and the number of rows of
                                     // that many elements
  double flops = 0, bytes = 0;
};
absl::StatusOr<KernelFacts> FactsOf(absl::string_view kernel_key);

// Returns the features of kernel and schedule: those of the kernel, the template, the knobs by
// name, and what follows from both (tile footprint, vector use, tasks per core, unrolled code).
Features FeaturesOf(const KernelFacts& kernel, const schedules::Schedule& schedule);

// Adds the features that compiling has made known: "code.bytes"; for GPUs "group.threads",
// "group.shared", "resident.groups" and "resident.threads" (the share of a unit's threads that can
// have work at the same time); and for CUDA "ptxas.registers", "ptxas.spills" and "ptxas.stack".
// Unknown figures are left out.
void AddCompiled(const runtime::DeviceInfo& device, const lowering::KernelResources& resources,
                 Features* features);

// Returns the number of workgroups for which a compute unit has room at the same time, by threads,
// groups, registers and shared memory, as far as device and resources are known. 0 means that none
// of this is known. Otherwise, the number is at least 1, because a launch for which there is no
// room is refused long before.
int64_t ResidentGroups(const runtime::DeviceInfo& device,
                       const lowering::KernelResources& resources);

// Returns an estimate that needs no records: the log of the seconds that a roofline model of cores,
// vectors and caches gives. On GPUs, threads that run in lockstep count as a vector. Schedules for
// tensor cores are estimated by their groups' tiles. Only the order among schedules of one kernel
// is meaningful.
double RooflineEstimate(const KernelFacts& kernel, const schedules::Schedule& schedule);

}  // namespace halyard::autotuner

#endif  // HALYARD_AUTOTUNER_MODEL_FEATURES_H_
