// Segments: kernels and copies that are recorded, then run again, with other bindings, and by many
// threads.
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/backend/backend_test.h"
#include "tests/fakes/test_kernels.h"

namespace halyard::testing {
namespace {

using runtime::Binding;
using runtime::Block;
using runtime::Code;
using runtime::Event;
using runtime::Kernel;
using runtime::Recording;
using runtime::Segment;
using runtime::SegmentStep;
using runtime::SliceRef;
using runtime::Space;
using runtime::Status;
using ::testing::HasSubstr;

class BackendLaunch : public BackendTest {};

TEST_P(BackendLaunch, KernelsOfOddSizesLeaveTheRestAlone) {
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

TEST_P(BackendLaunch, ReplaysSeeNewInputs) {
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

TEST_P(BackendLaunch, DependentStepsKeepTheirOrder) {
  const int n = 300;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  // One arena with three slices, and an output: steps read after write, write after read, and write
  // after write.
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

TEST_P(BackendLaunch, CopyStepsOfOddSizes) {
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

TEST_P(BackendLaunch, BindingsMayChangeEachTime) {
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
  // A chain over all blocks, submitted without waiting: each block is the previous one plus 1.
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
  // New memory may get an old handle or address, but is different memory.
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

TEST_P(BackendLaunch, BindingsHaveOffsets) {
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

TEST_P(BackendLaunch, NothingToDo) {
  Block block = Make(256);
  const auto bindings = Bind({&block});
  Recording* recording = Record({}, bindings);
  ASSERT_NE(recording, nullptr);
  Run(recording, bindings);
  device_->FreeRecording(recording);
  device_->Free(&block);
}

TEST_P(BackendLaunch, ThreadsRunSideBySide) {
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

// A donated argument becomes the very result to which it was to be copied.
TEST_P(BackendLaunch, CopiesOntoThemselvesChangeNothing) {
  Block block = Make(3000), other = Make(3000);
  const auto data = Pattern(3000, 8);
  Put(block, 0, data.data(), 3000);
  const std::vector<SliceRef> slices = {Slice(0, 256, 1000), Slice(1, 256, 1000)};
  Recording* recording = Record({CopyStep(slices)}, Bind({&block, &other}));
  const Block same = block;  // another Block for the same memory, as the executor makes it
  Run(recording, Bind({&block, &same}));
  EXPECT_EQ(Get<uint8_t>(block, 0, 3000), data);
  device_->FreeRecording(recording);
  device_->Free(&block);
  device_->Free(&other);
}

// Threads take turns on streams, and several threads share each stream.
TEST_P(BackendLaunch, StreamsAreOrderedAcrossThreads) {
  const int n = 200;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  constexpr int kThreads = 6, kRounds = 10;
  Block a = Make(bytes);
  const std::vector<float> zero(n, 0.0f);
  Put(a, 0, zero.data(), bytes);
  // One chain over all threads, each with its own stream, ordered by events.
  std::mutex mutex;
  Event last;
  const std::vector<SliceRef> slices = {Slice(0, 0, bytes), Slice(1, 0, bytes)};
  const auto bindings = Bind({&a, &a});
  const auto work = [&](uint32_t stream) {
    Recording* recording = Record({KernelStep(kernel, slices)}, bindings);
    for (int round = 0; round < kRounds; ++round) {
      const std::lock_guard<std::mutex> lock(mutex);
      ASSERT_HY_OK(device_->Order(last, stream));
      ASSERT_HY_OK(device_->Submit(recording, bindings.data(), 2, stream, &last));
    }
    ASSERT_HY_OK(device_->Wait(last));
    device_->FreeRecording(recording);
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  ASSERT_HY_OK(device_->Order(last, 17));
  EXPECT_EQ(Get<float>(a, 0, n, 17), std::vector<float>(n, kThreads * kRounds));
  device_->FreeKernel(kernel);
  device_->Free(&a);
}

// More runs are in flight than a backend keeps recordings, and the data that each run reads is
// changed after it.
TEST_P(BackendLaunch, ManyRunsInFlight) {
  const int n = 300;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  constexpr int kRuns = 40;
  Block in = Make(bytes);
  std::vector<Block> outs;
  for (int i = 0; i < kRuns; ++i) outs.push_back(Make(bytes));
  const std::vector<SliceRef> slices = {Slice(0, 0, bytes), Slice(1, 0, bytes)};
  Recording* recording = Record({KernelStep(kernel, slices)}, Bind({&in, &outs[0]}));
  std::vector<std::vector<float>> data, results(kRuns);
  for (int i = 0; i < kRuns; ++i) data.emplace_back(n, static_cast<float>(i * 10));
  Event done;
  for (int i = 0; i < kRuns; ++i) {
    results[i].resize(n);
    ASSERT_HY_OK(device_->Upload(data[i].data(), in, 0, bytes, 1, &done));
    const auto bindings = Bind({&in, &outs[i]});
    ASSERT_HY_OK(device_->Submit(recording, bindings.data(), 2, 1, &done));
    ASSERT_HY_OK(device_->Download(outs[i], 0, bytes, results[i].data(), 1, &done));
  }
  ASSERT_HY_OK(device_->Wait(done));
  for (int i = 0; i < kRuns; ++i) {
    EXPECT_EQ(results[i], std::vector<float>(n, static_cast<float>(i * 10 + 1))) << i;
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&in);
  for (Block& out : outs) device_->Free(&out);
}

TEST_P(BackendLaunch, TimedStepsAreInOrderAndOnTheClock) {
  const int n = 5000;
  const uint64_t bytes = n * sizeof(float);
  Kernel* kernel = Load(Increment(n, device_->info()));
  ASSERT_NE(kernel, nullptr);
  Block arena = Make(2 * 20480), out = Make(bytes);
  const std::vector<float> zero(n, 0.0f);
  const std::vector<SliceRef> ab = {Slice(0, 0, bytes), Slice(0, 20480, bytes)};
  const std::vector<SliceRef> ba = {Slice(0, 20480, bytes), Slice(0, 0, bytes)};
  const std::vector<SliceRef> save = {Slice(0, 0, bytes), Slice(1, 0, bytes)};
  const std::vector<SliceRef> nothing = {Slice(0, 0, 0), Slice(1, 0, 0)};
  const auto bindings = Bind({&arena, &out});
  for (uint32_t repeat : {1u, 3u}) {
    Put(arena, 0, zero.data(), bytes);
    Recording* recording =
        Record({KernelStep(kernel, ab), CopyStep(nothing), KernelStep(kernel, ba), CopyStep(save)},
               bindings, repeat);
    runtime::StepSpan spans[4];
    const uint64_t before = runtime::MonotonicNanoseconds();
    ASSERT_HY_OK(device_->SubmitTimed(recording, bindings.data(), 2, 0, spans));
    const uint64_t after = runtime::MonotonicNanoseconds();
    // SubmitTimed has waited, and the work was done.
    EXPECT_EQ(Get<float>(out, 0, n), std::vector<float>(n, 2.0f * static_cast<float>(repeat)));
    uint64_t last = before - 1'000'000;  // clocks are aligned to better than a millisecond
    for (const runtime::StepSpan& span : spans) {
      EXPECT_GE(span.begin_ns, last);
      EXPECT_GE(span.end_ns, span.begin_ns);
      last = span.end_ns;
    }
    EXPECT_LE(last, after + 1'000'000);
    EXPECT_GT(spans[0].end_ns, spans[0].begin_ns);
    // The recording can still be used.
    Run(recording, bindings);
    EXPECT_EQ(Get<float>(out, 0, n), std::vector<float>(n, 4.0f * static_cast<float>(repeat)));
    device_->FreeRecording(recording);
  }
  device_->FreeKernel(kernel);
  device_->Free(&arena);
  device_->Free(&out);
}

HALYARD_ON_ALL_BACKENDS(BackendLaunch);

}  // namespace
}  // namespace halyard::testing
