#include <stdio.h>

#include <atomic>

#include "runtime/gpu/memory.h"
#include "runtime/gpu/open.h"
#include "runtime/vulkan/capabilities.h"
#include "runtime/vulkan/device_clock.h"
#include "runtime/vulkan/instance.h"
#include "runtime/vulkan/kernel.h"
#include "runtime/vulkan/memory_pool.h"
#include "runtime/vulkan/pipeline_cache.h"
#include "runtime/vulkan/queue.h"
#include "runtime/vulkan/recording.h"
#include "runtime/vulkan/transfers.h"
#include "runtime/vulkan/vulkan.h"

namespace halyard::runtime::vulkan {
namespace {

// Remembers the loss of a device. Every later call fails with the first error.
class Health {
 public:
  // Returns the first loss in all later calls, too. `doing` says what was being done.
  Status Check(Status status, const char* doing) {
    if (status.code() != Code::kUnavailable) return status;
    gpu::MutexLock lock(&mutex_);
    if (!lost_.load()) {
      snprintf(message_, sizeof(message_), "%s (while %s)", status.message(), doing);
      lost_.store(true);
    }
    return MakeStatus(Code::kUnavailable, "%s", message_);
  }
  Status status() {
    if (!lost_.load(std::memory_order_relaxed)) return Status();
    gpu::MutexLock lock(&mutex_);
    return MakeStatus(Code::kUnavailable, "%s", message_);
  }
  bool lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> lost_{false};
  gpu::Mutex mutex_;  // guards message_
  char message_[384] = {};
};

class VulkanDevice final : public Device {
 public:
  VulkanDevice() = default;
  ~VulkanDevice();

  Status Describe(uint32_t index, const Options& options);
  Status Open(uint32_t index, const Options& options);

  const DeviceInfo& info() const override { return info_; }
  Status Allocate(uint64_t bytes, Space space, Block* block) override;
  void Free(Block* block) override;
  Status Wrap(uint64_t handle, uint64_t offset, uint64_t bytes, Block* block) override {
    HY_RETURN_IF_ERROR(health_.status());
    return pool_.Wrap(reinterpret_cast<VkBuffer>(handle), offset, bytes, block);
  }
  Status LoadKernel(const KernelObjectView& object, Kernel** kernel) override;
  void FreeKernel(Kernel* kernel) override;
  Status Record(const Segment& segment, const Binding* bindings, uint32_t num_bindings,
                Recording** recording) override;
  Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                uint32_t stream, Event* done) override;
  Status SubmitTimed(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                     uint32_t stream, StepSpan* spans) override;
  void FreeRecording(Recording* recording) override;
  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                uint32_t stream, Event* done) override;
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t stream,
                  Event* done) override;
  Status Order(Event event, uint32_t stream) override {
    queues_.Order(event.id, stream);
    return health_.status();
  }
  Status Wait(Event event) override;
  bool IsDone(Event event) override;
  MemoryUse memory_use(Space space) const override { return pool_.use(space); }
  void Destroy() override { gpu::DeleteObject(this); }

 private:
  Status Find(uint32_t index, const Options& options, VkPhysicalDevice* physical,
              Features* features);
  Status CreateLogicalDevice(VkPhysicalDevice physical, const Features& features);
  Status MakeKernel(const KernelObjectView& object, VulkanKernel* kernel);
  Status FillUniforms(VulkanKernel* kernel);

  Instance instance_;
  DeviceInfo info_;
  VkDevice device_ = VK_NULL_HANDLE;
  QueueFamilies families_;
  uint32_t compute_queues_ = 1;
  bool calibrated_ = false;
  bool is_application_ = false;
  uint32_t capabilities_ = 0;
  PipelineCache cache_;
  MemoryPool pool_;
  Queues queues_;
  Transfers transfers_;
  DeviceClock clock_;
  Health health_;
};

VulkanDevice::~VulkanDevice() {
  if (device_ == VK_NULL_HANDLE) return;
  const Api& api = instance_.api();
  if (is_application_) {  // whose queues only the application may wait for
    queues_.WaitUntilIdle();
  } else if (api.DeviceWaitIdle != nullptr) {
    api.DeviceWaitIdle(device_);
  }
  transfers_.Destroy();
  queues_.Destroy();
  pool_.Clear();
  cache_.Destroy();
  if (api.DestroyDevice != nullptr && !is_application_) api.DestroyDevice(device_, nullptr);
}

Status VulkanDevice::CreateLogicalDevice(VkPhysicalDevice physical, const Features& features) {
  Api& api = instance_.api();
  const float priorities[Queues::kMaxComputeQueues] = {1.0f, 1.0f, 1.0f, 1.0f};
  VkDeviceQueueCreateInfo queues[2] = {{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO},
                                       {VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO}};
  queues[0].queueFamilyIndex = families_.compute;
  queues[0].queueCount = compute_queues_;
  queues[0].pQueuePriorities = priorities;
  queues[1].queueFamilyIndex = families_.transfer;
  queues[1].queueCount = 1;
  queues[1].pQueuePriorities = priorities;
  const char* extension = VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME;
  calibrated_ = HasExtension(api, physical, extension);
  VkDeviceCreateInfo info = {VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
  info.pNext = &features.core;
  info.queueCreateInfoCount = families_.transfer == UINT32_MAX ? 1 : 2;
  info.pQueueCreateInfos = queues;
  info.enabledExtensionCount = calibrated_ ? 1 : 0;
  info.ppEnabledExtensionNames = &extension;
  HY_RETURN_IF_ERROR(
      ToStatus(api.CreateDevice(physical, &info, nullptr, &device_), "vkCreateDevice"));
  return LoadDeviceFunctions(device_, &api);
}

Status VulkanDevice::Find(uint32_t index, const Options& options, VkPhysicalDevice* physical,
                          Features* features) {
  const bool adopts = options.application.is_given();
  HY_RETURN_IF_ERROR(adopts ? instance_.Adopt(options) : instance_.Open(options));
  if (index >= instance_.devices().size()) {
    return MakeStatus(Code::kNotFound, "Vulkan device %u asked, there are %zu", index,
                      instance_.devices().size());
  }
  *physical = instance_.devices()[index];
  if (adopts) {
    HY_RETURN_IF_ERROR(ReadFeatures(options.application.features, features));
  } else {
    QueryFeatures(instance_.api(), *physical, features);
  }
  DescribeDevice(instance_.api(), *physical, *features, &info_);
  return Status();
}

Status VulkanDevice::Describe(uint32_t index, const Options& options) {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  Features features;
  return Find(index, options, &physical, &features);
}

Status VulkanDevice::Open(uint32_t index, const Options& options) {
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  Features features;
  HY_RETURN_IF_ERROR(Find(index, options, &physical, &features));
  capabilities_ = EnabledCapabilities(features);
  Api& api = instance_.api();
  if (options.application.is_given()) {
    is_application_ = true;
    device_ = static_cast<VkDevice>(options.application.device);
    families_.compute = options.application.queue_family;
    HY_RETURN_IF_ERROR(LoadDeviceFunctions(device_, &api));
  } else {
    families_ = FindQueueFamilies(api, physical);
    compute_queues_ = families_.compute_queues < Queues::kMaxComputeQueues
                          ? families_.compute_queues
                          : Queues::kMaxComputeQueues;
    HY_RETURN_IF_ERROR(CreateLogicalDevice(physical, features));
  }
  VkPhysicalDeviceProperties properties;
  api.GetPhysicalDeviceProperties(physical, &properties);
  HY_RETURN_IF_ERROR(cache_.Init(&api, device_, properties, options.pipeline_cache_folder));
  const bool shared_memory = properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU ||
                             properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU;
  MemoryPool::Options pool;
  pool.map_device_memory = shared_memory && !options.force_staging;
  pool.families[0] = families_.compute;
  pool.families[1] = families_.transfer == UINT32_MAX ? families_.compute : families_.transfer;
  pool.max_chunks = properties.limits.maxMemoryAllocationCount;
  pool_.Init(&api, physical, device_, &info_, pool);
  HY_RETURN_IF_ERROR(is_application_ ? queues_.Init(&api, options.application)
                                     : queues_.Init(&api, device_, families_.compute,
                                                    compute_queues_, families_.transfer));
  clock_.Init(&api, physical, device_, families_.timestamp_bits, calibrated_);
  transfers_.Init(&api, device_, &pool_, &queues_);
  return Status();
}

Status VulkanDevice::Allocate(uint64_t bytes, Space space, Block* block) {
  HY_RETURN_IF_ERROR(health_.status());
  return health_.Check(pool_.Allocate(bytes, space, /*own=*/false, block), "allocating memory");
}

void VulkanDevice::Free(Block* block) {
  // Downloaded data is copied out before the memory is freed.
  if (block->backend != nullptr) transfers_.Forget(RecordOf(*block));
  pool_.Free(block);
}

Status VulkanDevice::LoadKernel(const KernelObjectView& object, Kernel** result) {
  HY_RETURN_IF_ERROR(health_.status());
  VulkanKernel* kernel = gpu::NewObject<VulkanKernel>();
  if (kernel == nullptr) return gpu::OutOfHostMemory("a kernel");
  Status status = health_.Check(MakeKernel(object, kernel), "loading a kernel");
  if (!status.ok()) {
    FreeKernel(reinterpret_cast<Kernel*>(kernel));
    return status;
  }
  *result = reinterpret_cast<Kernel*>(kernel);
  return Status();
}

Status VulkanDevice::MakeKernel(const KernelObjectView& object, VulkanKernel* kernel) {
  HY_RETURN_IF_ERROR(gpu::PlanKernel(object, info_, &kernel->plan));
  HY_RETURN_IF_ERROR(
      CreatePipelines(instance_.api(), device_, cache_.handle(), capabilities_, object, kernel));
  cache_.NotePipeline();
  return FillUniforms(kernel);
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
  HY_RETURN_IF_ERROR(pool_.Allocate(bytes, Space::kHost, /*own=*/true, &kernel->uniforms));
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
  HY_RETURN_IF_ERROR(health_.status());
  VulkanRecording* recording =
      gpu::NewObject<VulkanRecording>(&instance_.api(), device_, &queues_, &transfers_, &clock_,
                                      info_.buffer_alignment, info_.max_storage_range_bytes);
  if (recording == nullptr) return gpu::OutOfHostMemory("a recording");
  Status status =
      health_.Check(recording->Init(segment, bindings, num_bindings), "recording a segment");
  if (!status.ok()) {
    gpu::DeleteObject(recording);
    return status;
  }
  *result = reinterpret_cast<Recording*>(recording);
  return Status();
}

Status VulkanDevice::Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings,
                            uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(health_.status());
  return health_.Check(reinterpret_cast<VulkanRecording*>(recording)->Submit(bindings, num_bindings,
                                                                             stream, &done->id),
                       "submitting a segment");
}

Status VulkanDevice::SubmitTimed(Recording* recording, const Binding* bindings,
                                 uint32_t num_bindings, uint32_t stream, StepSpan* spans) {
  HY_RETURN_IF_ERROR(health_.status());
  return health_.Check(reinterpret_cast<VulkanRecording*>(recording)->SubmitTimed(
                           bindings, num_bindings, stream, spans),
                       "timing a segment");
}

void VulkanDevice::FreeRecording(Recording* recording) {
  gpu::DeleteObject(reinterpret_cast<VulkanRecording*>(recording));
}

Status VulkanDevice::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                            uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(health_.status());
  HY_RETURN_IF_ERROR(gpu::CheckRange(block, offset, bytes));
  *done = Event();
  if (bytes == 0) return Status();
  return health_.Check(transfers_.Upload(host, block, offset, bytes, stream, &done->id),
                       "copying to the device");
}

Status VulkanDevice::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                              uint32_t stream, Event* done) {
  HY_RETURN_IF_ERROR(health_.status());
  HY_RETURN_IF_ERROR(gpu::CheckRange(block, offset, bytes));
  *done = Event();
  if (bytes == 0) return Status();
  return health_.Check(transfers_.Download(block, offset, bytes, host, stream, &done->id),
                       "copying from the device");
}

Status VulkanDevice::Wait(Event event) {
  HY_RETURN_IF_ERROR(health_.status());
  HY_RETURN_IF_ERROR(health_.Check(queues_.Wait(event.id), "waiting for the device"));
  return health_.Check(transfers_.Finish(), "copying from the device");
}

bool VulkanDevice::IsDone(Event event) {
  if (event.id == 0 || health_.lost()) return true;
  // A lost device never reaches the event, so the work counts as done. Wait reports the error.
  bool done = false;
  Status status = health_.Check(queues_.IsDone(event.id, &done), "asking for work done");
  if (status.ok() && done) status = health_.Check(transfers_.Finish(), "copying from the device");
  return done || !status.ok();
}

}  // namespace

Status OpenDevice(uint32_t index, const Options& options, Device** device) {
  return gpu::OpenDevice<VulkanDevice>(index, options, device);
}

Status DescribeDevice(uint32_t index, const Options& options, DeviceInfo* info) {
  return gpu::DescribeDevice<VulkanDevice>(index, options, info);
}

Status CountDevices(uint32_t* count) {
  *count = 0;
  Instance instance;
  const Status status = instance.Open(Options());
  // Without a loader or a driver there are no devices. DescribeAbsence says which.
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
  static thread_local char text[2048];
  snprintf(text, sizeof(text), "%s", status.message());
  return text;
}

}  // namespace halyard::runtime::vulkan
