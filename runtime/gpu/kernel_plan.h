// Copies the launch list of a GPU kernel object out of the object's bytes, and checks it against
// the device.
#ifndef HALYARD_RUNTIME_GPU_KERNEL_PLAN_H_
#define HALYARD_RUNTIME_GPU_KERNEL_PLAN_H_

#include <stdint.h>

#include "runtime/device_info.h"
#include "runtime/gpu/memory.h"
#include "runtime/kernel_object.h"
#include "runtime/status.h"

namespace halyard::runtime::gpu {

struct PlannedLaunch {
  uint32_t library = 0;  // Launch::library; 0 for device code
  uint32_t module = 0;
  const char* entry = nullptr;  // owned by the plan
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;
  uint32_t first_argument = 0;  // in KernelPlan::arguments
  uint32_t num_arguments = 0;
  uint32_t num_buffers = 0;  // the first of them are buffers and scratch
  uint32_t num_scalars = 0;
};

struct KernelPlan {
  KernelPlan() = default;
  KernelPlan(const KernelPlan&) = delete;
  KernelPlan& operator=(const KernelPlan&) = delete;
  ~KernelPlan();

  char* name = nullptr;
  uint32_t num_inputs = 0;
  Array<uint64_t> argument_bytes;  // kernel arguments: inputs, then outputs
  uint64_t scratch_bytes = 0;
  Array<PlannedLaunch> launches;
  Array<LaunchArgument> arguments;
};

// kInvalidArgument names the kernel, the launch and the limit that it exceeds.
Status PlanKernel(const KernelObjectView& object, const DeviceInfo& device, KernelPlan* plan);

// Packs a launch's scalars into one block in argument order, each aligned to its own size, which is
// Halide's layout of its uniform buffer. Returns the block's size, and writes the block if `data`
// is not null.
uint64_t PackScalars(const LaunchArgument* arguments, uint32_t count, uint8_t* data);

}  // namespace halyard::runtime::gpu

#endif  // HALYARD_RUNTIME_GPU_KERNEL_PLAN_H_
