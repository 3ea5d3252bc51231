#include "runtime/execute/instance.h"

#include <string.h>
#include <time.h>

#include <new>

#include "runtime/host.h"

namespace halyard::runtime {
namespace {

constexpr uint64_t kErrorBytes = 4096;  // room for the traceback of a Python function

Status NoRunMemory() {
  return MakeStatus(Code::kResourceExhausted, "no memory for a run's tables");
}

}  // namespace

Status Instance::Create(Executable* executable, Instance** instance) {
  void* memory = HeapAllocate(sizeof(Instance));
  if (memory == nullptr) return NoRunMemory();
  Instance* made = new (memory) Instance();
  made->executable_ = executable;
  Status status = made->Prepare();
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *instance = made;
  return Status();
}

void Instance::Destroy() {
  Device* device = executable_->context_->device();
  Device* host = executable_->context_->host_device();
  if (last_.id != 0) (void)device->Wait(last_).ok();  // a lost device has nothing to wait for
  for (uint32_t sequence = 0;
       recordings_ != nullptr && sequence < executable_->program_->num_sequences(); ++sequence) {
    const Executable::NodeRange range = executable_->sequences_[sequence];
    for (uint32_t i = range.first; i < range.first + range.count; ++i) {
      const Node& node = executable_->nodes_[i];
      if (node.kind != Executable::NodeKind::kSegment || recordings_[node.segment] == nullptr)
        continue;
      (node.on_host ? host : device)->FreeRecording(recordings_[node.segment]);
    }
  }
  FreePieces();
  for (Block* block : {&own_arenas_[0], &own_arenas_[1], &scratch_}) {
    if (block->bytes != 0) device->Free(block);
  }
  HeapFree(bindings_);
  HeapFree(staged_);
  HeapFree(recordings_);
  HeapFree(call_inputs_);
  HeapFree(call_outputs_);
  HeapFree(arrays_);
  HeapFree(device_arrays_);
  this->~Instance();
  HeapFree(this);
}

// Kernels find their counters at 0, and leave them so.
Status Instance::ClearCounters() {
  const uint64_t bytes = executable_->counter_bytes_;
  if (bytes == 0) return Status();
  void* zeros = HeapAllocateZeroed(bytes, 1);
  if (zeros == nullptr) return NoRunMemory();
  Device* device = executable_->context_->device();
  Event done;
  Status status = device->Upload(zeros, scratch_, 0, bytes, 0, &done);
  if (status.ok()) status = device->Wait(done);
  HeapFree(zeros);
  return status;
}

// Everything is fixed here except the addresses of parameters and results.
Status Instance::Prepare() {
  const Program& program = *executable_->program_;
  Device* device = executable_->context_->device();
  if (executable_->scratch_bytes_ != 0) {
    HY_RETURN_IF_ERROR(device->Allocate(executable_->scratch_bytes_, Space::kDevice, &scratch_));
    HY_RETURN_IF_ERROR(ClearCounters());
  }
  num_bindings_ = program.num_allocations() + 1;
  bindings_ = static_cast<Binding*>(HeapAllocateZeroed(num_bindings_, sizeof(Binding)));
  staged_ =
      static_cast<Buffer**>(HeapAllocateZeroed(program.num_parameters() + 1, sizeof(Buffer*)));
  recordings_ = static_cast<Recording**>(
      HeapAllocateZeroed(executable_->num_segments_ + 1, sizeof(Recording*)));
  if (!executable_->context_->is_x86()) {
    pieces_ =
        static_cast<Pieces*>(HeapAllocateZeroed(executable_->num_segments_ + 1, sizeof(Pieces)));
    if (pieces_ == nullptr) return NoRunMemory();
  }
  call_inputs_ = static_cast<const void**>(
      HeapAllocateZeroed(executable_->max_call_slices_ + 1, sizeof(void*)));
  call_outputs_ =
      static_cast<void**>(HeapAllocateZeroed(executable_->max_call_slices_ + 1, sizeof(void*)));
  arrays_ = static_cast<HostArray*>(
      HeapAllocateZeroed(executable_->max_call_slices_ + 1, sizeof(HostArray)));
  device_arrays_ = static_cast<DeviceArray*>(
      HeapAllocateZeroed(executable_->max_call_slices_ + 1, sizeof(DeviceArray)));
  if (device_arrays_ == nullptr || bindings_ == nullptr || staged_ == nullptr ||
      recordings_ == nullptr || call_inputs_ == nullptr || call_outputs_ == nullptr ||
      arrays_ == nullptr) {
    return NoRunMemory();
  }
  for (uint32_t i = 0; i < program.num_allocations(); ++i) {
    const program_format::AllocationRecord& allocation = program.allocation(i);
    switch (static_cast<AllocationKind>(allocation.kind)) {
      case AllocationKind::kTemp:
        bindings_[i] = {&arenas_[allocation.space], static_cast<uint64_t>(allocation.offset)};
        break;
      case AllocationKind::kConstant:
        bindings_[i] = {&executable_->constants_[i], 0};
        break;
      default:
        break;
    }
  }
  bindings_[num_bindings_ - 1] = {&scratch_, 0};
  return Status();
}

// On x86, the host's temporaries lie behind the device's.
Status Instance::PlaceTemporaries(Buffer* given) {
  const Program& program = *executable_->program_;
  Context* context = executable_->context_;
  const uint64_t bytes[2] = {program.device_arena_bytes(), program.host_arena_bytes()};
  uint64_t offset = 0;
  for (int space = 0; space < 2; ++space) {
    if (bytes[space] == 0) continue;
    if (given != nullptr && context->is_x86()) {
      uint8_t* host = static_cast<uint8_t*>(given->host()) + offset;
      arenas_[space] = Block{static_cast<Space>(space), bytes[space], host,
                             reinterpret_cast<uint64_t>(host), nullptr};
      offset += PaddedBlockBytes(bytes[space]);
      continue;
    }
    if (given != nullptr && space == 0) {
      arenas_[0] = given->block();
      continue;
    }
    Block& own = own_arenas_[space];
    if (own.bytes == 0) {
      Status status = context->device()->Allocate(bytes[space], static_cast<Space>(space), &own);
      if (!status.ok()) {
        own = Block();
        return MakeStatus(status.code(), "%s: %llu bytes of temporary memory: %s",
                          program.name().data, static_cast<unsigned long long>(bytes[space]),
                          status.message());
      }
    }
    arenas_[space] = own;
  }
  return Status();
}

void Instance::BindParameter(uint32_t i, const Block* block) {
  const int64_t allocation = executable_->parameter_allocations_[i];
  if (allocation >= 0) bindings_[allocation] = {block, 0};
}

// The cache hands their memory out again only when this run's work is done.
void Instance::EndRun(uint32_t stream) {
  for (uint32_t i = 0; i < executable_->program_->num_parameters(); ++i) {
    if (staged_[i] == nullptr) continue;
    staged_[i]->AddRead(last_, stream);
    staged_[i]->Release();
    staged_[i] = nullptr;
  }
  options_ = nullptr;
}

void Instance::SetSubmitted(Event event) {
  if (event.id == 0) return;
  last_ = event;
  synced_ = false;
}

Status Instance::Run(const RunOptions& options, const Block* results) {
  const Program& program = *executable_->program_;
  for (uint32_t i = 0; i < program.num_results(); ++i) {
    bindings_[executable_->result_allocations_[i]] = {&results[i], 0};
  }
  HY_RETURN_IF_ERROR(PlaceTemporaries(options.temporaries));
  options_ = &options;
  Status status = RunSequence(0);
  if (!status.ok() && options.grid != nullptr) options.grid->Withdraw(options.process);
  if (exchange_.uses_links()) {
    // Whoever waits for the results later could not end what waits for other devices.
    if (status.ok()) status = Sync();
    exchange_.End(!status.ok());
  }
  return status;
}

Status Instance::Sync() {
  if (synced_) return Status();
  synced_ = true;
  return WaitFor(last_);
}

uint8_t* Instance::HostAddress(const program_format::SliceRecord& slice) const {
  const Binding& binding = bindings_[slice.allocation];
  return static_cast<uint8_t*>(binding.block->host) + binding.offset + slice.offset;
}

Status Instance::CheckCancelled() const {
  if (options_->cancel == nullptr || __atomic_load_n(options_->cancel, __ATOMIC_RELAXED) == 0)
    return Status();
  return MakeStatus(Code::kAborted, "%s: the run was cancelled",
                    executable_->program().name().data);
}

Status Instance::RunSequence(uint32_t sequence) {
  const Executable::NodeRange range = executable_->sequences_[sequence];
  for (uint32_t i = range.first; i < range.first + range.count; ++i) {
    const Node& node = executable_->nodes_[i];
    HY_RETURN_IF_ERROR(CheckCancelled());
    switch (node.kind) {
      case Executable::NodeKind::kSegment:
        if (!node.on_host && RunsInPieces()) {
          HY_RETURN_IF_ERROR(RunInPieces(node));
          break;
        }
        HY_RETURN_IF_ERROR(RunSegment(node));
        for (uint64_t i = 1; i < node.times; ++i) {
          HY_RETURN_IF_ERROR(CheckCancelled());
          HY_RETURN_IF_ERROR(RunSegment(node));
        }
        break;
      case Executable::NodeKind::kWhile:
        HY_RETURN_IF_ERROR(RunWhile(node));
        break;
      case Executable::NodeKind::kCase:
        HY_RETURN_IF_ERROR(RunCase(node));
        break;
      case Executable::NodeKind::kCustomCall:
        HY_RETURN_IF_ERROR(RunCustomCall(node));
        break;
      case Executable::NodeKind::kCommunication:
        HY_RETURN_IF_ERROR(RunCommunication(node));
        break;
    }
  }
  return Status();
}

Status Instance::RunSegment(const Node& node) {
  Context* context = executable_->context_;
  Device* device = node.on_host ? context->host_device() : context->device();
  if (node.waits) HY_RETURN_IF_ERROR(Sync());
  if (options_->profile != nullptr) return ProfileSegment(node, device);
  Recording*& recording = recordings_[node.segment];
  if (recording == nullptr) {
    const Segment segment{executable_->segment_steps_ + node.first_step,
                          static_cast<uint32_t>(node.num_steps), node.repeat};
    HY_RETURN_IF_ERROR(device->Record(segment, bindings_, num_bindings_, &recording));
  }
  Event done;
  HY_RETURN_IF_ERROR(device->Submit(recording, bindings_, num_bindings_,
                                    node.on_host ? 0 : options_->stream, &done));
  if (!node.on_host) {
    last_ = done;
    synced_ = done.id == 0;
  }
  return Status();
}

// Runs one round at a time, so that each is timed separately.
Status Instance::ProfileSegment(const Node& node, Device* device) {
  HY_RETURN_IF_ERROR(Sync());
  const Segment segment{executable_->segment_steps_ + node.first_step,
                        static_cast<uint32_t>(node.num_steps), 1};
  StepSpan* spans = static_cast<StepSpan*>(HeapAllocateZeroed(node.num_steps, sizeof(StepSpan)));
  if (spans == nullptr) return NoRunMemory();
  Recording* recording = nullptr;
  Status status = device->Record(segment, bindings_, num_bindings_, &recording);
  for (uint32_t round = 0; round < node.repeat && status.ok(); ++round) {
    status = device->SubmitTimed(recording, bindings_, num_bindings_,
                                 node.on_host ? 0 : options_->stream, spans);
    for (uint64_t i = 0; i < node.num_steps && status.ok(); ++i) {
      const uint64_t step = node.first_step + i;
      options_->profile(options_->profile_user, {step, executable_->segment_steps_[step].label,
                                                 spans[i].begin_ns, spans[i].end_ns});
    }
  }
  if (recording != nullptr) device->FreeRecording(recording);
  HeapFree(spans);
  return status;
}

Status Instance::RunWhile(const Node& node) {
  const Program& program = *executable_->program_;
  const program_format::StepRecord& step = program.step(node.step);
  const uint32_t* children = program.children(step);
  if (step.trip_count >= 0) {
    const bool pieces = RunsInPieces();
    Event before;  // the end of the round before
    for (int64_t i = 0; i < step.trip_count; ++i) {
      HY_RETURN_IF_ERROR(CheckCancelled());  // the sequence may be empty
      HY_RETURN_IF_ERROR(RunSequence(children[1]));
      if (!pieces) continue;
      if (before.id != 0) HY_RETURN_IF_ERROR(WaitFor(before));
      before = last_;
    }
    return Status();
  }
  const program_format::SliceRecord& predicate = program.slices(step)[0];
  for (;;) {
    HY_RETURN_IF_ERROR(RunSequence(children[0]));
    if (node.waits) HY_RETURN_IF_ERROR(Sync());
    if (*HostAddress(predicate) == 0) return Status();
    HY_RETURN_IF_ERROR(CheckCancelled());  // the sequences may be empty
    HY_RETURN_IF_ERROR(RunSequence(children[1]));
  }
}

Status Instance::RunCase(const Node& node) {
  const Program& program = *executable_->program_;
  const program_format::StepRecord& step = program.step(node.step);
  if (node.waits) HY_RETURN_IF_ERROR(Sync());
  int32_t index;
  memcpy(&index, HostAddress(program.slices(step)[0]), sizeof(index));
  if (index < 0 || index >= static_cast<int64_t>(step.num_children))
    index = static_cast<int32_t>(step.num_children) - 1;
  return RunSequence(program.children(step)[index]);
}

Status Instance::RunCustomCall(const Node& node) {
  const Program& program = *executable_->program_;
  const program_format::StepRecord& step = program.step(node.step);
  const program_format::SliceRecord* slices = program.slices(step);
  if (node.waits) HY_RETURN_IF_ERROR(Sync());
  const uint32_t num_outputs = step.num_slices - step.num_inputs;
  for (uint32_t i = 0; i < step.num_inputs; ++i) call_inputs_[i] = HostAddress(slices[i]);
  for (uint32_t i = 0; i < num_outputs; ++i)
    call_outputs_[i] = HostAddress(slices[step.num_inputs + i]);
  const char* label = program.String(step.label).data;
  const uint64_t begin = options_->profile == nullptr ? 0 : MonotonicNanoseconds();
  int code = 0;
  char error[kErrorBytes];
  error[0] = '\0';
  Status status;
  if (node.call.typed != nullptr) {
    const TypedCall call{&node.call,
                         program.String(step.target).data,
                         program.Bytes(step.config),
                         step.num_inputs,
                         num_outputs,
                         node.values,
                         node.values + step.num_inputs,
                         call_inputs_,
                         call_outputs_};
    status = node.call.typed(call);
  } else if (node.call.plain != nullptr) {
    const bool one = num_outputs == 1 && (step.flags & program_format::kTupleResult) == 0;
    node.call.plain(one ? call_outputs_[0] : static_cast<void*>(call_outputs_), call_inputs_);
  } else {
    const ByteSpan config = program.Bytes(step.config);
    code =
        node.call.full(node.call.user, call_inputs_, call_outputs_,
                       reinterpret_cast<const char*>(config.data), config.size, error, kErrorBytes);
  }
  if (options_->profile != nullptr)
    options_->profile(options_->profile_user, {node.step, label, begin, MonotonicNanoseconds()});
  if (!status.ok()) {
    return MakeStatus(status.code(), "custom call %s (%s): %s", program.String(step.target).data,
                      label, status.message());
  }
  if (code == 0) return Status();
  error[kErrorBytes - 1] = '\0';
  return MakeStatus(Code::kInternal, "custom call %s (%s) failed with %d: %s",
                    program.String(step.target).data, label, code, error);
}

}  // namespace halyard::runtime
