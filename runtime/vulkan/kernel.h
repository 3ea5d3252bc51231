// A loaded kernel: one pipeline for each launch, made once.
#ifndef HALYARD_RUNTIME_VULKAN_KERNEL_H_
#define HALYARD_RUNTIME_VULKAN_KERNEL_H_

#include "runtime/backend.h"
#include "runtime/gpu/kernel_plan.h"
#include "runtime/gpu/memory.h"
#include "runtime/vulkan/api.h"

namespace halyard::runtime::vulkan {

// The binding layout of a launch (Halide's) uses descriptor set 0. If there are scalars, binding 0
// is a uniform buffer with all of them (gpu::PackScalars). The buffers follow, in argument order.
struct LaunchPipeline {
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkPipeline pipeline = VK_NULL_HANDLE;
  uint64_t uniform_offset = 0;  // of the launch's scalars in VulkanKernel::uniforms
  uint64_t uniform_bytes = 0;   // 0 if there are no scalars
};

struct VulkanKernel {
  gpu::KernelPlan plan;
  gpu::Array<LaunchPipeline> pipelines;  // one for each launch
  Block uniforms;                        // in host space; the device makes it
};

// Makes the pipelines. `kernel->plan` must be set. On an error, DestroyPipelines frees those that
// exist.
Status CreatePipelines(const Api& api, VkDevice device, VkPipelineCache cache,
                       uint32_t capabilities, const KernelObjectView& object, VulkanKernel* kernel);
void DestroyPipelines(const Api& api, VkDevice device, VulkanKernel* kernel);

}  // namespace halyard::runtime::vulkan

#endif  // HALYARD_RUNTIME_VULKAN_KERNEL_H_
