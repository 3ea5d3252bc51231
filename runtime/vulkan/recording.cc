#include "runtime/vulkan/recording.h"

#include <inttypes.h>

#include "runtime/vulkan/kernel.h"
#include "runtime/vulkan/memory_pool.h"

namespace halyard::runtime::vulkan {

using gpu::Command;
using gpu::PlannedSlice;
using gpu::SegmentPlan;

namespace {

const gpu::KernelPlan* PlanOf(Kernel* kernel) {
  return &reinterpret_cast<VulkanKernel*>(kernel)->plan;
}

const LaunchPipeline& PipelineOf(const Command& command) {
  return static_cast<const VulkanKernel*>(command.kernel)->pipelines[command.launch];
}

}  // namespace

VkMemoryBarrier CommandBarrier() {
  VkMemoryBarrier barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER};
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                          VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  return barrier;
}

VulkanRecording::~VulkanRecording() {
  for (RecordedVariant& variant : variants_) {
    // The Status is ignored: nothing runs on a lost device, and later calls report the loss.
    if (variant.last_event != 0) (void)queues_->Wait(variant.last_event).ok();
    if (variant.descriptors != VK_NULL_HANDLE) {
      api_->DestroyDescriptorPool(device_, variant.descriptors, nullptr);
    }
    if (variant.commands != VK_NULL_HANDLE) {
      api_->DestroyCommandPool(device_, variant.commands, nullptr);
    }
  }
}

Status VulkanRecording::Init(const Segment& segment, const Binding* bindings,
                             uint32_t num_bindings) {
  HY_RETURN_IF_ERROR(plan_.Build(segment, PlanOf));
  RecordedVariant* variant = nullptr;
  return Prepare(bindings, num_bindings, &variant);
}

Status VulkanRecording::Submit(const Binding* bindings, uint32_t num_bindings, uint32_t stream,
                               uint64_t* event) {
  RecordedVariant* variant = nullptr;
  HY_RETURN_IF_ERROR(Prepare(bindings, num_bindings, &variant));
  if (variant->submission.empty()) return queues_->Tail(stream, event);
  HY_RETURN_IF_ERROR(FinishReads(bindings));
  HY_RETURN_IF_ERROR(queues_->Submit(Queues::Engine::kCompute, variant->submission.data(),
                                     static_cast<uint32_t>(variant->submission.size()), stream,
                                     event));
  variant->last_event = *event;
  NoteUse(bindings, *event, stream);
  return Status();
}

Status VulkanRecording::FinishReads(const Binding* bindings) {
  for (uint32_t used : plan_.used_allocations()) {
    HY_RETURN_IF_ERROR(transfers_->FinishReads(RecordOf(*bindings[used].block)));
  }
  return Status();
}

void VulkanRecording::NoteUse(const Binding* bindings, uint64_t event, uint32_t stream) {
  for (uint32_t used : plan_.used_allocations()) {
    Transfers::NoteUse(RecordOf(*bindings[used].block), event, stream);
  }
}

bool VulkanRecording::Matches(const RecordedVariant& variant, const Binding* bindings,
                              uint32_t num_bindings) const {
  if (!variant.ready) return false;
  const gpu::Array<uint32_t>& used = plan_.used_allocations();
  for (size_t i = 0; i < used.size(); ++i) {
    if (used[i] >= num_bindings || bindings[used[i]].block == nullptr ||
        RecordOf(*bindings[used[i]].block)->serial != variant.bound[i].serial ||
        bindings[used[i]].offset != variant.bound[i].offset) {
      return false;
    }
  }
  return true;
}

// Chooses the variant to record again: free places are filled first; then the variant that has been
// unused for longest, among those that do not run, is replaced; then another place is added.
Status VulkanRecording::ChooseVariant(RecordedVariant** result) {
  if (num_variants_ < kKeptVariants) {
    *result = &variants_[num_variants_++];
    return Status();
  }
  RecordedVariant* oldest = &variants_[0];
  RecordedVariant* idle = nullptr;
  for (uint32_t i = 0; i < num_variants_; ++i) {
    RecordedVariant* variant = &variants_[i];
    if (variant->last_wanted < oldest->last_wanted) oldest = variant;
    bool done = false;
    HY_RETURN_IF_ERROR(queues_->IsDone(variant->last_event, &done));
    if (done && (idle == nullptr || variant->last_wanted < idle->last_wanted)) idle = variant;
  }
  if (idle == nullptr && num_variants_ < kMaxVariants) idle = &variants_[num_variants_++];
  *result = idle != nullptr ? idle : oldest;
  return queues_->Wait((*result)->last_event);
}

Status VulkanRecording::Prepare(const Binding* bindings, uint32_t num_bindings,
                                RecordedVariant** result) {
  ++wanted_;
  for (uint32_t i = 0; i < num_variants_; ++i) {
    if (!Matches(variants_[i], bindings, num_bindings)) continue;
    variants_[i].last_wanted = wanted_;
    *result = &variants_[i];
    return Status();
  }
  HY_RETURN_IF_ERROR(plan_.CheckBindings(bindings, num_bindings, alignment_));
  RecordedVariant* chosen = nullptr;
  HY_RETURN_IF_ERROR(ChooseVariant(&chosen));
  if (chosen->commands == VK_NULL_HANDLE) HY_RETURN_IF_ERROR(CreateVariant(chosen));
  chosen->ready = false;
  chosen->last_event = 0;
  chosen->last_wanted = wanted_;
  HY_RETURN_IF_ERROR(
      ToStatus(api_->ResetCommandPool(device_, chosen->commands, 0), "vkResetCommandPool"));
  HY_RETURN_IF_ERROR(WriteDescriptorSets(bindings, chosen));
  const uint32_t piece = plan_.RoundsPerPiece();
  HY_RETURN_IF_ERROR(RecordRounds(bindings, piece, *chosen, chosen->buffers[0]));
  if (plan_.repeat() % piece != 0) {
    HY_RETURN_IF_ERROR(RecordRounds(bindings, plan_.repeat() % piece, *chosen, chosen->buffers[1]));
  }
  const gpu::Array<uint32_t>& used = plan_.used_allocations();
  if (!chosen->bound.Resize(used.size())) return gpu::OutOfHostMemory("a recording");
  for (size_t i = 0; i < used.size(); ++i) {
    chosen->bound[i].serial = RecordOf(*bindings[used[i]].block)->serial;
    chosen->bound[i].offset = bindings[used[i]].offset;
  }
  chosen->ready = true;
  *result = chosen;
  return Status();
}

Status VulkanRecording::CreateVariant(RecordedVariant* variant) {
  if (variant->descriptors == VK_NULL_HANDLE) HY_RETURN_IF_ERROR(CreateDescriptorSets(variant));
  VkCommandPoolCreateInfo pool = {VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  pool.queueFamilyIndex = queues_->family(Queues::Engine::kCompute);
  HY_RETURN_IF_ERROR(ToStatus(api_->CreateCommandPool(device_, &pool, nullptr, &variant->commands),
                              "vkCreateCommandPool"));
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
  info.commandPool = variant->commands;
  info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  info.commandBufferCount = 2;
  const VkResult result = api_->AllocateCommandBuffers(device_, &info, variant->buffers);
  if (result != VK_SUCCESS) {
    api_->DestroyCommandPool(device_, variant->commands, nullptr);
    variant->commands = VK_NULL_HANDLE;
    return ToStatus(result, "vkAllocateCommandBuffers");
  }
  return FillSubmission(variant);
}

Status VulkanRecording::FillSubmission(RecordedVariant* variant) {
  const uint32_t piece = plan_.RoundsPerPiece();
  const uint32_t whole = plan_.commands().empty() ? 0 : plan_.repeat() / piece;
  const bool rest = !plan_.commands().empty() && plan_.repeat() % piece != 0;
  if (!variant->submission.Resize(whole + (rest ? 1 : 0))) {
    return gpu::OutOfHostMemory("a recording");
  }
  for (uint32_t i = 0; i < whole; ++i) variant->submission[i] = variant->buffers[0];
  if (rest) variant->submission[whole] = variant->buffers[1];
  return Status();
}

Status VulkanRecording::CreateDescriptorSets(RecordedVariant* variant) {
  gpu::Array<VkDescriptorSetLayout> layouts;
  uint32_t uniforms = 0, storages = 0;
  for (const Command& command : plan_.commands()) {
    if (command.kernel == nullptr) continue;
    if (!layouts.Append(PipelineOf(command).set_layout)) return gpu::OutOfHostMemory("a recording");
    uniforms += PipelineOf(command).uniform_bytes != 0;
    storages += command.num_slices;
  }
  if (!variant->sets.Resize(layouts.size())) return gpu::OutOfHostMemory("a recording");
  if (layouts.empty()) return Status();
  VkDescriptorPoolSize sizes[2];
  uint32_t num_sizes = 0;
  if (uniforms != 0) sizes[num_sizes++] = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, uniforms};
  if (storages != 0) sizes[num_sizes++] = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, storages};
  VkDescriptorPoolCreateInfo pool = {VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
  pool.maxSets = static_cast<uint32_t>(layouts.size());
  pool.poolSizeCount = num_sizes;
  pool.pPoolSizes = sizes;
  HY_RETURN_IF_ERROR(
      ToStatus(api_->CreateDescriptorPool(device_, &pool, nullptr, &variant->descriptors),
               "vkCreateDescriptorPool"));
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
  info.descriptorPool = variant->descriptors;
  info.descriptorSetCount = pool.maxSets;
  info.pSetLayouts = layouts.data();
  const VkResult result = api_->AllocateDescriptorSets(device_, &info, variant->sets.data());
  if (result == VK_SUCCESS) return Status();
  api_->DestroyDescriptorPool(device_, variant->descriptors, nullptr);
  variant->descriptors = VK_NULL_HANDLE;
  return ToStatus(result, "vkAllocateDescriptorSets");
}

Status VulkanRecording::WriteDescriptorSets(const Binding* bindings, RecordedVariant* variant) {
  gpu::Array<VkDescriptorBufferInfo> infos;
  gpu::Array<VkWriteDescriptorSet> writes;
  size_t set = 0;
  for (const Command& command : plan_.commands()) {
    if (command.kernel == nullptr) continue;
    const LaunchPipeline& pipeline = PipelineOf(command);
    uint32_t binding = 0;
    VkWriteDescriptorSet write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstSet = variant->sets[set++];
    write.descriptorCount = 1;
    if (pipeline.uniform_bytes != 0) {
      const Block& uniforms = static_cast<const VulkanKernel*>(command.kernel)->uniforms;
      write.descriptorType = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
      write.dstBinding = binding++;
      if (!writes.Append(write) ||
          !infos.Append(
              {RecordOf(uniforms)->buffer, pipeline.uniform_offset, pipeline.uniform_bytes})) {
        return gpu::OutOfHostMemory("a recording");
      }
    }
    write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    for (uint32_t i = 0; i < command.num_slices; ++i) {
      const PlannedSlice& slice = plan_.slices()[command.first_slice + i];
      const Block* block;
      uint64_t offset;
      SegmentPlan::Locate(slice, bindings, &block, &offset);
      // Vector loads at the end of an odd size may touch the padding, because slices are padded to
      // the alignment, too.
      uint64_t range = gpu::AlignUp(slice.bytes == 0 ? 1 : slice.bytes, 256);
      if (range > RecordOf(*block)->padded_bytes - offset) {
        range = RecordOf(*block)->padded_bytes - offset;
      }
      if (range > max_range_) range = slice.bytes;
      if (range == 0) {
        return MakeStatus(Code::kInvalidArgument, "%s: allocation %u starts at its block's end",
                          command.label, slice.allocation);
      }
      write.dstBinding = binding++;
      if (!writes.Append(write) ||
          !infos.Append({RecordOf(*block)->buffer, RecordOf(*block)->begin + offset, range})) {
        return gpu::OutOfHostMemory("a recording");
      }
    }
  }
  for (size_t i = 0; i < writes.size(); ++i) writes[i].pBufferInfo = &infos[i];
  if (!writes.empty()) {
    api_->UpdateDescriptorSets(device_, static_cast<uint32_t>(writes.size()), writes.data(), 0,
                               nullptr);
  }
  return Status();
}

void VulkanRecording::RecordCommand(const Command& command, VkDescriptorSet set,
                                    const Binding* bindings, VkCommandBuffer buffer,
                                    const void** bound_pipeline) {
  if (command.kernel == nullptr) {
    const PlannedSlice* slices = &plan_.slices()[command.first_slice];
    const Block* blocks[2];
    VkBufferCopy region = {};
    SegmentPlan::Locate(slices[0], bindings, &blocks[0], &region.srcOffset);
    SegmentPlan::Locate(slices[1], bindings, &blocks[1], &region.dstOffset);
    region.size = slices[0].bytes;
    // Equal places mean an update in place whose operand was donated. (The result's Block is
    // another one for the same memory.)
    if (blocks[0]->backend == blocks[1]->backend && region.srcOffset == region.dstOffset) return;
    region.srcOffset += RecordOf(*blocks[0])->begin;
    region.dstOffset += RecordOf(*blocks[1])->begin;
    api_->CmdCopyBuffer(buffer, RecordOf(*blocks[0])->buffer, RecordOf(*blocks[1])->buffer, 1,
                        &region);
    return;
  }
  const LaunchPipeline& pipeline = PipelineOf(command);
  if (*bound_pipeline != &pipeline) {
    api_->CmdBindPipeline(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.pipeline);
    *bound_pipeline = &pipeline;
  }
  api_->CmdBindDescriptorSets(buffer, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout, 0, 1, &set,
                              0, nullptr);
  const gpu::PlannedLaunch& launch = command.plan->launches[command.launch];
  api_->CmdDispatch(buffer, launch.grid[0], launch.grid[1], launch.grid[2]);
}

Status VulkanRecording::RecordRounds(const Binding* bindings, uint32_t rounds,
                                     const RecordedVariant& variant, VkCommandBuffer buffer) {
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  begin.flags =
      VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT;  // one may still run when the next is submitted
  HY_RETURN_IF_ERROR(ToStatus(api_->BeginCommandBuffer(buffer, &begin), "vkBeginCommandBuffer"));
  // This waits for everything that the queue was given before, including this buffer.
  VkMemoryBarrier barrier = CommandBarrier();
  const bool shared = queues_->shared();
  if (shared) barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  VkPipelineStageFlags before = kCommandStages;
  if (shared) before = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  api_->CmdPipelineBarrier(buffer, before, kCommandStages, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  barrier = CommandBarrier();
  gpu::Array<uint32_t> groups;
  HY_RETURN_IF_ERROR(plan_.Group(bindings, rounds, &groups));
  const void* bound_pipeline = nullptr;
  const size_t count = plan_.commands().size();
  size_t set = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (i % count == 0) set = 0;
    if (i > 0 && groups[i] != groups[i - 1]) {
      api_->CmdPipelineBarrier(buffer, kCommandStages, kCommandStages, 0, 1, &barrier, 0, nullptr,
                               0, nullptr);
    }
    const Command& command = plan_.commands()[i % count];
    const VkDescriptorSet descriptors =
        command.kernel == nullptr ? VK_NULL_HANDLE : variant.sets[set++];
    RecordCommand(command, descriptors, bindings, buffer, &bound_pipeline);
  }
  // The CPU may read what was written once it has seen the semaphore, and the application's
  // commands may use it.
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  VkPipelineStageFlags after = VK_PIPELINE_STAGE_HOST_BIT;
  if (shared) {
    barrier.dstAccessMask |= VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    after |= VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  }
  api_->CmdPipelineBarrier(buffer, kCommandStages, after, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  return ToStatus(api_->EndCommandBuffer(buffer), "vkEndCommandBuffer");
}

}  // namespace halyard::runtime::vulkan
