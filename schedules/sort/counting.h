// The GPU half of the counting template.
#ifndef HALYARD_SCHEDULES_SORT_COUNTING_H_
#define HALYARD_SCHEDULES_SORT_COUNTING_H_

#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

Schedule GpuCountingDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuCountingSpace(const lowering::LoweredKernel& kernel);
void ApplyGpuCounting(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_SORT_COUNTING_H_
