// What every backend must do, run on those that this machine has: x86, and Vulkan in three ways (as
// it comes, with its memory treated as out of the CPU's reach, and under the validation layers,
// which must stay silent). CUDA has its fake: tests/runtime/cuda.
#include <atomic>
#include <cstring>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/backend.h"
#include "runtime/program_spec.h"
#include "runtime/vulkan/vulkan.h"
#include "runtime/x86/x86.h"
#include "tests/fakes/test_kernels.h"

namespace halyard::testing {
namespace {

using runtime::Binding;
using runtime::Block;
using runtime::Code;
using runtime::Device;
using runtime::Event;
using runtime::Kernel;
using runtime::Recording;
using runtime::Segment;
using runtime::SegmentStep;
using runtime::SliceRef;
using runtime::Space;
using runtime::Status;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

#define ASSERT_HY_OK(expression)                        \
  do {                                                  \
    const Status hy_status = (expression);              \
    ASSERT_TRUE(hy_status.ok()) << hy_status.message(); \
  } while (false)

enum class Subject { kX86, kVulkan, kVulkanStaging, kVulkanValidation };

// Messages of the validation layers; they may come from any thread.
struct Messages {
  static void Add(void* context, const char* message) {
    auto* self = static_cast<Messages*>(context);
    const std::lock_guard<std::mutex> lock(self->mutex);
    self->list.emplace_back(message);
  }
  std::mutex mutex;
  std::vector<std::string> list;
};

class BackendConformance : public ::testing::TestWithParam<Subject> {
 protected:
  void SetUp() override {
    if (GetParam() == Subject::kX86) {
      ASSERT_HY_OK(runtime::x86::OpenDevice(0, &device_));
      return;
    }
    runtime::vulkan::Options options;
    options.force_staging = GetParam() == Subject::kVulkanStaging;
    options.validation = GetParam() == Subject::kVulkanValidation;
    options.on_message = Messages::Add;
    options.context = &messages_;
    ASSERT_HY_OK(runtime::vulkan::OpenDevice(0, options, &device_));
  }
  void TearDown() override {
    if (device_ != nullptr) device_->Destroy();
    EXPECT_THAT(messages_.list, IsEmpty());
  }

  Kernel* Load(const absl::StatusOr<KernelObjectSpec>& spec) {
    EXPECT_TRUE(spec.ok()) << spec.status();
    if (!spec.ok()) return nullptr;
    const std::string bytes = WriteKernelObject(*spec);
    runtime::KernelObjectView view;
    Status status = runtime::ParseKernelObject(
        {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view);
    Kernel* kernel = nullptr;
    if (status.ok()) status = device_->LoadKernel(view, &kernel);
    EXPECT_TRUE(status.ok()) << status.message();
    return kernel;
  }
  Block Make(uint64_t bytes, Space space = Space::kDevice) {
    Block block;
    const Status status = device_->Allocate(bytes, space, &block);
    EXPECT_TRUE(status.ok()) << status.message();
    return block;
  }
  void Put(const Block& block, uint64_t offset, const void* data, uint64_t bytes,
           uint32_t stream = 0) {
    Event done;
    ASSERT_HY_OK(device_->Upload(data, block, offset, bytes, stream, &done));
    ASSERT_HY_OK(device_->Wait(done));
  }
  template <typename T>
  std::vector<T> Get(const Block& block, uint64_t offset, size_t count, uint32_t stream = 0) {
    std::vector<T> data(count);
    Event done;
    Status status = device_->Download(block, offset, count * sizeof(T), data.data(), stream, &done);
    if (status.ok()) status = device_->Wait(done);
    EXPECT_TRUE(status.ok()) << status.message();
    return data;
  }
  Recording* Record(const std::vector<SegmentStep>& steps, const std::vector<Binding>& bindings,
                    uint32_t repeat = 1) {
    Segment segment;
    segment.steps = steps.data();
    segment.num_steps = static_cast<uint32_t>(steps.size());
    segment.repeat = repeat;
    Recording* recording = nullptr;
    const Status status = device_->Record(segment, bindings.data(),
                                          static_cast<uint32_t>(bindings.size()), &recording);
    EXPECT_TRUE(status.ok()) << status.message();
    return recording;
  }
  void Run(Recording* recording, const std::vector<Binding>& bindings, uint32_t stream = 0) {
    Event done;
    ASSERT_HY_OK(device_->Submit(recording, bindings.data(), static_cast<uint32_t>(bindings.size()),
                                 stream, &done));
    ASSERT_HY_OK(device_->Wait(done));
    EXPECT_TRUE(device_->IsDone(done));
  }

  Messages messages_;
  Device* device_ = nullptr;
};

SliceRef Slice(uint32_t allocation, uint64_t offset, uint64_t bytes) {
  SliceRef slice;
  slice.allocation = allocation;
  slice.offset = offset;
  slice.bytes = bytes;
  return slice;
}

SegmentStep KernelStep(Kernel* kernel, const std::vector<SliceRef>& slices) {
  SegmentStep step;
  step.kernel = kernel;
  step.slices = slices.data();
  step.num_slices = static_cast<uint32_t>(slices.size());
  step.num_inputs = step.num_slices - 1;
  step.label = "a step";
  return step;
}

SegmentStep CopyStep(const std::vector<SliceRef>& slices) {
  SegmentStep step;
  step.kind = SegmentStep::Kind::kCopy;
  step.slices = slices.data();
  step.num_slices = 2;
  step.label = "a copy";
  return step;
}

std::vector<Binding> Bind(const std::vector<const Block*>& blocks) {
  std::vector<Binding> bindings(blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) bindings[i].block = blocks[i];
  return bindings;
}

std::vector<uint8_t> Pattern(size_t bytes, int seed) {
  std::vector<uint8_t> data(bytes);
  for (size_t i = 0; i < bytes; ++i) data[i] = static_cast<uint8_t>(i * 7 + i / 251 + seed);
  return data;
}

TEST_P(BackendConformance, CopiesOfOddSizesAndPlaces) {
  for (uint64_t bytes : {1, 3, 63, 255, 256, 257, 1000, 100001}) {
    Block block = Make(bytes);
    EXPECT_EQ(block.bytes, bytes);
    const auto data = Pattern(bytes, 1);
    Put(block, 0, data.data(), bytes);
    EXPECT_EQ(Get<uint8_t>(block, 0, bytes), data);
    const uint64_t part = bytes / 3;
    const auto other = Pattern(part, 99);
    Put(block, bytes - part, other.data(), part);
    auto want = data;
    std::copy(other.begin(), other.end(), want.end() - static_cast<ptrdiff_t>(part));
    EXPECT_EQ(Get<uint8_t>(block, 0, bytes), want);
    EXPECT_EQ(Get<uint8_t>(block, bytes / 2, bytes - bytes / 2),
              std::vector<uint8_t>(want.begin() + static_cast<ptrdiff_t>(bytes / 2), want.end()));
    device_->Free(&block);
  }
}

TEST_P(BackendConformance, BigCopies) {
  const uint64_t bytes = (40 << 20) + 13;
  Block block = Make(bytes);
  const auto data = Pattern(bytes, 5);
  Put(block, 0, data.data(), bytes);
  EXPECT_EQ(Get<uint8_t>(block, 0, bytes), data);
  device_->Free(&block);
}

TEST_P(BackendConformance, CopiesOutsideABlockAreRefused) {
  Block block = Make(100);
  uint8_t data[200] = {};
  Event done;
  EXPECT_EQ(device_->Upload(data, block, 1, 100, 0, &done).code(), Code::kInvalidArgument);
  EXPECT_EQ(device_->Download(block, 101, 1, data, 0, &done).code(), Code::kInvalidArgument);
  EXPECT_TRUE(device_->Upload(data, block, 100, 0, 0, &done).ok());
  device_->Free(&block);
}

TEST_P(BackendConformance, TooMuchMemoryIsRefused) {
  Block block;
  const Status status = device_->Allocate(uint64_t{1} << 60, Space::kDevice, &block);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("1152921504606846976"));
}

TEST_P(BackendConformance, ManyBlocksComeAndGo) {
  std::vector<Block> blocks;
  std::vector<std::vector<uint8_t>> data;
  uint32_t random = 1;
  for (int i = 0; i < 600; ++i) {
    random = random * 1664525 + 1013904223;
    if (blocks.size() > 40 || (!blocks.empty() && random % 3 == 0)) {
      const size_t k = random / 7 % blocks.size();
      EXPECT_EQ(Get<uint8_t>(blocks[k], 0, data[k].size()), data[k]);
      device_->Free(&blocks[k]);
      blocks.erase(blocks.begin() + static_cast<ptrdiff_t>(k));
      data.erase(data.begin() + static_cast<ptrdiff_t>(k));
      continue;
    }
    data.push_back(Pattern(1 + random / 16 % (i % 50 == 0 ? 3000000 : 3000), i));
    blocks.push_back(Make(data.back().size(), random % 5 == 0 ? Space::kHost : Space::kDevice));
    Put(blocks.back(), 0, data.back().data(), data.back().size());
  }
  for (size_t k = 0; k < blocks.size(); ++k) {
    EXPECT_EQ(Get<uint8_t>(blocks[k], 0, data[k].size()), data[k]);
    device_->Free(&blocks[k]);
  }
}

TEST_P(BackendConformance, KernelsOfOddSizesLeaveTheRestAlone) {
  for (int n : {1, 17, 64, 1000, 1023}) {
    const uint64_t bytes = static_cast<uint64_t>(n);
    Kernel* kernel = Load(InvertBytes(n, device_->info()));
    ASSERT_NE(kernel, nullptr);
    Block in = Make(bytes), out = Make(4096);
    const auto data = Pattern(bytes, 3), before = Pattern(4096, 4);
    Put(in, 0, data.data(), bytes);
    Put(out, 0, before.data(), 4096);
    const std::vector<SliceRef> slices = {Slice(0, 0, bytes), Slice(1, 256, bytes)};
    const auto bindings = Bind({&in, &out});
    Recording* recording = Record({KernelStep(kernel, slices)}, bindings);
    Run(recording, bindings);
    auto want = before;
    for (int i = 0; i < n; ++i) want[256 + i] = static_cast<uint8_t>(255 - data[i]);
    EXPECT_EQ(Get<uint8_t>(out, 0, 4096), want) << n;
    device_->FreeRecording(recording);
    device_->FreeKernel(kernel);
    device_->Free(&in);
    device_->Free(&out);
  }
}

TEST_P(BackendConformance, ReplaysSeeNewInputs) {
  const int n = 1000;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(ScaleAdd(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  Block a = Make(bytes), b = Make(bytes), out = Make(bytes);
  const std::vector<SliceRef> slices = {Slice(0, 0, bytes), Slice(1, 0, bytes), Slice(2, 0, bytes)};
  const auto bindings = Bind({&a, &b, &out});
  Recording* recording = Record({KernelStep(kernel, slices)}, bindings);
  for (int round = 0; round < 30; ++round) {
    const std::vector<float> x(n, static_cast<float>(round)), y(n, 0.25f);
    Put(a, 0, x.data(), bytes);
    Put(b, 0, y.data(), bytes);
    Run(recording, bindings);
    EXPECT_EQ(Get<float>(out, 0, n),
              std::vector<float>(n, 2.5f * static_cast<float>(round) + 0.25f));
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block* block : {&a, &b, &out}) device_->Free(block);
}

TEST_P(BackendConformance, DependentStepsKeepTheirOrder) {
  const int n = 300;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  // One arena with three slices, and an output: read-after-write, write-after-read,
  // write-after-write.
  Block arena = Make(3 * 1280), out = Make(bytes, Space::kHost);
  const std::vector<SliceRef> ab = {Slice(0, 0, bytes), Slice(0, 1280, bytes)};
  const std::vector<SliceRef> bc = {Slice(0, 1280, bytes), Slice(0, 2560, bytes)};
  const std::vector<SliceRef> ca = {Slice(0, 2560, bytes), Slice(0, 0, bytes)};
  const std::vector<SliceRef> save = {Slice(0, 0, bytes), Slice(1, 0, bytes)};
  const auto bindings = Bind({&arena, &out});
  for (uint32_t repeat : {1u, 7u, 1009u}) {
    Recording* recording = Record(
        {KernelStep(kernel, ab), KernelStep(kernel, bc), KernelStep(kernel, ca), CopyStep(save)},
        bindings, repeat);
    const std::vector<float> zero(n, 0.0f);
    Put(arena, 0, zero.data(), bytes);
    Run(recording, bindings);
    EXPECT_EQ(Get<float>(out, 0, n), std::vector<float>(n, 3.0f * static_cast<float>(repeat)));
    ASSERT_NE(out.host, nullptr);
    EXPECT_EQ(static_cast<const float*>(out.host)[n - 1], 3.0f * static_cast<float>(repeat));
    device_->FreeRecording(recording);
  }
  device_->FreeKernel(kernel);
  device_->Free(&arena);
  device_->Free(&out);
}

TEST_P(BackendConformance, CopyStepsOfOddSizes) {
  Block from = Make(5000), to = Make(5000);
  const auto data = Pattern(5000, 8), before = Pattern(5000, 9);
  const auto bindings = Bind({&from, &to});
  for (uint64_t bytes : {1, 7, 255, 1001}) {
    Put(from, 0, data.data(), 5000);
    Put(to, 0, before.data(), 5000);
    const std::vector<SliceRef> slices = {Slice(0, 13, bytes), Slice(1, 777, bytes)};
    Recording* recording = Record({CopyStep(slices)}, bindings);
    Run(recording, bindings);
    auto want = before;
    std::copy_n(data.begin() + 13, bytes, want.begin() + 777);
    EXPECT_EQ(Get<uint8_t>(to, 0, 5000), want) << bytes;
    device_->FreeRecording(recording);
  }
  device_->Free(&from);
  device_->Free(&to);
}

TEST_P(BackendConformance, BindingsMayChangeEachTime) {
  const int n = 100;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  constexpr int kBlocks = 7;
  std::vector<Block> blocks;
  for (int i = 0; i < kBlocks; ++i) {
    blocks.push_back(Make(bytes));
    const std::vector<float> data(n, static_cast<float>(100 * i));
    Put(blocks.back(), 0, data.data(), bytes);
  }
  const std::vector<SliceRef> slices = {Slice(0, 0, bytes), Slice(1, 0, bytes)};
  Recording* recording = Record({KernelStep(kernel, slices)}, Bind({&blocks[0], &blocks[1]}));
  // A chain over all blocks, submitted without waiting: block i + 1 = block i + 1.
  Event done;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i + 1 < kBlocks; ++i) {
      const auto bindings = Bind({&blocks[i], &blocks[i + 1]});
      ASSERT_HY_OK(device_->Submit(recording, bindings.data(), 2, 0, &done));
    }
  }
  ASSERT_HY_OK(device_->Wait(done));
  for (int i = 0; i < kBlocks; ++i) {
    EXPECT_EQ(Get<float>(blocks[i], 0, n), std::vector<float>(n, static_cast<float>(i)));
  }
  // New memory may get an old handle or address: it is other memory all the same.
  for (int i = 0; i < 20; ++i) {
    device_->Free(&blocks[1]);
    blocks[1] = Make(bytes + 4 * static_cast<uint64_t>(i));
    const std::vector<float> data(n, static_cast<float>(i));
    Put(blocks[0], 0, data.data(), bytes);
    Run(recording, Bind({&blocks[0], &blocks[1]}));
    EXPECT_EQ(Get<float>(blocks[1], 0, n), std::vector<float>(n, static_cast<float>(i + 1)));
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_P(BackendConformance, BindingsHaveOffsets) {
  const int n = 64;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  Block arena = Make(8 * 256);
  std::vector<float> data(8 * 64);
  for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
  Put(arena, 0, data.data(), 8 * 256);
  const std::vector<SliceRef> slices = {Slice(0, 256, bytes), Slice(1, 0, bytes)};
  std::vector<Binding> bindings = Bind({&arena, &arena});
  bindings[0].offset = 512;  // reads at 768
  bindings[1].offset = 1536;
  Recording* recording = Record({KernelStep(kernel, slices)}, bindings);
  Run(recording, bindings);
  const auto out = Get<float>(arena, 0, data.size());
  for (int i = 0; i < n; ++i) data[6 * 64 + i] = data[3 * 64 + i] + 1.0f;
  EXPECT_EQ(out, data);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&arena);
}

TEST_P(BackendConformance, NothingToDo) {
  Block block = Make(256);
  const auto bindings = Bind({&block});
  Recording* recording = Record({}, bindings);
  ASSERT_NE(recording, nullptr);
  Run(recording, bindings);
  device_->FreeRecording(recording);
  device_->Free(&block);
}

TEST_P(BackendConformance, WrongSegmentsAreRefused) {
  const int n = 100;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  Block a = Make(bytes), b = Make(bytes);
  const auto bindings = Bind({&a, &b});
  const auto fails = [&](const std::vector<SliceRef>& slices) {
    const SegmentStep step = KernelStep(kernel, slices);
    Segment segment;
    segment.steps = &step;
    segment.num_steps = 1;
    Recording* recording = nullptr;
    const Status status = device_->Record(segment, bindings.data(), 2, &recording);
    EXPECT_FALSE(status.ok());
    EXPECT_THAT(status.message(), HasSubstr("a step"));
  };
  fails({Slice(0, 0, bytes)});                          // an argument is missing
  fails({Slice(0, 0, bytes), Slice(1, 0, bytes - 4)});  // a slice too small
  fails({Slice(0, 0, bytes), Slice(5, 0, bytes)});      // no such allocation
  // Past the block's end: told at once, or when the bindings are used.
  const std::vector<SliceRef> beyond = {Slice(0, 256, bytes), Slice(1, 0, bytes)};
  const SegmentStep step = KernelStep(kernel, beyond);
  Segment segment;
  segment.steps = &step;
  segment.num_steps = 1;
  Recording* recording = nullptr;
  Status status = device_->Record(segment, bindings.data(), 2, &recording);
  Event done;
  if (status.ok()) {
    status = device_->Submit(recording, bindings.data(), 2, 0, &done);
    device_->FreeRecording(recording);
  }
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

TEST_P(BackendConformance, ThreadsRunSideBySide) {
  const int n = 500;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  std::atomic<int> right{0};
  const auto work = [&](uint32_t stream) {
    Block a = Make(bytes), b = Make(bytes);
    const std::vector<SliceRef> ab = {Slice(0, 0, bytes), Slice(1, 0, bytes)};
    const std::vector<SliceRef> ba = {Slice(1, 0, bytes), Slice(0, 0, bytes)};
    const auto bindings = Bind({&a, &b});
    Recording* recording = Record({KernelStep(kernel, ab), KernelStep(kernel, ba)}, bindings, 3);
    for (int round = 0; round < 20; ++round) {
      const float start = static_cast<float>(stream * 100 + round);
      const std::vector<float> data(n, start);
      Put(a, 0, data.data(), bytes, stream);
      Event done;
      ASSERT_HY_OK(device_->Submit(recording, bindings.data(), 2, stream, &done));
      right += Get<float>(a, 0, n, stream) == std::vector<float>(n, start + 6.0f);
    }
    device_->FreeRecording(recording);
    device_->Free(&a);
    device_->Free(&b);
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 8; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 8 * 20);
  device_->FreeKernel(kernel);
}

INSTANTIATE_TEST_SUITE_P(Backends, BackendConformance,
                         ::testing::Values(Subject::kX86, Subject::kVulkan, Subject::kVulkanStaging,
                                           Subject::kVulkanValidation),
                         [](const ::testing::TestParamInfo<Subject>& info) {
                           switch (info.param) {
                             case Subject::kX86:
                               return "X86";
                             case Subject::kVulkan:
                               return "Vulkan";
                             case Subject::kVulkanStaging:
                               return "VulkanStaging";
                             case Subject::kVulkanValidation:
                               return "VulkanValidation";
                           }
                           return "";
                         });

}  // namespace
}  // namespace halyard::testing
