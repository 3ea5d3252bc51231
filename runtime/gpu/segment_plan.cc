#include "runtime/gpu/segment_plan.h"

#include <inttypes.h>
#include <stdio.h>

namespace halyard::runtime::gpu {
namespace {

// The most commands in one recorded piece, unless one round has more.
constexpr uint32_t kCommandsPerPiece = 2048;

void SetLabel(const SegmentStep& step, const char* kernel, Command* command) {
  const bool labelled = step.label != nullptr && step.label[0] != 0;
  snprintf(command->label, sizeof(command->label), "%s", labelled ? step.label : kernel);
}

}  // namespace

bool Hazards::Conflict(const Range* ranges, size_t count) const {
  for (size_t i = 0; i < count; ++i) {
    for (const Range& earlier : ranges_) {
      if ((ranges[i].write || earlier.write) && ranges[i].memory == earlier.memory &&
          ranges[i].begin < earlier.end && earlier.begin < ranges[i].end) {
        return true;
      }
    }
  }
  return false;
}

bool Hazards::Add(const Range* ranges, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (!ranges_.Append(ranges[i])) return false;
  }
  return true;
}

Status SegmentPlan::Build(const Segment& segment, const KernelPlan* (*plan_of)(Kernel*)) {
  repeat_ = segment.repeat;
  num_steps_ = segment.num_steps;
  for (uint32_t i = 0; i < segment.num_steps; ++i) {
    const SegmentStep& step = segment.steps[i];
    const size_t first = commands_.size();
    if (step.kind == SegmentStep::Kind::kCopy) {
      HY_RETURN_IF_ERROR(AddCopy(step));
    } else if (step.kernel == nullptr) {
      return MakeStatus(Code::kInvalidArgument, "step %u (%s): no kernel", i,
                        step.label == nullptr ? "" : step.label);
    } else {
      HY_RETURN_IF_ERROR(AddKernel(step, *plan_of(step.kernel)));
      for (size_t c = first; c < commands_.size(); ++c) commands_[c].kernel = step.kernel;
    }
    for (size_t c = first; c < commands_.size(); ++c) commands_[c].step = i;
  }
  return Status();
}

Status SegmentPlan::AddSlice(const SliceRef& slice, uint64_t offset, uint64_t bytes, bool write) {
  PlannedSlice planned;
  planned.allocation = slice.allocation;
  planned.offset = slice.offset + offset;
  planned.bytes = bytes;
  planned.write = write;
  if (!slices_.Append(planned)) return OutOfHostMemory("a segment");
  for (uint32_t used : used_) {
    if (used == slice.allocation) return Status();
  }
  return used_.Append(slice.allocation) ? Status() : OutOfHostMemory("a segment");
}

Status SegmentPlan::AddCopy(const SegmentStep& step) {
  Command command;
  SetLabel(step, "copy", &command);
  if (step.num_slices != 2 || step.slices[0].bytes != step.slices[1].bytes) {
    return MakeStatus(Code::kInvalidArgument,
                      "%s: a copy takes a source and a destination of one size", command.label);
  }
  if (step.slices[0].bytes == 0) return Status();
  command.first_slice = static_cast<uint32_t>(slices_.size());
  command.num_slices = 2;
  HY_RETURN_IF_ERROR(AddSlice(step.slices[0], 0, step.slices[0].bytes, false));
  HY_RETURN_IF_ERROR(AddSlice(step.slices[1], 0, step.slices[1].bytes, true));
  return commands_.Append(command) ? Status() : OutOfHostMemory("a segment");
}

Status SegmentPlan::AddKernel(const SegmentStep& step, const KernelPlan& plan) {
  Command command;
  SetLabel(step, plan.name, &command);
  command.plan = &plan;
  if (step.num_slices != plan.argument_bytes.size()) {
    return MakeStatus(Code::kInvalidArgument, "%s: kernel %s has %zu arguments, the step gives %u",
                      command.label, plan.name, plan.argument_bytes.size(), step.num_slices);
  }
  for (uint32_t i = 0; i < step.num_slices; ++i) {
    if (step.slices[i].bytes < plan.argument_bytes[i]) {
      return MakeStatus(Code::kInvalidArgument,
                        "%s: argument %u of kernel %s needs %" PRIu64
                        " bytes, the slice has %" PRIu64,
                        command.label, i, plan.name, plan.argument_bytes[i], step.slices[i].bytes);
    }
  }
  if (step.scratch.bytes < plan.scratch_bytes) {
    return MakeStatus(Code::kInvalidArgument,
                      "%s: kernel %s needs %" PRIu64 " bytes of scratch, the step gives %" PRIu64,
                      command.label, plan.name, plan.scratch_bytes, step.scratch.bytes);
  }
  for (uint32_t l = 0; l < plan.launches.size(); ++l) {
    const PlannedLaunch& launch = plan.launches[l];
    command.launch = l;
    command.first_slice = static_cast<uint32_t>(slices_.size());
    command.num_slices = launch.num_buffers;
    for (uint32_t a = 0; a < launch.num_arguments; ++a) {
      const LaunchArgument& argument = plan.arguments[launch.first_argument + a];
      if (argument.kind == LaunchArgument::Kind::kBuffer) {
        HY_RETURN_IF_ERROR(AddSlice(step.slices[argument.index], argument.offset, argument.bytes,
                                    argument.index >= plan.num_inputs));
      } else if (argument.kind == LaunchArgument::Kind::kScratch) {
        HY_RETURN_IF_ERROR(AddSlice(step.scratch, argument.offset, argument.bytes, true));
      }
    }
    if (!commands_.Append(command)) return OutOfHostMemory("a segment");
  }
  return Status();
}

Status SegmentPlan::CheckBindings(const Binding* bindings, uint32_t num_bindings,
                                  uint32_t alignment) const {
  for (const Command& command : commands_) {
    for (uint32_t i = 0; i < command.num_slices; ++i) {
      const PlannedSlice& slice = slices_[command.first_slice + i];
      if (slice.allocation >= num_bindings || bindings[slice.allocation].block == nullptr) {
        return MakeStatus(Code::kInvalidArgument, "%s: allocation %u is not bound", command.label,
                          slice.allocation);
      }
      const Block* block;
      uint64_t offset;
      Locate(slice, bindings, &block, &offset);
      if (offset > block->bytes || slice.bytes > block->bytes - offset) {
        return MakeStatus(Code::kInvalidArgument,
                          "%s: bytes %" PRIu64 " at %" PRIu64
                          " of allocation %u lie outside its "
                          "block of %" PRIu64,
                          command.label, slice.bytes, offset, slice.allocation, block->bytes);
      }
      if (command.kernel != nullptr && offset % alignment != 0) {
        return MakeStatus(Code::kInvalidArgument,
                          "%s: offset %" PRIu64 " of allocation %u is not a multiple of %u",
                          command.label, offset, slice.allocation, alignment);
      }
    }
  }
  return Status();
}

Status SegmentPlan::RangesOf(const Command& command, const Binding* bindings,
                             Array<Hazards::Range>* ranges) const {
  ranges->Clear();
  for (uint32_t i = 0; i < command.num_slices; ++i) {
    const PlannedSlice& slice = slices_[command.first_slice + i];
    const Block* block;
    Hazards::Range range;
    Locate(slice, bindings, &block, &range.begin);
    range.memory = block->device_address;
    range.end = range.begin + slice.bytes;
    range.write = slice.write;
    if (!ranges->Append(range)) return OutOfHostMemory("a segment");
  }
  return Status();
}

Status SegmentPlan::Group(const Binding* bindings, uint32_t rounds, Array<uint32_t>* groups) const {
  groups->Clear();
  Hazards hazards;
  Array<Hazards::Range> ranges;
  uint32_t group = 0;
  for (uint32_t round = 0; round < rounds; ++round) {
    for (const Command& command : commands_) {
      HY_RETURN_IF_ERROR(RangesOf(command, bindings, &ranges));
      if (hazards.Conflict(ranges.data(), ranges.size())) {
        hazards.Clear();
        ++group;
      }
      if (!hazards.Add(ranges.data(), ranges.size()) || !groups->Append(group)) {
        return OutOfHostMemory("a segment");
      }
    }
  }
  return Status();
}

uint32_t SegmentPlan::RoundsPerPiece() const {
  const uint32_t commands = static_cast<uint32_t>(commands_.size());
  const uint32_t rounds =
      commands == 0 || commands >= kCommandsPerPiece ? 1 : kCommandsPerPiece / commands;
  return rounds < repeat_ ? rounds : (repeat_ == 0 ? 1 : repeat_);
}

}  // namespace halyard::runtime::gpu
