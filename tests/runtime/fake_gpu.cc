#include "tests/runtime/fake_gpu.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "runtime/program/program_spec.h"

namespace halyard::testing {
namespace {

using runtime::Binding;
using runtime::Block;
using runtime::Code;
using runtime::Event;
using runtime::MakeStatus;
using runtime::SegmentStep;
using runtime::SliceRef;
using runtime::Space;
using runtime::Status;

struct FakeKernel {
  std::string text;
};

struct FakeStep {
  const FakeKernel* kernel;  // null: a copy
  std::vector<SliceRef> slices;
  SliceRef scratch;
};

struct FakeRecording {
  std::vector<FakeStep> steps;
  uint32_t repeat;
};

uint8_t* Memory(const Block& block) { return reinterpret_cast<uint8_t*>(block.device_address); }

uint8_t* Address(const SliceRef& slice, const std::vector<std::pair<Block, uint64_t>>& bindings) {
  const auto& [block, offset] = bindings.at(slice.allocation);
  if (offset + slice.offset + slice.bytes > block.bytes) abort();
  return Memory(block) + offset + slice.offset;
}

void RunStep(const FakeStep& step, const std::vector<std::pair<Block, uint64_t>>& bindings) {
  std::vector<uint8_t*> at;
  for (const SliceRef& slice : step.slices) at.push_back(Address(slice, bindings));
  const uint64_t bytes = step.slices[0].bytes;
  if (step.kernel == nullptr) {
    memmove(at[1], at[0], bytes);
    return;
  }
  const std::string& text = step.kernel->text;
  const int32_t number =
      text.find(' ') == std::string::npos ? 0 : atoi(text.c_str() + text.find(' '));
  for (uint64_t i = 0; i < bytes / 4; ++i) {
    const int32_t in = reinterpret_cast<int32_t*>(at[0])[i];
    if (text[0] == 'a') reinterpret_cast<int32_t*>(at[1])[i] = in + number;
    if (text[0] == 'l') at[1][i] = in < number;
    if (text == "sum") {
      reinterpret_cast<float*>(at[2])[i] =
          reinterpret_cast<float*>(at[0])[i] + reinterpret_cast<float*>(at[1])[i];
    }
    if (text == "scratch") {
      int32_t* scratch = reinterpret_cast<int32_t*>(Address(step.scratch, bindings));
      scratch[0] = in;
      reinterpret_cast<int32_t*>(at[1])[i] = scratch[0];
    }
  }
}

}  // namespace

std::atomic<int> FakeGpu::live_devices_{0};

FakeGpu::FakeGpu() {
  info_.kind = runtime::DeviceKind::kVulkan;
  strcpy(info_.name, "fake GPU");
  info_.max_allocation_bytes = 1 << 24;
  ++live_devices_;
  thread_ = std::thread([this] { Main(); });
}

FakeGpu::~FakeGpu() { --live_devices_; }

std::string FakeGpu::Kernel(const std::string& name, const std::string& text, int inputs,
                            uint64_t input_bytes, uint64_t output_bytes) {
  KernelObjectSpec spec;
  spec.kind = runtime::DeviceKind::kVulkan;
  spec.name = name;
  spec.num_inputs = static_cast<uint32_t>(inputs);
  spec.num_outputs = 1;
  for (int i = 0; i <= inputs; ++i) {
    runtime::KernelArgument argument;
    argument.type_bits = 8;
    argument.bytes = i < inputs ? input_bytes : output_bytes;
    spec.arguments.push_back(argument);
  }
  spec.modules = {text};
  if (text == "scratch") spec.scratch_bytes = 64;
  return WriteKernelObject(spec);
}

void FakeGpu::Pause(bool paused) {
  std::lock_guard<std::mutex> lock(mutex_);
  paused_ = paused;
  changed_.notify_all();
}

void FakeGpu::Main() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || (!paused_ && !queue_.empty()); });
    if (queue_.empty()) return;
    std::function<void()> work = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(300));  // a missing wait shows old data
    work();
    lock.lock();
    ++completed_;
    changed_.notify_all();
  }
}

void FakeGpu::Enqueue(std::function<void()> work, Event* done) {
  std::lock_guard<std::mutex> lock(mutex_);
  queue_.push_back(std::move(work));
  done->id = ++submitted_;
  changed_.notify_all();
}

Status FakeGpu::Wait(Event event) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (completed_ < event.id) ++waits_;
  changed_.wait(lock, [&] { return completed_ >= event.id; });
  return lost_ ? MakeStatus(Code::kUnavailable, "the fake GPU is lost") : Status();
}

bool FakeGpu::IsDone(Event event) {
  std::lock_guard<std::mutex> lock(mutex_);
  return completed_ >= event.id;
}

void FakeGpu::Destroy() {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    stop_ = true;
    changed_.notify_all();
  }
  thread_.join();
  if (blocks_ != 0 || kernels_ != 0 || recordings_ != 0) abort();  // something was not released
  delete this;
}

Status FakeGpu::Allocate(uint64_t bytes, Space space, Block* block) {
  void* memory = malloc(bytes);
  memset(memory, 0xAB, bytes);
  *block = Block{space, bytes, space == Space::kHost ? memory : nullptr,
                 reinterpret_cast<uint64_t>(memory), nullptr};
  ++blocks_;
  memory_[static_cast<int>(space)].Add(runtime::PaddedBlockBytes(bytes));
  return Status();
}

void FakeGpu::Free(Block* block) {
  memory_[static_cast<int>(block->space)].Subtract(runtime::PaddedBlockBytes(block->bytes));
  memset(Memory(*block), 0xCD, block->bytes);
  free(Memory(*block));
  *block = Block();
  --blocks_;
}

Status FakeGpu::LoadKernel(const runtime::KernelObjectView& object, runtime::Kernel** kernel) {
  const runtime::ByteSpan module = object.module(0);
  *kernel = reinterpret_cast<runtime::Kernel*>(
      new FakeKernel{std::string(reinterpret_cast<const char*>(module.data), module.size)});
  ++kernels_;
  return Status();
}

void FakeGpu::FreeKernel(runtime::Kernel* kernel) {
  delete reinterpret_cast<FakeKernel*>(kernel);
  --kernels_;
}

Status FakeGpu::Record(const runtime::Segment& segment, const Binding* bindings,
                       uint32_t num_bindings, runtime::Recording** recording) {
  auto* made = new FakeRecording{{}, segment.repeat};
  for (uint32_t i = 0; i < segment.num_steps; ++i) {
    const SegmentStep& step = segment.steps[i];
    made->steps.push_back({step.kind == SegmentStep::Kind::kKernel
                               ? reinterpret_cast<FakeKernel*>(step.kernel)
                               : nullptr,
                           {step.slices, step.slices + step.num_slices},
                           step.scratch});
  }
  *recording = reinterpret_cast<runtime::Recording*>(made);
  ++recordings_;
  return Status();
}

Status FakeGpu::Submit(runtime::Recording* recording, const Binding* bindings,
                       uint32_t num_bindings, uint32_t stream, Event* done) {
  std::vector<std::pair<Block, uint64_t>> copies;
  for (uint32_t i = 0; i < num_bindings; ++i) {
    copies.emplace_back(bindings[i].block == nullptr ? Block() : *bindings[i].block,
                        bindings[i].offset);
  }
  ++submits_;
  const FakeRecording* work = reinterpret_cast<FakeRecording*>(recording);
  Enqueue(
      [work, copies] {
        for (uint32_t round = 0; round < work->repeat; ++round) {
          for (const FakeStep& step : work->steps) RunStep(step, copies);
        }
      },
      done);
  return Status();
}

// The steps take no measurable time, so they divide the whole span evenly, one after the other.
Status FakeGpu::SubmitTimed(runtime::Recording* recording, const Binding* bindings,
                            uint32_t num_bindings, uint32_t stream, runtime::StepSpan* spans) {
  const uint64_t begin = runtime::MonotonicNanoseconds();
  Event done;
  HY_RETURN_IF_ERROR(Submit(recording, bindings, num_bindings, stream, &done));
  HY_RETURN_IF_ERROR(Wait(done));
  const uint64_t end = runtime::MonotonicNanoseconds();
  const size_t steps = reinterpret_cast<FakeRecording*>(recording)->steps.size();
  for (size_t i = 0; i < steps; ++i)
    spans[i] = {begin + (end - begin) * i / steps, begin + (end - begin) * (i + 1) / steps};
  return Status();
}

void FakeGpu::FreeRecording(runtime::Recording* recording) {
  delete reinterpret_cast<FakeRecording*>(recording);
  --recordings_;
}

Status FakeGpu::Upload(const void* host, const Block& block, uint64_t offset, uint64_t bytes,
                       uint32_t stream, Event* done) {
  uint8_t* to = Memory(block) + offset;
  Enqueue([=] { memcpy(to, host, bytes); }, done);
  return Status();
}

Status FakeGpu::Download(const Block& block, uint64_t offset, uint64_t bytes, void* host,
                         uint32_t stream, Event* done) {
  const uint8_t* from = Memory(block) + offset;
  Enqueue([=] { memcpy(host, from, bytes); }, done);
  return Status();
}

}  // namespace halyard::testing
