// Copies that do not block the host, shared modules, counted memory, timed steps, several devices
// and threads.
#include <time.h>

#include <memory>
#include <thread>

#include "runtime/hash.h"
#include "tests/runtime/cuda/cuda_fixture.h"

namespace halyard::runtime::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CudaAsyncTest : public CudaTest {
 protected:
  // Returns whether nothing that waits for the device has been called.
  bool NobodyWaited() const {
    return Calls("cuStreamSynchronize") == waits_ && Calls("cuEventSynchronize") == 0;
  }
  void StartCounting() { waits_ = Calls("cuStreamSynchronize"); }
  int waits_ = 0;
};

TEST_F(CudaAsyncTest, LargeCopiesOfPageableMemoryReturnAtOnce) {
  ASSERT_HY_OK(Open());
  constexpr uint64_t kBytes = (21 << 20) + 4;
  Block block;
  ASSERT_HY_OK(device_->Allocate(kBytes, Space::kDevice, &block));
  std::vector<float> in(kBytes / 4), out(kBytes / 4, 0.0f);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(i);
  StartCounting();
  Event up, down;
  ASSERT_HY_OK(device_->Upload(in.data(), block, 0, kBytes, 0, &up));
  ASSERT_HY_OK(device_->Download(block, 0, kBytes, out.data(), 0, &down));
  EXPECT_TRUE(NobodyWaited());
  EXPECT_EQ(out[100], 0.0f);
  ASSERT_HY_OK(device_->Wait(down));
  EXPECT_EQ(out, in);
  EXPECT_TRUE(device_->IsDone(up));
  EXPECT_EQ(Calls("cuMemHostAlloc"), 1);  // one ring serves all copies of a stream
  device_->Free(&block);
}

// As long as the ring has free pieces: an upload and a download take one each of its four. After
// them, the host's memory is read when the stream gets there.
TEST_F(CudaAsyncTest, SmallUploadsAreTakenAtOnce) {
  constexpr int kCopies = 20, kTaken = 2;
  ASSERT_HY_OK(Open());
  Block block = Make();
  std::vector<std::vector<float>> out(kCopies, std::vector<float>(kElements));
  Event done;
  for (int i = 0; i < kCopies; ++i) {
    std::vector<float> in(kElements, static_cast<float>(i));
    ASSERT_HY_OK(device_->Upload(in.data(), block, 0, kElements * 4, 0, &done));
    if (i < kTaken) in.assign(kElements, -1.0f);
    ASSERT_HY_OK(device_->Download(block, 0, kElements * 4, out[i].data(), 0, &done));
    if (i >= kTaken) ASSERT_HY_OK(device_->Wait(done));
  }
  for (int i = 0; i < kCopies; ++i) EXPECT_EQ(out[i][3], static_cast<float>(i));
  device_->Free(&block);
}

TEST_F(CudaAsyncTest, PinnedMemoryIsCopiedDirectly) {
  ASSERT_HY_OK(Open());
  Block block = Make(), pinned = Make(Space::kHost);
  static_cast<float*>(pinned.host)[0] = 5.0f;
  Event done;
  ASSERT_HY_OK(device_->Upload(pinned.host, block, 0, 4, 0, &done));
  ASSERT_HY_OK(device_->Download(block, 0, 4, static_cast<float*>(pinned.host) + 1, 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(static_cast<float*>(pinned.host)[1], 5.0f);
  EXPECT_EQ(Calls("cuLaunchHostFunc"), 0);
  EXPECT_EQ(device_->memory_use(Space::kHost).own_bytes, 0u);
  device_->Free(&block);
  device_->Free(&pinned);
}

TEST_F(CudaAsyncTest, CopiesOfHostBlocksKeepTheStreamsOrder) {
  ASSERT_HY_OK(Open());
  Block block = Make(), pinned = Make(Space::kHost);
  std::vector<float> in(kElements, 3.0f), out(kElements, 0.0f);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), pinned, 0, kElements * 4, 0, &done));
  EXPECT_EQ(done.id, 0u);  // done, because the stream is idle
  ASSERT_HY_OK(device_->Upload(in.data(), block, 0, kElements * 4, 0, &done));
  StartCounting();
  ASSERT_HY_OK(device_->Download(pinned, 0, kElements * 4, out.data(), 0, &done));
  EXPECT_EQ(out[0], 0.0f);  // ordered after the upload
  EXPECT_TRUE(NobodyWaited());
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, in);
  device_->Free(&block);
  device_->Free(&pinned);
}

TEST_F(CudaAsyncTest, EqualKernelsShareTheirModule) {
  ASSERT_HY_OK(Open());
  Kernel *first = nullptr, *second = nullptr, *other = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &first));
  ASSERT_HY_OK(Load(AddSpec(1), &second));
  ASSERT_HY_OK(Load(AddSpec(2), &other));
  EXPECT_EQ(Calls("cuModuleLoadDataEx"), 2);
  for (const CUjit_option option : fake_->jit_options) EXPECT_NE(option, CU_JIT_MAX_REGISTERS);
  device_->FreeKernel(first);
  EXPECT_EQ(Calls("cuModuleUnload"), 0);
  device_->FreeKernel(second);
  EXPECT_EQ(Calls("cuModuleUnload"), 1);
  device_->FreeKernel(other);
}

// Changes two words so that Hash64 stays the same. They enter the same lane of the hash in
// consecutive steps. The first change flips one bit of the lane, which the rotation and an odd
// factor turn into its highest bit, and the second change flips that bit again.
std::string WithEqualHash(std::string bytes, size_t at) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;  // hash.cc's kA
  uint64_t inverse = kFactor;
  for (int i = 0; i < 5; ++i) inverse *= 2 - kFactor * inverse;
  const std::pair<size_t, uint64_t> changes[] = {{at, uint64_t{1} << 34},
                                                 {at + 32, uint64_t{1} << 63}};
  for (const auto& [position, bit] : changes) {
    uint64_t word;
    std::memcpy(&word, &bytes[position], sizeof(word));
    word = ((word * kFactor) ^ bit) * inverse;
    std::memcpy(&bytes[position], &word, sizeof(word));
  }
  return bytes;
}

TEST_F(CudaAsyncTest, KernelsOfEqualHashesAreNotShared) {
  KernelObjectSpec spec = AddSpec(1);
  spec.modules[0] += "//" + std::string(128, 'x');
  const std::string one = WriteKernelObject(spec);
  // The changed words are in the PTX comment, where their bytes have no meaning.
  const size_t at = (one.find(std::string(128, 'x')) + 7) / 8 * 8;
  const std::string two = WithEqualHash(one, at);
  ASSERT_NE(one, two);
  ASSERT_EQ(Hash64(one.data(), one.size()), Hash64(two.data(), two.size()));
  ASSERT_HY_OK(Open());
  Kernel* kernels[2] = {};
  for (int i = 0; i < 2; ++i) {
    const std::string& bytes = i == 0 ? one : two;
    KernelObjectView view;
    // The checksums are also equal.
    ASSERT_HY_OK(
        ParseKernelObject({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view));
    ASSERT_HY_OK(device_->LoadKernel(view, &kernels[i]));
  }
  EXPECT_NE(kernels[0], kernels[1]);
  EXPECT_EQ(Calls("cuModuleLoadDataEx"), 2);
  for (Kernel* kernel : kernels) device_->FreeKernel(kernel);
}

TEST_F(CudaAsyncTest, ThreadsThatLoadTheSameKernelLoadItOnce) {
  ASSERT_HY_OK(Open());
  std::vector<std::thread> threads;
  std::vector<Kernel*> kernels(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const Status status = Load(AddSpec(static_cast<float>(i % 2)), &kernels[i]);
      EXPECT_TRUE(status.ok()) << status.message();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Calls("cuModuleLoadDataEx"), 2);
  EXPECT_EQ(kernels[0], kernels[2]);
  EXPECT_NE(kernels[0], kernels[1]);
  for (Kernel* kernel : kernels) device_->FreeKernel(kernel);
}

TEST_F(CudaAsyncTest, LaunchesOfOneFunctionShareItsLargestSharedMemory) {
  ASSERT_HY_OK(Open());
  KernelObjectSpec spec = AddSpec(1, 200 << 10);
  spec.launches.push_back(spec.launches[0]);
  spec.launches[1].shared_bytes = 100 << 10;
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(spec, &kernel));
  Block blocks[2] = {Make(), Make()};
  Binding bindings[2];
  for (int i = 0; i < 2; ++i) bindings[i].block = &blocks[i];
  const SliceRef slices[2] = {Whole(0), Whole(1)};
  const SegmentStep step = KernelStep(kernel, slices);
  Segment segment;
  segment.steps = &step;
  segment.num_steps = 1;
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 2, &recording));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaAsyncTest, MemoryIsCountedWithItsPadding) {
  ASSERT_HY_OK(Open());
  Block a, b, c;
  ASSERT_HY_OK(device_->Allocate(1, Space::kDevice, &a));
  ASSERT_HY_OK(device_->Allocate(257, Space::kDevice, &b));
  ASSERT_HY_OK(device_->Allocate(256, Space::kHost, &c));
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 768u);
  EXPECT_EQ(device_->memory_use(Space::kHost).bytes, 256u);
  device_->Free(&b);
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 256u);
  EXPECT_EQ(device_->memory_use(Space::kDevice).peak_bytes, 768u);
  Event done;
  float value = 0;
  ASSERT_HY_OK(device_->Upload(&value, a, 0, 1, 0, &done));
  EXPECT_GT(device_->memory_use(Space::kHost).own_bytes, 0u);  // that of the staging ring
  ASSERT_HY_OK(device_->Wait(done));
  device_->Free(&a);
  device_->Free(&c);
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 0u);
  EXPECT_EQ(device_->memory_use(Space::kHost).bytes, 0u);
}

uint64_t Now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<uint64_t>(time.tv_sec) * 1000000000 + static_cast<uint64_t>(time.tv_nsec);
}

void SlowAdd(const FakeLaunch& launch) {
  const timespec pause = {0, 2000000};
  nanosleep(&pause, nullptr);
  RunAdd(launch);
}

TEST_F(CudaAsyncTest, StepsAreTimedByTheDevice) {
  ASSERT_HY_OK(Open());
  fake_->kernel = SlowAdd;
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  Block blocks[3] = {Make(), Make(), Make()};
  Binding bindings[3];
  for (int i = 0; i < 3; ++i) bindings[i].block = &blocks[i];
  const SliceRef slices[6] = {Whole(0), Whole(1), Whole(1), Whole(2), Whole(1), Whole(0)};
  SegmentStep steps[4] = {KernelStep(kernel, slices), {}, {}, KernelStep(kernel, slices + 4)};
  SliceRef nothing[2] = {};
  steps[1].kind = steps[2].kind = SegmentStep::Kind::kCopy;
  steps[1].slices = slices + 2;
  steps[2].slices = nothing;  // of no bytes, so there is no command
  steps[1].num_slices = steps[2].num_slices = 2;
  Segment segment;
  segment.steps = steps;
  segment.num_steps = 4;
  segment.repeat = 3;
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 3, &recording));
  std::vector<float> data(kElements, 1.0f);
  Event done;
  ASSERT_HY_OK(device_->Upload(data.data(), blocks[0], 0, kElements * 4, 0, &done));
  const uint64_t before = Now();
  StepSpan spans[4];
  ASSERT_HY_OK(device_->SubmitTimed(recording, bindings, 3, 0, spans));
  const uint64_t after = Now();
  uint64_t at = before;
  for (const StepSpan& span : spans) {
    EXPECT_GE(span.begin_ns, at);
    EXPECT_GE(span.end_ns, span.begin_ns);
    at = span.end_ns;
  }
  EXPECT_LE(at, after);
  EXPECT_GE(spans[0].end_ns - spans[0].begin_ns, 1900000u);
  EXPECT_GE(spans[3].end_ns - spans[3].begin_ns, 1900000u);
  EXPECT_EQ(spans[2].begin_ns, spans[2].end_ns);
  EXPECT_GE(spans[0].begin_ns, before + 4 * 1900000u);  // in the last of three rounds
  ASSERT_HY_OK(device_->Download(blocks[0], 0, kElements * 4, data.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(data[0], 7.0f);  // the work was done, too
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaAsyncTest, OnlyNodesOfChangedBuffersArePatched) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  Block blocks[5] = {Make(), Make(), Make(), Make(), Make()};
  Binding bindings[4];
  for (int i = 0; i < 4; ++i) bindings[i].block = &blocks[i];
  const SliceRef slices[6] = {Whole(0), Whole(1), Whole(1), Whole(2), Whole(2), Whole(3)};
  const SegmentStep steps[3] = {KernelStep(kernel, slices), KernelStep(kernel, slices + 2),
                                KernelStep(kernel, slices + 4)};
  Segment segment;
  segment.steps = steps;
  segment.num_steps = 3;
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 4, &recording));
  bindings[3].block = &blocks[4];
  Event done;
  ASSERT_HY_OK(device_->Submit(recording, bindings, 4, 0, &done));
  EXPECT_EQ(Calls("cuGraphExecKernelNodeSetParams_v2"), 1);
  ASSERT_HY_OK(device_->Submit(recording, bindings, 4, 0, &done));
  EXPECT_EQ(Calls("cuGraphExecKernelNodeSetParams_v2"), 1);
  EXPECT_EQ(Calls("cuGraphInstantiateWithFlags"), 1);
  ASSERT_HY_OK(device_->Wait(done));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaAsyncTest, SeveralDevicesAndThreadsAtOnce) {
  fake_->devices = 3;
  Device* devices[3] = {};
  Options options;
  options.library = HALYARD_FAKE_LIBCUDA;
  for (uint32_t i = 0; i < 3; ++i) ASSERT_HY_OK(OpenDevice(i, options, &devices[i]));
  const auto work = [&](Device* device, uint32_t stream) {
    const std::string bytes = WriteKernelObject(AddSpec(1));
    KernelObjectView view;
    ASSERT_HY_OK(
        ParseKernelObject({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view));
    Kernel* kernel = nullptr;
    ASSERT_HY_OK(device->LoadKernel(view, &kernel));
    Block blocks[2];
    Binding bindings[2];
    for (int i = 0; i < 2; ++i) {
      ASSERT_HY_OK(device->Allocate(kElements * 4, Space::kDevice, &blocks[i]));
      bindings[i].block = &blocks[i];
    }
    const SliceRef slices[2] = {Whole(0), Whole(1)};
    const SegmentStep step = KernelStep(kernel, slices);
    Segment segment;
    segment.steps = &step;
    segment.num_steps = 1;
    Recording* recording = nullptr;
    ASSERT_HY_OK(device->Record(segment, bindings, 2, &recording));
    for (int i = 0; i < 30; ++i) {
      std::vector<float> data(kElements, static_cast<float>(stream * 1000 + i)), got(kElements);
      Event done;
      ASSERT_HY_OK(device->Upload(data.data(), blocks[0], 0, kElements * 4, stream, &done));
      StepSpan span;
      if (i % 10 == 0) ASSERT_HY_OK(device->SubmitTimed(recording, bindings, 2, stream, &span));
      if (i % 10 != 0) ASSERT_HY_OK(device->Submit(recording, bindings, 2, stream, &done));
      ASSERT_HY_OK(device->Download(blocks[1], 0, kElements * 4, got.data(), stream, &done));
      while (i % 2 == 0 && !device->IsDone(done)) {
      }
      ASSERT_HY_OK(device->Wait(done));
      ASSERT_EQ(got[kElements - 1], data[0] + 1);
    }
    device->FreeRecording(recording);
    device->FreeKernel(kernel);
    for (Block& block : blocks) device->Free(&block);
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 12; ++i) threads.emplace_back(work, devices[i % 3], i / 3);
  for (std::thread& thread : threads) thread.join();
  for (Device* device : devices) device->Destroy();
  EXPECT_THAT(fake_->violations, IsEmpty());
}

TEST_F(CudaAsyncTest, StreamsAreOrderedWithoutWaiting) {
  ASSERT_HY_OK(Open());
  Block block = Make(), pinned = Make(Space::kHost);
  std::vector<float> in(kElements, 9.0f), out(kElements, 0.0f), host(kElements, 0.0f);
  Event up, down, done;
  ASSERT_HY_OK(device_->Upload(in.data(), block, 0, kElements * 4, 1, &up));
  StartCounting();
  ASSERT_HY_OK(device_->Order(up, 2));
  ASSERT_HY_OK(device_->Order(up, 1));  // its own stream, so there is nothing to do
  ASSERT_HY_OK(device_->Order(Event(), 3));
  ASSERT_HY_OK(device_->Download(block, 0, kElements * 4, out.data(), 2, &down));
  EXPECT_TRUE(NobodyWaited());
  EXPECT_EQ(Calls("cuEventQuery"), 0);
  ASSERT_HY_OK(device_->Wait(down));
  EXPECT_EQ(out, in);
  EXPECT_TRUE(device_->IsDone(up));
  // A stream that is ordered after other work is not idle, even if it has no work of its own.
  ASSERT_HY_OK(device_->Upload(in.data(), block, 0, 4, 1, &up));
  ASSERT_HY_OK(device_->Order(up, 4));
  ASSERT_HY_OK(device_->Upload(in.data(), pinned, 0, 4, 4, &done));
  EXPECT_NE(done.id, 0u);
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_TRUE(device_->IsDone(up));
  device_->Free(&block);
  device_->Free(&pinned);
}

TEST_F(CudaAsyncTest, FullMemoryIsToldWithWhatIsUsed) {
  fake_->memory_bytes = 1 << 20;
  ASSERT_HY_OK(Open());
  Block big, small;
  ASSERT_HY_OK(device_->Allocate(900 << 10, Space::kDevice, &big));
  const Status status = device_->Allocate(200 << 10, Space::kDevice, &small);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("921600 used here"));
  EXPECT_THAT(status.message(), HasSubstr("smaller batch"));
  EXPECT_EQ(Calls("cuMemPoolTrimTo"), 1);
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 921600u);
  device_->Free(&big);
}

}  // namespace
}  // namespace halyard::runtime::cuda
