// Decides when a run has to wait, and whether it is worth queueing.

#include "runtime/execute/executor.h"
#include "runtime/host.h"

namespace halyard::runtime {
namespace {

using program_format::AllocationRecord;
using program_format::SliceRecord;
using program_format::StepRecord;

// Rough figures for one core of any CPU. Only the order of magnitude matters.
constexpr uint64_t kBytesPerNs = 4;
constexpr uint64_t kLaunchNs = 500;

// The host memory that one step touches. Temps lie in one arena. Arguments and results may be the
// same memory (donation), so they count as one place.
struct HostRange {
  bool is_temp;
  bool written;
  uint64_t begin, end;
};

bool Overlap(const HostRange& a, const HostRange& b) {
  if (a.is_temp != b.is_temp || !(a.written || b.written)) return false;
  return !a.is_temp || (a.begin < b.end && b.begin < a.end);
}

// Returns false for constants, which nobody writes, and for device memory.
bool ToHostRange(const Program& program, const SliceRecord& slice, bool written, HostRange* range) {
  const AllocationRecord& allocation = program.allocation(static_cast<uint32_t>(slice.allocation));
  const auto kind = static_cast<AllocationKind>(allocation.kind);
  if (allocation.space != kHostSpace || kind == AllocationKind::kConstant) return false;
  const uint64_t begin = static_cast<uint64_t>(allocation.offset) + slice.offset;
  *range = {kind == AllocationKind::kTemp, written, begin, begin + slice.bytes};
  return true;
}

uint64_t SaturatedSum(uint64_t a, uint64_t b) { return a + b < a ? UINT64_MAX : a + b; }

}  // namespace

// The host waits for the device only where it touches host memory that the device's copies write,
// or writes what they read.
Status Executable::PlanWaits(uint32_t num_nodes) {
  HostRange* copies =
      static_cast<HostRange*>(HeapAllocateZeroed(program_->num_steps() + 1, sizeof(HostRange)));
  if (copies == nullptr)
    return MakeStatus(Code::kResourceExhausted, "no memory for an executable's tables");
  uint32_t num_copies = 0;
  for (uint64_t i = 0; i < program_->num_steps(); ++i) {
    const StepRecord& step = program_->step(i);
    if (static_cast<StepKind>(step.kind) != StepKind::kCopy || OnHost(step)) continue;
    for (uint32_t k = 0; k < 2; ++k) {
      if (ToHostRange(*program_, program_->slices(step)[k], k == 1, &copies[num_copies]))
        ++num_copies;
    }
  }
  const auto touches = [&](const StepRecord& step) {
    for (uint32_t k = 0; k < step.num_slices; ++k) {
      HostRange range;
      const bool control = static_cast<StepKind>(step.kind) == StepKind::kWhile ||
                           static_cast<StepKind>(step.kind) == StepKind::kCase;
      if (!ToHostRange(*program_, program_->slices(step)[k], !control && k >= step.num_inputs,
                       &range))
        continue;
      for (uint32_t c = 0; c < num_copies; ++c) {
        if (Overlap(range, copies[c])) return true;
      }
    }
    return false;
  };
  for (uint32_t i = 0; i < num_nodes; ++i) {
    Node& node = nodes_[i];
    if (node.kind == NodeKind::kSegment && !node.on_host) continue;
    host_drives_ = true;
    const uint64_t first = node.kind == NodeKind::kSegment ? node.first_step : node.step;
    const uint64_t count = node.kind == NodeKind::kSegment ? node.num_steps : 1;
    for (uint64_t step = first; step < first + count && !node.waits; ++step)
      node.waits = touches(program_->step(step));
  }
  HeapFree(copies);
  return Status();
}

// Adds bytes read and written, and the kernels' arithmetic.
uint64_t Executable::EstimateSteps(uint64_t first_step, uint64_t num_steps) const {
  uint64_t ns = 0;
  for (uint64_t s = first_step; s < first_step + num_steps; ++s) {
    const StepRecord& step = program_->step(s);
    uint64_t bytes = 0;
    for (uint32_t k = 0; k < step.num_slices; ++k)
      bytes = SaturatedSum(bytes, program_->slices(step)[k].bytes);
    const bool is_kernel = static_cast<StepKind>(step.kind) == StepKind::kKernel;
    const uint64_t flops =
        is_kernel ? program_->kernel(static_cast<uint32_t>(step.kernel)).flops : 0;
    ns = SaturatedSum(ns, kLaunchNs + (bytes > flops ? bytes : flops) / kBytesPerNs);
  }
  return ns;
}

// A step that may run long counts as long.
void Executable::EstimateTime(uint32_t num_nodes) {
  for (uint32_t i = 0; i < num_nodes; ++i) {
    const Node& node = nodes_[i];
    if (node.kind == NodeKind::kWhile || node.kind == NodeKind::kCustomCall ||
        node.kind == NodeKind::kCommunication) {
      estimated_ns_ = UINT64_MAX;
      return;
    }
    if (node.kind != NodeKind::kSegment) continue;
    estimated_ns_ += EstimateSteps(node.first_step, node.num_steps) * node.repeat * node.times;
  }
}

}  // namespace halyard::runtime
