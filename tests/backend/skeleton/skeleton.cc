#include "tests/backend/skeleton/skeleton.h"

#include <cinttypes>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "runtime/x86/cpu.h"
#include "runtime/x86/kernel_runtime.h"
#include "runtime/x86/object_loader.h"
#include "runtime/x86/scratch.h"
#include "runtime/x86/thread_pool.h"

namespace halyard::skeleton {
namespace {

using runtime::Binding;
using runtime::Block;
using runtime::Code;
using runtime::Device;
using runtime::DeviceInfo;
using runtime::Event;
using runtime::Kernel;
using runtime::KernelArgument;
using runtime::KernelObjectView;
using runtime::MakeStatus;
using runtime::MemoryUse;
using runtime::MonotonicNanoseconds;
using runtime::PaddedBlockBytes;
using runtime::Recording;
using runtime::Segment;
using runtime::SegmentStep;
using runtime::SliceRef;
using runtime::Space;
using runtime::Status;
using runtime::StepSpan;

// A `Kernel*` is code that can be called, and the arguments that it expects. A GPU would keep its
// pipelines or functions, and the launches of runtime/gpu/kernel_plan.h, checked against
// DeviceInfo.
struct SkeletonKernel {
  std::string name;
  std::vector<KernelArgument> arguments;
  runtime::x86::LoadedObject code;
  uint64_t scratch_bytes = 0;
};

// A `Recording*` is a copy of the steps, because the caller may free its arrays after Record. A GPU
// would build its commands from runtime/gpu/segment_plan.h, which also states which of them may
// overlap.
struct SkeletonRecording {
  struct Step {
    SkeletonKernel* kernel = nullptr;  // null: a copy
    std::vector<SliceRef> slices;
    std::string label;
  };
  std::vector<Step> steps;
  uint32_t repeat = 1;
};

// Schedules use these limits, and the keys of kernels contain them.
DeviceInfo Described() {
  DeviceInfo info = runtime::x86::DescribeCpu();
  info.compute_units = 1;
  return info;
}

class SkeletonDevice final : public Device {
 public:
  Status Open() {
    info_ = Described();
    return runtime::x86::ThreadPool::Create(1, /*spin=*/false, &pool_);
  }

  const DeviceInfo& info() const override { return info_; }

  Status Allocate(uint64_t bytes, Space space, Block* block) override {
    *block = Block();
    const uint64_t padded = PaddedBlockBytes(bytes);
    void* memory = nullptr;
    if (padded < bytes || bytes > info_.max_allocation_bytes ||
        posix_memalign(&memory, runtime::kBlockPadding, padded) != 0) {
      return MakeStatus(Code::kResourceExhausted,
                        "%" PRIu64 " bytes asked, the skeleton has %" PRIu64, bytes,
                        info_.max_allocation_bytes);
    }
    memory_[static_cast<int>(space)].Add(padded);
    // `host` is the address at which the CPU accesses the memory, or null if it cannot.
    *block = Block{space, bytes, memory, reinterpret_cast<uint64_t>(memory), nullptr};
    return Status();
  }
  void Free(Block* block) override {
    if (block->host == nullptr) return;
    memory_[static_cast<int>(block->space)].Subtract(PaddedBlockBytes(block->bytes));
    free(block->host);
    *block = Block();
  }
  MemoryUse memory_use(Space space) const override {
    return memory_[static_cast<int>(space)].use();
  }

  Status LoadKernel(const KernelObjectView& object, Kernel** kernel) override {
    if (object.kind != info_.kind) {
      return MakeStatus(Code::kInvalidArgument, "kernel %s is another backend's", object.name.data);
    }
    auto made = std::make_unique<SkeletonKernel>();
    made->name = object.name.data;
    made->scratch_bytes = object.scratch_bytes + object.scratch_bytes_per_task;
    for (uint32_t i = 0; i < object.num_inputs + object.num_outputs; ++i) {
      made->arguments.push_back(object.argument(i));
    }
    HY_RETURN_IF_ERROR(runtime::x86::LoadObject(object.x86_object, object.name.data,
                                                runtime::x86::ResolveKernelImport, nullptr,
                                                &made->code));
    *kernel = reinterpret_cast<Kernel*>(made.release());
    return Status();
  }
  void FreeKernel(Kernel* kernel) override {
    auto* own = reinterpret_cast<SkeletonKernel*>(kernel);
    runtime::x86::UnloadObject(&own->code);
    delete own;
  }

  Status Record(const Segment& segment, const Binding*, uint32_t num_bindings,
                Recording** recording) override {
    auto made = std::make_unique<SkeletonRecording>();
    made->repeat = segment.repeat;
    for (uint32_t i = 0; i < segment.num_steps; ++i) {
      HY_RETURN_IF_ERROR(CheckStep(segment.steps[i], num_bindings));
      made->steps.push_back(CopyStep(segment.steps[i]));
    }
    *recording = reinterpret_cast<Recording*>(made.release());
    return Status();
  }
  void FreeRecording(Recording* recording) override {
    delete reinterpret_cast<SkeletonRecording*>(recording);
  }

  Status Submit(Recording* recording, const Binding* bindings, uint32_t num_bindings, uint32_t,
                Event* done) override {
    *done = Event();  // 0: done when this returns
    return Run(*reinterpret_cast<SkeletonRecording*>(recording), bindings, num_bindings, nullptr);
  }
  Status SubmitTimed(Recording* recording, const Binding* bindings, uint32_t num_bindings, uint32_t,
                     StepSpan* spans) override {
    return Run(*reinterpret_cast<SkeletonRecording*>(recording), bindings, num_bindings, spans);
  }

  Status Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes, uint32_t,
                Event* done) override {
    *done = Event();
    HY_RETURN_IF_ERROR(CheckRange(block, offset, bytes, "copy"));
    if (bytes != 0) memcpy(static_cast<char*>(block.host) + offset, host, bytes);
    return Status();
  }
  Status Download(const Block& block, uint64_t offset, uint64_t bytes, void* host, uint32_t,
                  Event* done) override {
    *done = Event();
    HY_RETURN_IF_ERROR(CheckRange(block, offset, bytes, "copy"));
    if (bytes != 0) memcpy(host, static_cast<const char*>(block.host) + offset, bytes);
    return Status();
  }
  Status Wait(Event) override { return Status(); }
  bool IsDone(Event) override { return true; }

  void Destroy() override {
    if (pool_ != nullptr) pool_->Destroy();
    delete this;
  }

 private:
  static Status CheckRange(const Block& block, uint64_t offset, uint64_t bytes, const char* what) {
    if (offset <= block.bytes && bytes <= block.bytes - offset) return Status();
    return MakeStatus(Code::kInvalidArgument,
                      "%s: %" PRIu64 " bytes at %" PRIu64 " of a block of %" PRIu64, what, bytes,
                      offset, block.bytes);
  }

  // Checks everything that can be checked before a run. Errors name the step.
  static Status CheckStep(const SegmentStep& step, uint32_t num_bindings) {
    const bool is_kernel = step.kind == SegmentStep::Kind::kKernel;
    const auto* kernel = reinterpret_cast<const SkeletonKernel*>(step.kernel);
    const size_t expected = is_kernel ? kernel->arguments.size() : 2;
    bool good = step.num_slices == expected;
    for (uint32_t i = 0; good && i < step.num_slices; ++i) {
      const uint64_t needed = is_kernel ? kernel->arguments[i].bytes : step.slices[0].bytes;
      good = step.slices[i].allocation < num_bindings && step.slices[i].bytes >= needed;
    }
    if (good) return Status();
    return MakeStatus(Code::kInvalidArgument, "%s: wrong number or size of slices", step.label);
  }
  static SkeletonRecording::Step CopyStep(const SegmentStep& step) {
    SkeletonRecording::Step copy;
    if (step.kind == SegmentStep::Kind::kKernel) {
      copy.kernel = reinterpret_cast<SkeletonKernel*>(step.kernel);
    }
    copy.slices.assign(step.slices, step.slices + step.num_slices);
    copy.label = step.label;
    return copy;
  }

  Status Run(const SkeletonRecording& recording, const Binding* bindings, uint32_t num_bindings,
             StepSpan* spans) {
    for (uint32_t round = 0; round < recording.repeat; ++round) {
      for (size_t i = 0; i < recording.steps.size(); ++i) {
        if (spans != nullptr) spans[i].begin_ns = MonotonicNanoseconds();
        HY_RETURN_IF_ERROR(RunStep(recording.steps[i], bindings, num_bindings));
        if (spans != nullptr) spans[i].end_ns = MonotonicNanoseconds();
      }
    }
    return Status();
  }

  Status RunStep(const SkeletonRecording::Step& step, const Binding* bindings,
                 uint32_t num_bindings) {
    std::vector<uint8_t*> places;
    for (const SliceRef& slice : step.slices) {
      if (slice.allocation >= num_bindings || bindings[slice.allocation].block == nullptr) {
        return MakeStatus(Code::kInvalidArgument, "%s: allocation %u is not bound",
                          step.label.c_str(), slice.allocation);
      }
      const Binding& binding = bindings[slice.allocation];
      const uint64_t offset = binding.offset + slice.offset;
      HY_RETURN_IF_ERROR(CheckRange(*binding.block, offset, slice.bytes, step.label.c_str()));
      places.push_back(static_cast<uint8_t*>(binding.block->host) + offset);
    }
    if (step.kernel != nullptr) return Call(*step.kernel, places);
    memmove(places[1], places[0], step.slices[0].bytes);
    return Status();
  }

  Status Call(const SkeletonKernel& kernel, const std::vector<uint8_t*>& places) {
    std::vector<runtime::x86::HalideBuffer> buffers(places.size());
    std::vector<std::vector<runtime::x86::HalideDimension>> dimensions(places.size());
    std::vector<void*> pointers;
    for (size_t i = 0; i < places.size(); ++i) {
      const KernelArgument& argument = kernel.arguments[i];
      for (int d = 0; d < argument.rank; ++d) {
        dimensions[i].push_back({0, argument.extent[d], argument.stride[d], 0});
      }
      buffers[i].host = places[i];
      buffers[i].type = {argument.type_code, argument.type_bits, 1};
      buffers[i].dimensions = argument.rank;
      buffers[i].dim = dimensions[i].data();
      pointers.push_back(&buffers[i]);
    }
    // The state that the kernel finds on its thread: no helper threads, memory for its own
    // allocations, and a place for its error message.
    runtime::x86::ScratchRegion scratch;
    HY_RETURN_IF_ERROR(scratch.Reserve(kernel.scratch_bytes));
    char message[runtime::x86::kMessageBytes] = {};
    pthread_mutex_t message_mutex = PTHREAD_MUTEX_INITIALIZER;
    runtime::x86::ThreadState state;
    state.pool = pool_;
    state.scratch = &scratch;
    state.message = message;
    state.message_mutex = &message_mutex;
    runtime::x86::FloatEnvironment environment;
    runtime::x86::ThreadState* outer = runtime::x86::CurrentThreadState();
    runtime::x86::SetCurrentThreadState(&state);
    const int error =
        reinterpret_cast<runtime::x86::KernelEntry>(kernel.code.entry)(pointers.data());
    runtime::x86::SetCurrentThreadState(outer);
    if (error == 0) return Status();
    return MakeStatus(Code::kInternal, "kernel %s failed with %d: %s", kernel.name.c_str(), error,
                      message);
  }

  DeviceInfo info_;
  runtime::x86::ThreadPool* pool_ = nullptr;
  runtime::MemoryCounter memory_[2];  // by space
};

}  // namespace

Status CountDevices(uint32_t* count) {
  *count = 1;
  return Status();
}

const char* DescribeAbsence() { return ""; }

Status DescribeDevice(uint32_t index, DeviceInfo* info) {
  if (index != 0) return MakeStatus(Code::kNotFound, "there is one skeleton, 0; not %u", index);
  *info = Described();
  return Status();
}

Status OpenDevice(uint32_t index, Device** device) {
  if (index != 0) return MakeStatus(Code::kNotFound, "there is one skeleton, 0; not %u", index);
  auto* made = new SkeletonDevice;
  Status status = made->Open();
  if (!status.ok()) {
    made->Destroy();
    return status;
  }
  *device = made;
  return status;
}

}  // namespace halyard::skeleton
