#include "runtime/vulkan/device_clock.h"

#include "runtime/backend.h"

namespace halyard::runtime::vulkan {

void DeviceClock::Init(const Api* api, VkPhysicalDevice physical, VkDevice device,
                       uint32_t timestamp_bits, bool calibrated) {
  api_ = api;
  device_ = device;
  bits_ = timestamp_bits;
  VkPhysicalDeviceProperties properties;
  api->GetPhysicalDeviceProperties(physical, &properties);
  period_ = static_cast<double>(properties.limits.timestampPeriod);
  if (!calibrated || api->GetPhysicalDeviceCalibrateableTimeDomainsEXT == nullptr ||
      api->GetCalibratedTimestampsEXT == nullptr) {
    return;
  }
  uint32_t count = 0;
  gpu::Array<VkTimeDomainEXT> domains;
  if (api->GetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, nullptr) != VK_SUCCESS ||
      !domains.Resize(count) ||
      api->GetPhysicalDeviceCalibrateableTimeDomainsEXT(physical, &count, domains.data()) !=
          VK_SUCCESS) {
    return;
  }
  bool of_device = false, of_cpu = false;
  for (VkTimeDomainEXT domain : domains) {
    of_device |= domain == VK_TIME_DOMAIN_DEVICE_EXT;
    of_cpu |= domain == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  }
  calibrated_ = of_device && of_cpu;
}

Status DeviceClock::Look(Queues* queues, uint32_t stream, Origin* origin) const {
  if (!calibrated_) return LookBracketed(queues, stream, origin);
  VkCalibratedTimestampInfoEXT infos[2] = {{VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT},
                                           {VK_STRUCTURE_TYPE_CALIBRATED_TIMESTAMP_INFO_EXT}};
  infos[0].timeDomain = VK_TIME_DOMAIN_DEVICE_EXT;
  infos[1].timeDomain = VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
  uint64_t times[2] = {}, deviation = 0;
  HY_RETURN_IF_ERROR(
      ToStatus(api_->GetCalibratedTimestampsEXT(device_, 2, infos, times, &deviation),
               "vkGetCalibratedTimestampsEXT"));
  origin->ticks = times[0];
  origin->nanoseconds = times[1];
  return Status();
}

Status DeviceClock::LookBracketed(Queues* queues, uint32_t stream, Origin* origin) const {
  TimedCommands commands(*api_, device_);
  HY_RETURN_IF_ERROR(commands.Init(queues->family(Queues::Engine::kCompute), 1));
  uint64_t shortest = UINT64_MAX;
  gpu::Array<uint64_t> ticks;
  for (int i = 0; i < 5; ++i) {
    HY_RETURN_IF_ERROR(commands.Begin());
    commands.ResetTimestamps();
    commands.WriteTimestamp(0);
    HY_RETURN_IF_ERROR(commands.End());
    const VkCommandBuffer buffer = commands.buffer();
    uint64_t event = 0;
    const uint64_t before = MonotonicNanoseconds();
    HY_RETURN_IF_ERROR(queues->Submit(Queues::Engine::kCompute, &buffer, 1, stream, &event));
    HY_RETURN_IF_ERROR(queues->Wait(event));
    const uint64_t after = MonotonicNanoseconds();
    HY_RETURN_IF_ERROR(commands.ReadTimestamps(&ticks));
    if (after - before >= shortest) continue;
    shortest = after - before;
    origin->ticks = ticks[0];
    origin->nanoseconds = before + shortest / 2;
  }
  return Status();
}

uint64_t DeviceClock::ToMonotonic(uint64_t ticks, const Origin& origin) const {
  const uint64_t mask = bits_ >= 64 ? UINT64_MAX : (uint64_t{1} << bits_) - 1;
  const uint64_t ago = (origin.ticks - ticks) & mask;
  return origin.nanoseconds - static_cast<uint64_t>(static_cast<double>(ago) * period_);
}

TimedCommands::~TimedCommands() {
  if (queries_ != VK_NULL_HANDLE) api_.DestroyQueryPool(device_, queries_, nullptr);
  if (pool_ != VK_NULL_HANDLE) api_.DestroyCommandPool(device_, pool_, nullptr);
}

Status TimedCommands::Init(uint32_t family, uint32_t num_timestamps) {
  num_timestamps_ = num_timestamps;
  if (num_timestamps != 0) {
    VkQueryPoolCreateInfo info = {VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    info.queryType = VK_QUERY_TYPE_TIMESTAMP;
    info.queryCount = num_timestamps;
    HY_RETURN_IF_ERROR(
        ToStatus(api_.CreateQueryPool(device_, &info, nullptr, &queries_), "vkCreateQueryPool"));
  }
  VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.queueFamilyIndex = family;
  HY_RETURN_IF_ERROR(
      ToStatus(api_.CreateCommandPool(device_, &pool, nullptr, &pool_), "vkCreateCommandPool"));
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = pool_;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 1;
  return ToStatus(api_.AllocateCommandBuffers(device_, &info, &buffer_),
                  "vkAllocateCommandBuffers");
}

Status TimedCommands::Begin() {
  HY_RETURN_IF_ERROR(ToStatus(api_.ResetCommandPool(device_, pool_, 0), "vkResetCommandPool"));
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;  // repeated in one submission
  return ToStatus(api_.BeginCommandBuffer(buffer_, &begin), "vkBeginCommandBuffer");
}

void TimedCommands::ResetTimestamps() {
  api_.CmdResetQueryPool(buffer_, queries_, 0, num_timestamps_);
}

void TimedCommands::WriteTimestamp(uint32_t index) {
  api_.CmdWriteTimestamp(buffer_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, index);
}

Status TimedCommands::End() {
  return ToStatus(api_.EndCommandBuffer(buffer_), "vkEndCommandBuffer");
}

Status TimedCommands::ReadTimestamps(gpu::Array<uint64_t>* ticks) const {
  if (!ticks->Resize(num_timestamps_)) return gpu::OutOfHostMemory("timestamps");
  return ToStatus(
      api_.GetQueryPoolResults(device_, queries_, 0, num_timestamps_,
                               num_timestamps_ * sizeof(uint64_t), ticks->data(), sizeof(uint64_t),
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
      "vkGetQueryPoolResults");
}

}  // namespace halyard::runtime::vulkan
