#include "runtime/vulkan/kernel.h"

#include <string.h>

#include "runtime/vulkan/capabilities.h"

namespace halyard::runtime::vulkan {
namespace {

constexpr uint32_t kSpirvMagic = 0x07230203;

// Shader modules exist only until the pipelines are made.
class ShaderModules {
 public:
  ShaderModules(const Api& api, VkDevice device) : api_(api), device_(device) {}
  ~ShaderModules() {
    for (VkShaderModule module : modules_) api_.DestroyShaderModule(device_, module, nullptr);
  }

  Status Create(const KernelObjectView& object, uint32_t capabilities, const char* name) {
    for (uint32_t i = 0; i < object.num_modules; ++i) {
      const ByteSpan bytes = object.module(i);
      // The object's bytes need not be aligned.
      gpu::Array<uint32_t> words;
      if (!words.Resize(bytes.size / 4)) return gpu::OutOfHostMemory("a shader");
      if (bytes.size != 0) memcpy(words.data(), bytes.data, bytes.size / 4 * 4);
      if (bytes.size % 4 != 0 || words.size() < 5 || words[0] != kSpirvMagic) {
        return MakeStatus(Code::kInvalidArgument, "kernel %s: module %u is not SPIR-V", name, i);
      }
      HY_RETURN_IF_ERROR(CheckCapabilities(name, capabilities, words.data(), words.size()));
      VkShaderModuleCreateInfo info = {VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
      info.codeSize = bytes.size;
      info.pCode = words.data();
      VkShaderModule module = VK_NULL_HANDLE;
      HY_RETURN_IF_ERROR(ToStatus(api_.CreateShaderModule(device_, &info, nullptr, &module),
                                  "vkCreateShaderModule"));
      if (!modules_.Append(module)) {
        api_.DestroyShaderModule(device_, module, nullptr);
        return gpu::OutOfHostMemory("a shader");
      }
    }
    return Status();
  }
  VkShaderModule operator[](uint32_t i) const { return modules_[i]; }

 private:
  const Api& api_;
  VkDevice device_;
  gpu::Array<VkShaderModule> modules_;
};

Status CreateLayouts(const Api& api, VkDevice device, const gpu::PlannedLaunch& launch,
                     LaunchPipeline* pipeline) {
  gpu::Array<VkDescriptorSetLayoutBinding> bindings;
  const uint32_t uniforms = launch.num_scalars == 0 ? 0 : 1;
  if (!bindings.Resize(launch.num_buffers + uniforms)) return gpu::OutOfHostMemory("a layout");
  for (uint32_t i = 0; i < bindings.size(); ++i) {
    bindings[i].binding = i;
    bindings[i].descriptorType =
        i < uniforms ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    bindings[i].descriptorCount = 1;
    bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  }
  VkDescriptorSetLayoutCreateInfo set_info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
  set_info.bindingCount = static_cast<uint32_t>(bindings.size());
  set_info.pBindings = bindings.data();
  HY_RETURN_IF_ERROR(
      ToStatus(api.CreateDescriptorSetLayout(device, &set_info, nullptr, &pipeline->set_layout),
               "vkCreateDescriptorSetLayout"));
  VkPipelineLayoutCreateInfo info = {VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
  info.setLayoutCount = 1;
  info.pSetLayouts = &pipeline->set_layout;
  return ToStatus(api.CreatePipelineLayout(device, &info, nullptr, &pipeline->layout),
                  "vkCreatePipelineLayout");
}

}  // namespace

Status CreatePipelines(const Api& api, VkDevice device, VkPipelineCache cache,
                       uint32_t capabilities, const KernelObjectView& object,
                       VulkanKernel* kernel) {
  const gpu::KernelPlan& plan = kernel->plan;
  ShaderModules modules(api, device);
  HY_RETURN_IF_ERROR(modules.Create(object, capabilities, plan.name));
  if (!kernel->pipelines.Resize(plan.launches.size())) return gpu::OutOfHostMemory("a kernel");
  for (uint32_t i = 0; i < plan.launches.size(); ++i) {
    const gpu::PlannedLaunch& launch = plan.launches[i];
    LaunchPipeline& pipeline = kernel->pipelines[i];
    HY_RETURN_IF_ERROR(CreateLayouts(api, device, launch, &pipeline));
    VkComputePipelineCreateInfo info = {VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    info.stage.module = modules[launch.module];
    info.stage.pName = launch.entry;
    info.layout = pipeline.layout;
    const VkResult result =
        api.CreateComputePipelines(device, cache, 1, &info, nullptr, &pipeline.pipeline);
    if (result != VK_SUCCESS) {
      const Status status = ToStatus(result, "vkCreateComputePipelines");
      return MakeStatus(status.code(), "kernel %s, launch %u (%s): %s", plan.name, i, launch.entry,
                        status.message());
    }
  }
  return Status();
}

void DestroyPipelines(const Api& api, VkDevice device, VulkanKernel* kernel) {
  for (LaunchPipeline& pipeline : kernel->pipelines) {
    api.DestroyPipeline(device, pipeline.pipeline, nullptr);
    api.DestroyPipelineLayout(device, pipeline.layout, nullptr);
    api.DestroyDescriptorSetLayout(device, pipeline.set_layout, nullptr);
  }
  kernel->pipelines.Clear();
}

}  // namespace halyard::runtime::vulkan
