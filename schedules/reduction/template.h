// The two halves of the reduction template.
#ifndef HALYARD_SCHEDULES_REDUCTION_TEMPLATE_H_
#define HALYARD_SCHEDULES_REDUCTION_TEMPLATE_H_

#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

// Returns whether neighbours along the fastest dimension are folded (or there is only one output),
// instead of being kept side by side.
bool ReducesRows(const lowering::Hero& hero);
// Returns whether a CPU folds a dot's outputs like rows by default: the factors lie along the sum,
// and so few outputs read an element of the larger one that panels of it do not pay.
bool PrefersDotAsRows(const lowering::LoweredKernel& kernel);

Schedule GpuReductionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuReductionSpace(const lowering::LoweredKernel& kernel);
// Returns whether no loop within a thread takes more steps than the device's loops do.
bool FoldsWithinLimits(const lowering::LoweredKernel& kernel, const Schedule& schedule);
void ApplyGpuReduction(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_REDUCTION_TEMPLATE_H_
