// The GPU half of the attention template.
#ifndef HALYARD_SCHEDULES_ATTENTION_GPU_H_
#define HALYARD_SCHEDULES_ATTENTION_GPU_H_

#include "schedules/registry.h"

namespace halyard::schedules {

Schedule GpuAttentionDefaults(const lowering::LoweredKernel& kernel);
std::vector<Knob> GpuAttentionSpace(const lowering::LoweredKernel& kernel);
void ApplyAttentionOnGpu(lowering::LoweredKernel& kernel, const Schedule& schedule);

}  // namespace halyard::schedules

#endif  // HALYARD_SCHEDULES_ATTENTION_GPU_H_
