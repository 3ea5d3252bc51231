#include "runtime/x86/recording.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <new>

#include "runtime/byte_reader.h"
#include "runtime/host.h"

namespace halyard::runtime::x86 {
namespace {

constexpr uint64_t kCopyPiece = 512 << 10;  // what one task of a parallel copy copies

struct Copy {
  const uint8_t* from;
  uint8_t* to;
  uint64_t bytes;
};

int CopyPiece(void* user_context, int index, uint8_t* closure) {
  const Copy* copy = reinterpret_cast<const Copy*>(closure);
  const uint64_t at = static_cast<uint64_t>(index) * kCopyPiece;
  const uint64_t left = copy->bytes - at;
  memcpy(copy->to + at, copy->from + at, left < kCopyPiece ? left : kCopyPiece);
  return 0;
}

void CopyBytes(const uint8_t* from, uint8_t* to, uint64_t bytes, ThreadState* state) {
  // The addresses are equal for an update in place whose operand was donated.
  if (from == to) return;
  const bool overlap = from < to + bytes && to < from + bytes;
  if (overlap || bytes <= kCopyPiece) {
    memmove(to, from, bytes);
    return;
  }
  Copy copy{from, to, bytes};
  state->pool->ParallelFor(state, CopyPiece, nullptr, 0,
                           static_cast<int32_t>((bytes + kCopyPiece - 1) / kCopyPiece),
                           reinterpret_cast<uint8_t*>(&copy));
}

uint64_t Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

Status NoMemory(const char* what) {
  return MakeStatus(Code::kResourceExhausted, "no memory for %s", what);
}

}  // namespace

Status X86Kernel::Create(const KernelObjectView& object, KernelEntry entry, X86Kernel** kernel) {
  const uint32_t count = object.num_inputs + object.num_outputs;
  void* memory = HeapAllocate(sizeof(X86Kernel) + count * sizeof(KernelArgument));
  if (memory == nullptr) return NoMemory("a kernel");
  X86Kernel* made = new (memory) X86Kernel();
  made->entry = entry;
  snprintf(made->name, sizeof(made->name), "%s", object.name.data);
  made->scratch_bytes = object.scratch_bytes;
  made->scratch_bytes_per_task = object.scratch_bytes_per_task;
  made->num_arguments = count;
  made->num_inputs = object.num_inputs;
  for (uint32_t i = 0; i < count; ++i) made->arguments[i] = object.argument(i);
  *kernel = made;
  return Status();
}

Status X86Recording::Create(const Segment& segment, uint32_t num_bindings,
                            X86Recording** recording) {
  void* memory = HeapAllocate(sizeof(X86Recording));
  if (memory == nullptr) return NoMemory("a recording");
  X86Recording* made = new (memory) X86Recording();
  Status status = made->Build(segment, num_bindings);
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *recording = made;
  return Status();
}

void X86Recording::Destroy() {
  HeapFree(steps_);
  HeapFree(slices_);
  HeapFree(buffers_);
  HeapFree(pointers_);
  HeapFree(dimensions_);
  pthread_mutex_destroy(&message_mutex_);
  this->~X86Recording();
  HeapFree(this);
}

Status X86Recording::Build(const Segment& segment, uint32_t num_bindings) {
  num_steps_ = segment.num_steps;
  repeat_ = segment.repeat;
  uint32_t num_dimensions = 0;
  uint64_t scratch = 0;
  for (uint32_t i = 0; i < num_steps_; ++i) {
    const SegmentStep& step = segment.steps[i];
    num_slices_ += step.num_slices;
    if (step.kind != SegmentStep::Kind::kKernel) continue;
    const X86Kernel* kernel = X86Kernel::From(step.kernel);
    // The caller's thread runs tasks too, and needs scratch for them beside what it holds already.
    const uint64_t needed = kernel->scratch_bytes + kernel->scratch_bytes_per_task;
    if (needed > scratch) scratch = needed;
    for (uint32_t k = 0; k < kernel->num_arguments; ++k)
      num_dimensions += kernel->arguments[k].rank;
  }
  steps_ = static_cast<Step*>(HeapAllocateZeroed(num_steps_ + 1, sizeof(Step)));
  slices_ = static_cast<Slice*>(HeapAllocateZeroed(num_slices_ + 1, sizeof(Slice)));
  buffers_ = static_cast<HalideBuffer*>(HeapAllocateZeroed(num_slices_ + 1, sizeof(HalideBuffer)));
  pointers_ = static_cast<void**>(HeapAllocateZeroed(num_slices_ + 1, sizeof(void*)));
  dimensions_ = static_cast<HalideDimension*>(
      HeapAllocateZeroed(num_dimensions + 1, sizeof(HalideDimension)));
  if (steps_ == nullptr || slices_ == nullptr || buffers_ == nullptr || pointers_ == nullptr ||
      dimensions_ == nullptr) {
    return NoMemory("a recording");
  }
  uint32_t slice = 0, dimension = 0;
  for (uint32_t i = 0; i < num_steps_; ++i) {
    HY_RETURN_IF_ERROR(BuildStep(segment.steps[i], num_bindings, &steps_[i], &slice, &dimension));
  }
  return scratch_.Reserve(scratch);
}

Status X86Recording::BuildStep(const SegmentStep& from, uint32_t num_bindings, Step* step,
                               uint32_t* slice, uint32_t* dimension) {
  const char* label = from.label == nullptr ? "" : from.label;
  const bool is_kernel = from.kind == SegmentStep::Kind::kKernel;
  step->kernel = is_kernel ? X86Kernel::From(from.kernel) : nullptr;
  step->first_slice = *slice;
  step->num_slices = from.num_slices;
  snprintf(step->label, sizeof(step->label), "%s", label);
  const uint32_t expected = is_kernel ? step->kernel->num_arguments : 2;
  if (from.num_slices != expected) {
    return MakeStatus(Code::kInvalidArgument, "step %s has %u slices, not %u", label,
                      from.num_slices, expected);
  }
  if (!is_kernel && from.slices[0].bytes != from.slices[1].bytes) {
    return MakeStatus(Code::kInvalidArgument, "copy %s between slices of different size", label);
  }
  for (uint32_t i = 0; i < from.num_slices; ++i, ++*slice) {
    const SliceRef& ref = from.slices[i];
    if (ref.allocation >= num_bindings) {
      return MakeStatus(Code::kInvalidArgument, "step %s: slice %u of an unknown allocation", label,
                        i);
    }
    slices_[*slice].ref = ref;
    if (!is_kernel) continue;
    const KernelArgument& argument = step->kernel->arguments[i];
    if (ref.bytes < argument.bytes) {
      return MakeStatus(Code::kInvalidArgument,
                        "step %s: slice %u has %llu bytes, its kernel needs %llu", label, i,
                        static_cast<unsigned long long>(ref.bytes),
                        static_cast<unsigned long long>(argument.bytes));
    }
    HalideBuffer& buffer = buffers_[*slice];
    buffer.type = {argument.type_code, argument.type_bits, 1};
    buffer.dimensions = argument.rank;
    buffer.dim = dimensions_ + *dimension;
    for (int d = 0; d < argument.rank; ++d) {
      dimensions_[(*dimension)++] = {0, argument.extent[d], argument.stride[d], 0};
    }
    pointers_[*slice] = &buffer;
  }
  return Status();
}

Status X86Recording::Bind(const Binding* bindings, uint32_t num_bindings) {
  for (uint32_t i = 0; i < num_slices_; ++i) {
    const SliceRef& ref = slices_[i].ref;
    const Binding* binding = ref.allocation < num_bindings ? &bindings[ref.allocation] : nullptr;
    if (binding == nullptr || binding->block == nullptr || binding->block->host == nullptr ||
        !InRange(ref.offset, ref.bytes, binding->block->bytes) ||
        !InRange(binding->offset, ref.offset + ref.bytes, binding->block->bytes)) {
      return MakeStatus(Code::kInvalidArgument, "allocation %u has no block of %llu bytes",
                        ref.allocation, static_cast<unsigned long long>(ref.offset + ref.bytes));
    }
    slices_[i].address = static_cast<uint8_t*>(binding->block->host) + binding->offset + ref.offset;
    buffers_[i].host = slices_[i].address;
  }
  return Status();
}

Status X86Recording::RunStep(const Step& step, ThreadState* state) {
  const Slice* slices = slices_ + step.first_slice;
  if (step.kernel == nullptr) {
    CopyBytes(slices[0].address, slices[1].address, slices[0].ref.bytes, state);
    return Status();
  }
  const int error = step.kernel->entry(pointers_ + step.first_slice);
  if (error == 0) return Status();
  Status status = MakeStatus(Code::kInternal, "kernel %s (%s) failed with %d: %s",
                             step.kernel->name, step.label, error, message_);
  message_[0] = '\0';
  return status;
}

Status X86Recording::Run(ThreadPool* pool, const Binding* bindings, uint32_t num_bindings,
                         StepSpan* spans, uint64_t* heap_allocations) {
  HY_RETURN_IF_ERROR(Bind(bindings, num_bindings));
  FloatEnvironment environment;
  ThreadState state;
  state.pool = pool;
  state.scratch = &scratch_;
  state.message = message_;
  state.message_mutex = &message_mutex_;
  ThreadState* outer = CurrentThreadState();
  // A custom call inside a parallel loop's task would find the workers busy with that loop.
  state.in_task = outer != nullptr && outer->in_task;
  SetCurrentThreadState(&state);
  const uint64_t before = scratch_.heap_allocations();
  Status status;
  for (uint32_t round = 0; round < repeat_ && status.ok(); ++round) {
    for (uint32_t i = 0; i < num_steps_ && status.ok(); ++i) {
      if (spans != nullptr) spans[i].begin_ns = Now();
      status = RunStep(steps_[i], &state);
      if (spans != nullptr) spans[i].end_ns = Now();
    }
  }
  SetCurrentThreadState(outer);
  *heap_allocations += scratch_.heap_allocations() - before;
  scratch_.GrowToPeak();
  return status;
}

}  // namespace halyard::runtime::x86
