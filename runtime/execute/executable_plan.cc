// Makes an Executable of a Program, with everything that is done once.
#include <stdio.h>
#include <string.h>

#include <new>

#include "runtime/execute/constant_pool.h"
#include "runtime/execute/executor.h"
#include "runtime/host.h"
#include "runtime/x86/cpu.h"
#include "runtime/x86/x86.h"

namespace halyard::runtime {
namespace {

using program_format::SliceRecord;
using program_format::StepRecord;

// A loop is recorded as a whole unless that would keep a run from being cancelled for long.
constexpr uint64_t kUncancelledNs = 1000000;      // x86: by the estimate of a round
constexpr uint64_t kUncancelledRounds = 1 << 16;  // GPUs (run_in_pieces.cc has shorter ones)

Status NoTableMemory() {
  return MakeStatus(Code::kResourceExhausted, "no memory for an executable's tables");
}

}  // namespace

Status Executable::Create(Context* context, Program* program, const ExecutableOptions& options,
                          Executable** executable) {
  void* memory = HeapAllocate(sizeof(Executable));
  if (memory == nullptr) {
    program->Destroy();
    return NoTableMemory();
  }
  Executable* made = new (memory) Executable();
  context->AddRef();
  made->context_ = context;
  made->program_ = program;
  snprintf(made->name_.text, sizeof(made->name_.text), "%s", program->name().data);
  Status status = made->Prepare(options);
  if (!status.ok()) {
    status = MakeStatus(status.code(), "%s: %s", program->name().data, status.message());
    made->DestroyAll();
    return status;
  }
  *executable = made;
  return Status();
}

Status Executable::Prepare(const ExecutableOptions& options) {
  HY_RETURN_IF_ERROR(CheckDevice());
  HY_RETURN_IF_ERROR(CheckMemory());
  HY_RETURN_IF_ERROR(AllocateTables());
  HY_RETURN_IF_ERROR(FindValues());
  HY_RETURN_IF_ERROR(LoadKernels(options));
  HY_RETURN_IF_ERROR(PlaceConstants(options.constants));
  return PlanSteps();
}

Status Executable::CheckDevice() const {
  const DeviceInfo& wanted = program_->device();
  const DeviceInfo& have = context_->device()->info();
  static const char* const kKinds[] = {"reference", "x86", "cuda", "vulkan"};
  if (wanted.kind != have.kind) {
    return MakeStatus(Code::kFailedPrecondition, "compiled for %s (%s), not for %s (%s)",
                      kKinds[static_cast<int>(wanted.kind)], wanted.name,
                      kKinds[static_cast<int>(have.kind)], have.name);
  }
  const uint64_t missing = wanted.x86_features & ~context_->host_device()->info().x86_features;
  if (missing != 0) {
    char names[200] = {};
    for (uint64_t bit = 1; bit != 0; bit <<= 1) {
      const char* name = (missing & bit) != 0 ? x86::FeatureName(bit) : nullptr;
      if (name == nullptr) continue;
      const size_t used = strlen(names);
      snprintf(names + used, sizeof(names) - used, "%s%s", used == 0 ? "" : ", ", name);
    }
    return MakeStatus(Code::kFailedPrecondition, "compiled for %s; this CPU lacks %s", wanted.name,
                      names);
  }
  if (wanted.cuda_capability / 10 > have.cuda_capability / 10) {
    return MakeStatus(Code::kFailedPrecondition, "compiled for %s, sm_%d; %s is sm_%d", wanted.name,
                      wanted.cuda_capability, have.name, have.cuda_capability);
  }
  const struct {
    uint64_t bytes;
    const char* what;
  } arenas[] = {{program_->device_arena_bytes(), "device"}, {program_->host_arena_bytes(), "host"}};
  for (const auto& arena : arenas) {
    if (have.max_allocation_bytes == 0 || arena.bytes <= have.max_allocation_bytes) continue;
    return MakeStatus(Code::kResourceExhausted,
                      "needs %llu bytes of temporary %s memory; the largest block of %s is %llu",
                      static_cast<unsigned long long>(arena.bytes), arena.what, have.name,
                      static_cast<unsigned long long>(have.max_allocation_bytes));
  }
  return Status();
}

// Memory that a caller may save by donating arguments does not count against the program.
Status Executable::CheckMemory() const {
  const DeviceInfo& have = context_->device()->info();
  uint64_t bytes = program_->device_arena_bytes(), donated = 0;
  for (uint32_t i = 0; i < program_->num_allocations(); ++i) {
    const program_format::AllocationRecord& allocation = program_->allocation(i);
    const auto kind = static_cast<AllocationKind>(allocation.kind);
    if (kind != AllocationKind::kTemp) bytes += static_cast<uint64_t>(allocation.bytes);
    if (kind == AllocationKind::kParameter &&
        program_->parameter(static_cast<uint32_t>(allocation.number)).donated_to_result >= 0)
      donated += static_cast<uint64_t>(allocation.bytes);
  }
  if (have.memory_bytes == 0 || bytes - donated <= have.memory_bytes) return Status();
  return MakeStatus(Code::kResourceExhausted,
                    "a run needs %llu bytes (arguments, results, constants and temporaries); %s "
                    "has %llu in all",
                    static_cast<unsigned long long>(bytes - donated), have.name,
                    static_cast<unsigned long long>(have.memory_bytes));
}

Status Executable::AllocateTables() {
  const Program& p = *program_;
  uint64_t num_slices = 0, num_call_values = 0;
  for (uint64_t i = 0; i < p.num_steps(); ++i) {
    num_slices += p.step(i).num_slices;
    if (static_cast<StepKind>(p.step(i).kind) == StepKind::kCustomCall)
      num_call_values += p.step(i).num_slices;
  }
  uint64_t num_nodes = 0;  // a step makes at most two
  for (uint32_t i = 0; i < p.num_sequences(); ++i) num_nodes += 2 * p.sequence(i).num_steps;
  kernels_ =
      static_cast<LoadedKernel*>(HeapAllocateZeroed(p.num_kernels() + 1, sizeof(LoadedKernel)));
  constants_ = static_cast<Block*>(HeapAllocateZeroed(p.num_allocations() + 1, sizeof(Block)));
  nodes_ = static_cast<Node*>(HeapAllocateZeroed(num_nodes + 1, sizeof(Node)));
  sequences_ = static_cast<NodeRange*>(HeapAllocateZeroed(p.num_sequences(), sizeof(NodeRange)));
  segment_steps_ =
      static_cast<SegmentStep*>(HeapAllocateZeroed(p.num_steps() + 1, sizeof(SegmentStep)));
  slice_refs_ = static_cast<SliceRef*>(HeapAllocateZeroed(num_slices + 1, sizeof(SliceRef)));
  call_values_ =
      static_cast<CallValue*>(HeapAllocateZeroed(num_call_values + 1, sizeof(CallValue)));
  result_allocations_ =
      static_cast<uint32_t*>(HeapAllocateZeroed(p.num_results() + 1, sizeof(uint32_t)));
  parameter_allocations_ =
      static_cast<int64_t*>(HeapAllocateZeroed(p.num_parameters() + 1, sizeof(int64_t)));
  if (kernels_ == nullptr || constants_ == nullptr || nodes_ == nullptr || sequences_ == nullptr ||
      segment_steps_ == nullptr || slice_refs_ == nullptr || call_values_ == nullptr ||
      result_allocations_ == nullptr || parameter_allocations_ == nullptr) {
    return NoTableMemory();
  }
  return Status();
}

Status Executable::FindValues() {
  const DeviceInfo& info = context_->device()->info();
  for (uint32_t i = 0; i < program_->num_parameters(); ++i) parameter_allocations_[i] = -1;
  for (uint32_t i = 0; i < program_->num_allocations(); ++i) {
    const program_format::AllocationRecord& allocation = program_->allocation(i);
    const auto kind = static_cast<AllocationKind>(allocation.kind);
    if (kind == AllocationKind::kParameter) parameter_allocations_[allocation.number] = i;
    if (kind == AllocationKind::kResult) result_allocations_[allocation.number] = i;
    if (info.max_allocation_bytes != 0 &&
        static_cast<uint64_t>(allocation.bytes) > info.max_allocation_bytes) {
      return MakeStatus(
          Code::kResourceExhausted, "%s needs %lld bytes; the largest block of %s is %llu",
          program_->String(allocation.label).data, static_cast<long long>(allocation.bytes),
          info.name, static_cast<unsigned long long>(info.max_allocation_bytes));
    }
  }
  return Status();
}

Status Executable::LoadKernel(uint32_t index, const ExecutableOptions& options) {
  const program_format::KernelRecord& record = program_->kernel(index);
  KernelObjectView view;
  HY_RETURN_IF_ERROR(ParseKernelObject(program_->Bytes(record.object), &view));
  Device* device = record.space == kHostSpace ? context_->host_device() : context_->device();
  if (view.kind != device->info().kind) {
    return MakeStatus(Code::kInvalidArgument, "kernel %s is for another kind of device",
                      view.name.data);
  }
  LoadedKernel& loaded = kernels_[index];
  loaded.num_inputs = view.num_inputs;
  loaded.num_outputs = view.num_outputs;
  loaded.scratch_bytes = view.kind == DeviceKind::kX86 ? 0 : view.scratch_bytes;
  loaded.counter_bytes = view.kind == DeviceKind::kX86 ? 0 : view.counter_bytes;
  if (view.kind == DeviceKind::kX86 && view.x86_object.size == 0) {
    for (uint32_t i = 0; i < options.num_linked_kernels; ++i) {
      const LinkedKernel& linked = options.linked_kernels[i];
      if (strcmp(linked.name, view.name.data) != 0) continue;
      return x86::LoadLinkedKernel(device, view, linked.entry, &loaded.kernel);
    }
    return MakeStatus(Code::kNotFound, "kernel %s is not linked into the application",
                      view.name.data);
  }
  return device->LoadKernel(view, &loaded.kernel);
}

Status Executable::LoadKernels(const ExecutableOptions& options) {
  for (uint32_t i = 0; i < program_->num_kernels(); ++i) {
    Status status = LoadKernel(i, options);
    if (!status.ok()) {
      return MakeStatus(status.code(), "%s: %s", program_->String(program_->kernel(i).name).data,
                        status.message());
    }
    const LoadedKernel& kernel = kernels_[i];
    const uint64_t behind = kernel.scratch_bytes - kernel.counter_bytes;
    if (behind > scratch_bytes_) scratch_bytes_ = behind;
    if (kernel.counter_bytes > counter_bytes_) counter_bytes_ = kernel.counter_bytes;
  }
  scratch_bytes_ += counter_bytes_;
  return Status();
}

// x86 uses the Program's bytes in place. A GPU gets copies, which are waited for together.
Status Executable::PlaceConstants(ConstantPool* pool) {
  shares_constants_ = pool != nullptr;
  Device* device = context_->device();
  Status status;
  Event last;
  for (uint32_t i = 0; i < program_->num_allocations() && status.ok(); ++i) {
    const program_format::AllocationRecord& allocation = program_->allocation(i);
    if (static_cast<AllocationKind>(allocation.kind) != AllocationKind::kConstant) continue;
    const ByteSpan data = program_->constant(static_cast<uint32_t>(allocation.number));
    if (context_->is_x86()) {
      // No step writes to constants, as the verifier has checked.
      void* host = const_cast<uint8_t*>(data.data);
      constants_[i] =
          Block{Space::kDevice, data.size, host, reinterpret_cast<uint64_t>(host), nullptr};
      continue;
    }
    const Space space = static_cast<Space>(allocation.space);
    if (pool != nullptr) {
      if (const Block* known = pool->Find(data, space)) {
        constants_[i] = *known;
        continue;
      }
    }
    status = device->Allocate(data.size == 0 ? 1 : data.size, space, &constants_[i]);
    if (status.ok() && pool != nullptr) {
      status = pool->Add(data, constants_[i]);
      if (!status.ok()) device->Free(&constants_[i]);
    }
    if (!status.ok()) {
      constants_[i] = Block();
      status = MakeStatus(status.code(), "%s: %s", program_->String(allocation.label).data,
                          status.message());
    } else if (data.size != 0) {
      status = device->Upload(data.data, constants_[i], 0, data.size, 0, &last);
    }
  }
  if (last.id != 0) {
    Status waited = device->Wait(last);
    if (status.ok()) status = static_cast<Status&&>(waited);
  }
  return status;
}

bool Executable::IsSegmentStep(const StepRecord& step) const {
  const auto kind = static_cast<StepKind>(step.kind);
  return kind == StepKind::kKernel || kind == StepKind::kCopy;
}

// Returns whether the host device runs a kernel or copy step. The device runs copies that touch it.
bool Executable::OnHost(const StepRecord& step) const {
  if (context_->is_x86()) return false;
  if (static_cast<StepKind>(step.kind) == StepKind::kKernel) {
    return program_->kernel(static_cast<uint32_t>(step.kernel)).space == kHostSpace;
  }
  const SliceRecord* slices = program_->slices(step);
  return program_->allocation(static_cast<uint32_t>(slices[0].allocation)).space == kHostSpace &&
         program_->allocation(static_cast<uint32_t>(slices[1].allocation)).space == kHostSpace;
}

Status Executable::PlanSteps() {
  next_call_values_ = call_values_;
  SliceRef* slice = slice_refs_;
  for (uint64_t i = 0; i < program_->num_steps(); ++i) {
    const StepRecord& step = program_->step(i);
    const char* label = program_->String(step.label).data;
    const auto kind = static_cast<StepKind>(step.kind);
    if ((kind == StepKind::kCustomCall || Communicates(kind)) &&
        step.num_slices > max_call_slices_) {
      max_call_slices_ = step.num_slices;
    }
    if (!IsSegmentStep(step)) continue;
    SegmentStep& to = segment_steps_[i];
    to.kind = SegmentStep::Kind::kCopy;
    if (static_cast<StepKind>(step.kind) == StepKind::kKernel) {
      const LoadedKernel& kernel = kernels_[step.kernel];
      if (step.num_inputs != kernel.num_inputs ||
          step.num_slices != kernel.num_inputs + kernel.num_outputs) {
        return MakeStatus(Code::kDataLoss, "step %s does not fit its kernel", label);
      }
      to.kind = SegmentStep::Kind::kKernel;
      to.kernel = kernel.kernel;
      // A kernel's counters end where those of all kernels end.
      to.scratch = {program_->num_allocations(), counter_bytes_ - kernel.counter_bytes,
                    kernel.scratch_bytes};
    }
    to.slices = slice;
    to.num_slices = step.num_slices;
    to.num_inputs = step.num_inputs;
    to.label = label;
    const SliceRecord* records = program_->slices(step);
    for (uint32_t k = 0; k < step.num_slices; ++k) {
      *slice++ = {static_cast<uint32_t>(records[k].allocation), records[k].offset,
                  records[k].bytes};
    }
  }
  uint32_t num_nodes = 0;
  for (uint32_t i = 0; i < program_->num_sequences(); ++i)
    HY_RETURN_IF_ERROR(PlanSequence(i, &num_nodes));
  HY_RETURN_IF_ERROR(PairExchanges());
  if (!context_->is_x86()) return PlanWaits(num_nodes);
  EstimateTime(num_nodes);
  return Status();
}

void Executable::AddSegment(uint64_t first_step, uint64_t num_steps, uint32_t repeat,
                            uint64_t times, uint32_t* num_nodes) {
  Node& node = nodes_[(*num_nodes)++];
  node.kind = NodeKind::kSegment;
  node.on_host = OnHost(program_->step(first_step));
  node.repeat = repeat;
  node.times = times;
  node.segment = num_segments_++;
  node.first_step = first_step;
  node.num_steps = num_steps;
}

// On x86, a run may be cancelled between segments, so that they are short.
uint64_t Executable::LineEnd(uint64_t from, uint64_t to) const {
  if (!context_->is_x86()) return to;
  uint64_t ns = 0, at = from;
  while (at < to && ns < kUncancelledNs) ns += EstimateSteps(at++, 1);
  return at;
}

void Executable::AddLoop(uint64_t first_step, uint64_t num_steps, uint64_t rounds,
                         uint32_t* num_nodes) {
  uint64_t most = kUncancelledRounds;
  if (context_->is_x86()) most = kUncancelledNs / EstimateSteps(first_step, num_steps) + 1;
  if (rounds > most)
    AddSegment(first_step, num_steps, static_cast<uint32_t>(most), rounds / most, num_nodes);
  const uint64_t rest = rounds > most ? rounds % most : rounds;
  if (rest != 0) AddSegment(first_step, num_steps, static_cast<uint32_t>(rest), 1, num_nodes);
}

Status Executable::PlanSequence(uint32_t sequence, uint32_t* num_nodes) {
  const program_format::SequenceRecord& record = program_->sequence(sequence);
  const uint64_t end = record.first_step + record.num_steps;
  // Returns the end of the straight line of steps of one device that begins at `from`.
  const auto line_end = [this](uint64_t from, uint64_t to) {
    uint64_t at = from;
    while (at < to && IsSegmentStep(program_->step(at)) &&
           OnHost(program_->step(at)) == OnHost(program_->step(from)))
      ++at;
    return at;
  };
  sequences_[sequence].first = *num_nodes;
  for (uint64_t i = record.first_step; i < end;) {
    const StepRecord& step = program_->step(i);
    if (IsSegmentStep(step)) {
      const uint64_t to = LineEnd(i, line_end(i, end));
      AddSegment(i, to - i, 1, 1, num_nodes);
      i = to;
      continue;
    }
    const auto kind = static_cast<StepKind>(step.kind);
    ++i;
    if (kind == StepKind::kWhile && step.trip_count >= 0) {
      const program_format::SequenceRecord& body = program_->sequence(program_->children(step)[1]);
      const uint64_t body_end = body.first_step + body.num_steps;
      if (step.trip_count == 0 || body.num_steps == 0) continue;
      if (IsSegmentStep(program_->step(body.first_step)) &&
          line_end(body.first_step, body_end) == body_end) {
        AddLoop(body.first_step, body.num_steps, static_cast<uint64_t>(step.trip_count), num_nodes);
        continue;
      }
    }
    Node& node = nodes_[(*num_nodes)++];
    node.kind = kind == StepKind::kWhile  ? NodeKind::kWhile
                : kind == StepKind::kCase ? NodeKind::kCase
                : Communicates(kind)      ? NodeKind::kCommunication
                                          : NodeKind::kCustomCall;
    node.step = i - 1;
    if (kind != StepKind::kCustomCall) continue;
    const char* target = program_->String(step.target).data;
    if (!context_->FindCustomCall(target, &node.call)) {
      return MakeStatus(Code::kNotFound, "%s: custom call %s is not registered",
                        program_->String(step.label).data, target);
    }
    if (node.call.plain != nullptr && (step.flags & program_format::kNotPlain) != 0) {
      return MakeStatus(Code::kFailedPrecondition,
                        "%s: custom call %s has an api_version other than API_VERSION_ORIGINAL, "
                        "but is registered as a plain function",
                        program_->String(step.label).data, target);
    }
    if (node.call.typed == nullptr) continue;
    DescribeCall(*program_, step, next_call_values_);
    node.values = next_call_values_;
    next_call_values_ += step.num_slices;
  }
  sequences_[sequence].count = *num_nodes - sequences_[sequence].first;
  return Status();
}

}  // namespace halyard::runtime
