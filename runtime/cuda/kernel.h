// A loaded kernel: its modules, and a function for each launch.
#ifndef HALYARD_RUNTIME_CUDA_KERNEL_H_
#define HALYARD_RUNTIME_CUDA_KERNEL_H_

#include "runtime/cuda/api.h"
#include "runtime/gpu/kernel_plan.h"
#include "runtime/gpu/memory.h"

namespace halyard::runtime::cuda {

struct CudaKernel {
  gpu::KernelPlan plan;
  gpu::Array<CUmodule> modules;
  gpu::Array<CUfunction> functions;  // one for each launch
};

// Loads PTX (compiled by the driver) or cubins; `kernel->plan` is set, the context current. The
// driver's log is in the error.
Status LoadModules(const Api& api, const KernelObjectView& object, CudaKernel* kernel);
void UnloadModules(const Api& api, CudaKernel* kernel);

}  // namespace halyard::runtime::cuda

#endif  // HALYARD_RUNTIME_CUDA_KERNEL_H_
