// A segment flattened to commands (kernel launches and copies), whose memory is named by
// allocation, and the order that they must keep. Vulkan turns it into a command buffer, and CUDA
// into a graph.
#ifndef HALYARD_RUNTIME_GPU_SEGMENT_PLAN_H_
#define HALYARD_RUNTIME_GPU_SEGMENT_PLAN_H_

#include <stdint.h>

#include "runtime/backend.h"
#include "runtime/gpu/kernel_plan.h"
#include "runtime/gpu/memory.h"
#include "runtime/status.h"

namespace halyard::runtime::gpu {

struct PlannedSlice {
  uint32_t allocation = 0;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  bool write = false;
};

struct Command {
  void* kernel = nullptr;  // the backend's own kernel; null for a copy, with slices {source,
                           // destination}
  const KernelPlan* plan = nullptr;
  uint32_t step = 0;         // of the segment
  uint32_t launch = 0;       // in plan
  uint32_t first_slice = 0;  // in SegmentPlan::slices; one for each buffer of the launch, in order
  uint32_t num_slices = 0;
  char label[96] = {};
};

// The memory touched since the last barrier. Commands in a row that do not conflict may overlap in
// time.
class Hazards {
 public:
  struct Range {
    uint64_t memory = 0;  // distinguishes one block from another
    uint64_t begin = 0, end = 0;
    bool write = false;
  };
  // Returns true if one of `ranges` meets an earlier one and either of them writes.
  bool Conflict(const Range* ranges, size_t count) const;
  [[nodiscard]] bool Add(const Range* ranges, size_t count);
  void Clear() { ranges_.Clear(); }

 private:
  Array<Range> ranges_;
};

class SegmentPlan {
 public:
  // `plan_of` returns the plan of a backend's kernel.
  Status Build(const Segment& segment, const KernelPlan* (*plan_of)(Kernel*));

  // Checks that `bindings` hold what the segment touches: blocks that exist, ranges inside them,
  // and the alignment of kernel slices. Errors name the step.
  Status CheckBindings(const Binding* bindings, uint32_t num_bindings, uint32_t alignment) const;

  // Finds where a slice lies. Call CheckBindings first.
  static void Locate(const PlannedSlice& slice, const Binding* bindings, const Block** block,
                     uint64_t* offset) {
    *block = bindings[slice.allocation].block;
    *offset = bindings[slice.allocation].offset + slice.offset;
  }

  // Splits the commands of `rounds` rounds, in order, into groups. The commands of a group may run
  // at once, and each waits for the whole group before its own. Sets one index for each command of
  // each round, starting from 0 and never falling. Call CheckBindings first.
  Status Group(const Binding* bindings, uint32_t rounds, Array<uint32_t>* groups) const;

  uint32_t repeat() const { return repeat_; }
  uint32_t num_steps() const { return num_steps_; }
  const Array<Command>& commands() const { return commands_; }
  const Array<PlannedSlice>& slices() const { return slices_; }
  const Array<uint32_t>& used_allocations() const { return used_; }

  // The number of rounds of the line that a recorded piece holds. `repeat` consists of whole pieces
  // and a remainder, so long loops stay short recordings.
  uint32_t RoundsPerPiece() const;

 private:
  // Finds what a command touches.
  Status RangesOf(const Command& command, const Binding* bindings,
                  Array<Hazards::Range>* ranges) const;
  Status AddKernel(const SegmentStep& step, const KernelPlan& plan);
  Status AddCopy(const SegmentStep& step);
  Status AddSlice(const SliceRef& slice, uint64_t offset, uint64_t bytes, bool write);

  uint32_t repeat_ = 1;
  uint32_t num_steps_ = 0;
  Array<Command> commands_;
  Array<PlannedSlice> slices_;
  Array<uint32_t> used_;
};

}  // namespace halyard::runtime::gpu

#endif  // HALYARD_RUNTIME_GPU_SEGMENT_PLAN_H_
