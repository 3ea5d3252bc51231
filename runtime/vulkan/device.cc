#include <inttypes.h>
#include <string.h>

#include "runtime/gpu/memory.h"
#include "runtime/vulkan/instance.h"
#include "runtime/vulkan/kernel.h"
#include "runtime/vulkan/memory_pool.h"
#include "runtime/vulkan/queue.h"
#include "runtime/vulkan/recording.h"
#include "runtime/vulkan/transfers.h"
#include "runtime/vulkan/vulkan.h"

namespace halyard::runtime::vulkan {
namespace {

class VulkanDevice final : public Device {
 public:
  VulkanDevice() = default;
  ~VulkanDevice();

  Status Open(uint32_t index, const Options& options);

  const DeviceInfo& info() const override { return info_; }
  Status Allocate(uint64_t bytes, Space space, Block* block) override {
    return pool_.Allocate(bytes, space, block);
  }
  void Free(Block* block) override { pool_.Free(block); }
  Status LoadKernel(const KernelObjectView& object, Kernel** kernel) override;
  void FreeKernel(Kernel* kernel) override;
  Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                Recording** recording) override;
  Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                uint32_t stream, Event* done) override;
  void FreeRecording(Recording* recording) override;
  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, Event* done) override;
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  Event* done) override;
  Status Wait(Event event) override;
  bool IsDone(Event event) override;
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  Status CreateLogicalDevice(VkPhysicalDevice physical, const Features& features);
  Status FillUniforms(VulkanKernel* kernel);

  Instance instance_;
  DeviceInfo info_;
  VkDevice device_ = VK_NULL_HANDLE;
  uint32_t family_ = 0;
  VkPipelineCache cache_ = VK_NULL_HANDLE;
  MemoryPool pool_;
  Queue queue_;
  Transfers transfers_;
};

VulkanDevice::~VulkanDevice() {
  if (device_ == VK_NULL_HANDLE) return;
  const Api& api = instance_.api();
  if (api.DeviceWaitIdle != nullptr) api.DeviceWaitIdle(device_);
  transfers_.Destroy();
  queue_.Destroy();
  pool_.Clear();
  if (cache_ != VK_NULL_HANDLE) api.DestroyPipelineCache(device_, cache_, nullptr);
  if (api.DestroyDevice != nullptr) api.DestroyDevice(device_, nullptr);
}

Status VulkanDevice::CreateLogicalDevice(VkPhysicalDevice physical, const Features& features) {
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue = {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
  queue.queueFamilyIndex = family_;
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &features.core;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  Api& api = instance_.api();
  HY_RETURN_IF_ERROR(
      ToStatus(api.CreateDevice(physical, &info, nullptr, &device_), "vkCreateDevice"));
  return LoadDeviceFunctions(device_, &api);
}

Status VulkanDevice::Open(uint32_t index, const Options& options) {
  HY_RETURN_IF_ERROR(instance_.Open(options));
  Api& api = instance_.api();
  if (index >= instance_.devices().size()) {
    return MakeStatus(Code::kNotFound, "Vulkan device %u asked, there are %zu", index,
                      instance_.devices().size());
  }
  const VkPhysicalDevice physical = instance_.devices()[index];
  Features features;
  QueryFeatures(api, physical, &features);
  DescribeDevice(api, physical, features, &info_);
  family_ = FindComputeFamily(api, physical);
  HY_RETURN_IF_ERROR(CreateLogicalDevice(physical, features));
  VkPipelineCacheCreateInfo cache = {VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
  HY_RETURN_IF_ERROR(ToStatus(api.CreatePipelineCache(device_, &cache, nullptr, &cache_),
                              "vkCreatePipelineCache"));
  VkPhysicalDeviceProperties properties;
  api.GetPhysicalDeviceProperties(physical, &properties);
  const bool shared_memory = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ||
                             properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  pool_.Init(&api, physical, device_, &info_, shared_memory && !options.force_staging);
  HY_RETURN_IF_ERROR(queue_.Init(&api, device_, family_));
  transfers_.Init(&api, device_, family_, &pool_, &queue_);
  return Status();
}

Status VulkanDevice::LoadKernel(const KernelObjectView& object, Kernel** result) {
  VulkanKernel* kernel = gpu::NewObject<VulkanKernel>();
  if (kernel == nullptr) return gpu::OutOfHostMemory("a kernel");
  Status status = gpu::PlanKernel(object, info_, &kernel->plan);
  if (status.ok()) status = CreatePipelines(instance_.api(), device_, cache_, object, kernel);
  if (status.ok()) status = FillUniforms(kernel);
  if (!status.ok()) {
    FreeKernel(reinterpret_cast<Kernel*>(kernel));
    return status;
  }
  *result = reinterpret_cast<Kernel*>(kernel);
  return Status();
}

Status VulkanDevice::FillUniforms(VulkanKernel* kernel) {
  uint64_t bytes = 0;
  const gpu::KernelPlan& plan = kernel->plan;
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    const gpu::PlannedLaunch& launch = plan.launches[i];
    LaunchPipeline& pipeline = kernel->pipelines[i];
    pipeline.uniform_offset = bytes;
    if (launch.num_scalars == 0) continue;
    pipeline.uniform_bytes = gpu::AlignUp(
        gpu::PackScalars(&plan.arguments[launch.first_argument], launch.num_arguments, nullptr),
        16);
    bytes = gpu::AlignUp(bytes + pipeline.uniform_bytes, info_.buffer_alignment);
  }
  if (bytes == 0) return Status();
  HY_RETURN_IF_ERROR(pool_.Allocate(bytes, Space::kHost, &kernel->uniforms));
  for (size_t i = 0; i < plan.launches.size(); ++i) {
    if (kernel->pipelines[i].uniform_bytes == 0) continue;
    const gpu::PlannedLaunch& launch = plan.launches[i];
    gpu::PackScalars(
        &plan.arguments[launch.first_argument], launch.num_arguments,
        static_cast<uint8_t*>(kernel->uniforms.host) + kernel->pipelines[i].uniform_offset);
  }
  return Status();
}

void VulkanDevice::FreeKernel(Kernel* opaque) {
  VulkanKernel* kernel = reinterpret_cast<VulkanKernel*>(opaque);
  if (kernel == nullptr) return;
  DestroyPipelines(instance_.api(), device_, kernel);
  pool_.Free(&kernel->uniforms);
  gpu::DeleteObject(kernel);
}

Status VulkanDevice::Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                            Recording** result) {
  VulkanRecording* recording =
      gpu::NewObject<VulkanRecording>(&instance_.api(), device_, family_, &queue_,
                                      info_.buffer_alignment, info_.max_storage_range_bytes);
  if (recording == nullptr) return gpu::OutOfHostMemory("a recording");
  Status status = recording->Init(segment);
  RecordedVariant* variant = nullptr;
  if (status.ok()) status = recording->Prepare(bindings, num_bindings, &variant);
  if (!status.ok()) {
    gpu::DeleteObject(recording);
    return status;
  }
  *result = reinterpret_cast<Recording*>(recording);
  return Status();
}

Status VulkanDevice::Submit(Recording* opaque, const Binding* bindings, uint32_t num_bindings,
                            uint32_t stream, Event* done) {
  RecordedVariant* variant = nullptr;
  HY_RETURN_IF_ERROR(
      reinterpret_cast<VulkanRecording*>(opaque)->Prepare(bindings, num_bindings, &variant));
  if (variant->submission.empty()) {
    done->id = queue_.Newest(stream);
    return Status();
  }
  HY_RETURN_IF_ERROR(queue_.Submit(variant->submission.data(),
                                   static_cast<uint32_t>(variant->submission.size()), stream,
                                   &done->id));
  variant->last_value = done->id;
  return Status();
}

void VulkanDevice::FreeRecording(Recording* recording) {
  gpu::DeleteObject(reinterpret_cast<VulkanRecording*>(recording));
}

Status CheckRange(const Block& block, uint64_t offset, uint64_t bytes) {
  if (offset <= block.bytes && bytes <= block.bytes - offset) return Status();
  return MakeStatus(Code::kInvalidArgument,
                    "copy of %" PRIu64 " bytes at %" PRIu64 " of a block of %" PRIu64, bytes,
                    offset, block.bytes);
}

Status VulkanDevice::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                            uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(CheckRange(block, offset, bytes));
  *done = Event();
  if (bytes == 0) return Status();
  if (block.host == nullptr) {
    return transfers_.Upload(host, block, offset, bytes, stream, &done->id);
  }
  // Earlier work of the stream may still read the block.
  HY_RETURN_IF_ERROR(Wait({queue_.Newest(stream)}));
  memcpy(static_cast<uint8_t*>(block.host) + offset, host, bytes);
  return Status();
}

Status VulkanDevice::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                              uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(CheckRange(block, offset, bytes));
  *done = Event();
  if (bytes == 0) return Status();
  if (block.host == nullptr) {
    return transfers_.Download(block, offset, bytes, host, stream, &done->id);
  }
  HY_RETURN_IF_ERROR(Wait({queue_.Newest(stream)}));
  memcpy(host, static_cast<const uint8_t*>(block.host) + offset, bytes);
  return Status();
}

Status VulkanDevice::Wait(Event event) {
  HY_RETURN_IF_ERROR(queue_.Wait(event.id));
  if (event.id != 0) transfers_.Finish(event.id);
  return Status();
}

bool VulkanDevice::IsDone(Event event) {
  uint64_t reached = 0;
  if (event.id == 0) return true;
  // A lost device never gets there: Wait tells.
  if (!queue_.Reached(&reached).ok()) return true;
  if (reached < event.id) return false;
  transfers_.Finish(reached);
  return true;
}

}  // namespace

Status OpenDevice(uint32_t index, const Options& options, Device** device) {
  VulkanDevice* opened = gpu::NewObject<VulkanDevice>();
  if (opened == nullptr) return gpu::OutOfHostMemory("a device");
  Status status = opened->Open(index, options);
  if (!status.ok()) {
    gpu::DeleteObject(opened);
    return status;
  }
  *device = opened;
  return Status();
}

Status OpenDevice(uint32_t index, Device** device) { return OpenDevice(index, Options(), device); }

Status CountDevices(uint32_t* count) {
  *count = 0;
  Instance instance;
  const Status status = instance.Open(Options());
  // No loader, no driver: no devices, and DescribeAbsence says which.
  if (status.ok()) *count = static_cast<uint32_t>(instance.devices().size());
  return Status();
}

const char* DescribeAbsence() {
  Instance instance;
  const Status status = instance.Open(Options());
  if (status.ok()) {
    return instance.devices().empty()
               ? "the Vulkan drivers here have no device that speaks Vulkan 1.2 and computes"
               : "";
  }
  if (status.code() == Code::kNotFound) {
    return "libvulkan.so.1 not found: install the Vulkan loader (libvulkan1) and a driver";
  }
  return "the Vulkan loader found no usable driver: install one (mesa-vulkan-drivers, or the GPU "
         "maker's)";
}

}  // namespace halyard::runtime::vulkan
