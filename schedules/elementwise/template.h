// The GPU half of the elementwise template.
#ifndef HALYARD_SCHEDULES_ELEMENTWISE_TEMPLATE_H_
#define HALYARD_SCHEDULES_ELEMENTWISE_TEMPLATE_H_

#include <vector>

#include "lowering/kernels/kernel.h"
#include "schedules/registry.h"

namespace halyard::schedules {

Schedule GpuElementwiseDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuElementwiseSpace(const lowering::LoweredKernel& kernel);
void ApplyGpuElementwise(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ELEMENTWISE_TEMPLATE_H_
