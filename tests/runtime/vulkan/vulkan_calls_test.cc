// Tests how often the backend submits, waits, allocates, records and inserts barriers, as seen
// through the shim in front of the loader.
#include "tests/runtime/vulkan/vulkan_calls.h"

#include <dlfcn.h>

#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/program/program_spec.h"
#include "tests/backend/backend_test.h"
#include "tests/fakes/test_kernels.h"
#include "tests/fakes/vulkan_shim.h"

namespace halyard::runtime::vulkan {
namespace {

using ::halyard::testing::Bind;
using ::halyard::testing::CopyStep;
using ::halyard::testing::KernelStep;
using ::halyard::testing::Pattern;
using ::halyard::testing::Slice;
using ::testing::HasSubstr;

TEST_F(VulkanCalls, ASegmentIsOneSubmissionAndRecordedOnce) {
  Open();
  Kernel* kernel = Load();
  Block a = Make(), b = Make();
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  const std::vector<SliceRef> ba = {Slice(1, 0, kBytes), Slice(0, 0, kBytes)};
  const auto bindings = Bind({&a, &b});
  for (uint32_t repeat : {1u, 3u, 5000u}) {
    Recording* recording =
        Record({KernelStep(kernel, ab), KernelStep(kernel, ba)}, bindings, repeat);
    const int recorded = shim_->Count("vkBeginCommandBuffer");
    for (int run = 0; run < 5; ++run) {
      EXPECT_EQ(CallsIn("vkQueueSubmit", [&] { Submit(recording, bindings); }), 1) << repeat;
    }
    EXPECT_EQ(shim_->Count("vkBeginCommandBuffer"), recorded);
    device_->FreeRecording(recording);
  }
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

TEST_F(VulkanCalls, BindingsThatTakeTurnsAreRecordedOnce) {
  Open();
  Kernel* kernel = Load();
  std::vector<Block> blocks;
  for (int i = 0; i < 4; ++i) blocks.push_back(Make());
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  Recording* recording = Record({KernelStep(kernel, ab)}, Bind({&blocks[0], &blocks[1]}));
  const auto round = [&] {
    for (int i = 0; i < 4; ++i) Submit(recording, Bind({&blocks[i], &blocks[(i + 1) % 4]}));
  };
  round();
  EXPECT_EQ(CallsIn("vkBeginCommandBuffer",
                    [&] {
                      for (int i = 0; i < 10; ++i) round();
                    }),
            0);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(VulkanCalls, BarriersAreWhereBuffersDepend) {
  Open();
  Kernel* kernel = Load();
  std::vector<Block> blocks;
  for (int i = 0; i < 5; ++i) blocks.push_back(Make());
  const auto bindings = Bind({&blocks[0], &blocks[1], &blocks[2], &blocks[3], &blocks[4]});
  const auto step = [](uint32_t from, uint32_t to) {
    return std::vector<SliceRef>{Slice(from, 0, kBytes), Slice(to, 0, kBytes)};
  };
  const auto barriers = [&](const std::vector<std::vector<SliceRef>>& slices) {
    std::vector<SegmentStep> steps;
    for (const auto& s : slices) steps.push_back(KernelStep(kernel, s));
    Recording* recording = nullptr;
    const int count = CallsIn("vkCmdPipelineBarrier", [&] { recording = Record(steps, bindings); });
    device_->FreeRecording(recording);
    return count - 2;  // without those at the start, and at the end for the CPU
  };
  EXPECT_EQ(barriers({step(0, 1)}), 0);
  EXPECT_EQ(barriers({step(0, 1), step(0, 2), step(0, 3), step(0, 4)}), 0);
  EXPECT_EQ(barriers({step(0, 1), step(1, 2), step(2, 3), step(3, 4)}), 3);
  EXPECT_EQ(barriers({step(0, 1), step(2, 3), step(1, 2), step(3, 4)}), 1);
  EXPECT_EQ(barriers({step(0, 1), step(0, 1)}), 1);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(VulkanCalls, CopiesDoNotWaitForTheDevice) {
  options_.force_staging = true;
  Open();
  Kernel* kernel = Load();
  Block a = Make(), b = Make(), other = Make(3 << 20);
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  const auto bindings = Bind({&a, &b});
  Recording* recording = Record({KernelStep(kernel, ab)}, bindings, 2000);
  const auto data = Pattern(3 << 20, 1);
  std::vector<uint8_t> out(data.size());
  Event done;
  EXPECT_EQ(CallsIn("vkWaitSemaphores",
                    [&] {
                      Submit(recording, bindings);
                      for (int i = 0; i < 3; ++i) {
                        ASSERT_HY_OK(device_->Upload(data.data(), other, 0, data.size(), 0, &done));
                        ASSERT_HY_OK(device_->Download(other, 0, out.size(), out.data(), 0, &done));
                      }
                    }),
            0);
  EXPECT_NE(done.id, 0u);
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, data);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block* block : {&a, &b, &other}) device_->Free(block);
}

TEST_F(VulkanCalls, BlocksThatTheCpuReachesAreCopiedWithoutWaiting) {
  Open();
  if (!device_->info().software) GTEST_SKIP() << "this device's memory is its own";
  Kernel* kernel = Load();
  Block a = Make(), b = Make();
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  const auto bindings = Bind({&a, &b});
  Recording* recording = Record({KernelStep(kernel, ab)}, bindings, 2000);
  std::vector<float> in(kElements, 4.0f), out(kElements);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), a, 0, kBytes, 0, &done));
  EXPECT_EQ(done.id, 0u) << "nothing uses the block: it is done at once";
  EXPECT_EQ(CallsIn("vkWaitSemaphores",
                    [&] {
                      Submit(recording, bindings);
                      ASSERT_HY_OK(device_->Download(b, 0, kBytes, out.data(), 0, &done));
                      // The next run must not write `b` before this download has read it.
                      const std::vector<float> next(kElements, 70.0f);
                      Event uploaded;
                      ASSERT_HY_OK(device_->Upload(next.data(), a, 0, kBytes, 0, &uploaded));
                    }),
            0);
  Submit(recording, bindings);
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, std::vector<float>(kElements, 5.0f));
  ASSERT_HY_OK(device_->Download(b, 0, kBytes, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, std::vector<float>(kElements, 71.0f));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

TEST_F(VulkanCalls, StagingIsBounded) {
  options_.force_staging = true;
  Open();
  const uint64_t bytes = uint64_t{200} << 20;
  Block block = Make(bytes);
  const auto data = Pattern(bytes, 9);
  std::vector<uint8_t> out(bytes);
  Event done;
  ASSERT_HY_OK(device_->Upload(data.data(), block, 0, bytes, 0, &done));
  ASSERT_HY_OK(device_->Download(block, 0, bytes, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, data);
  EXPECT_LE(device_->memory_use(Space::kHost).own_bytes, uint64_t{128} << 20);
  device_->Free(&block);
}

TEST_F(VulkanCalls, ManyBuffersAreFewAllocations) {
  Open();
  std::vector<Block> blocks;
  EXPECT_LE(CallsIn("vkAllocateMemory",
                    [&] {
                      for (int i = 0; i < 3000; ++i) blocks.push_back(Make(1000));
                    }),
            1);
  for (Block& block : blocks) device_->Free(&block);
  // Large blocks are allocated individually, and freed at once.
  EXPECT_EQ(CallsIn("vkFreeMemory",
                    [&] {
                      Block large = Make(100 << 20);
                      device_->Free(&large);
                    }),
            1);
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 0u);
}

TEST_F(VulkanCalls, FewAllocationsAreNotExceeded) {
  shim_->max_memory_allocations = 3;
  Open();
  std::vector<Block> blocks;
  Status status;
  for (int i = 0; i < 10 && status.ok(); ++i) {
    Block block;
    status = device_->Allocate(40 << 20, Space::kDevice, &block);
    if (status.ok()) blocks.push_back(block);
  }
  EXPECT_EQ(blocks.size(), 3u);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("3 pieces"));
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(VulkanCalls, StreamsSpreadOverQueuesAndCopiesHaveTheirOwn) {
  options_.force_staging = true;
  shim_->compute_queues = 2;
  shim_->transfer_family = true;
  Open();
  Kernel* kernel = Load();
  Block a = Make(), b = Make();
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  const auto bindings = Bind({&a, &b});
  Recording* recording = Record({KernelStep(kernel, ab)}, bindings);
  const std::vector<float> in(kElements, 1.0f);
  std::vector<float> out(kElements);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), a, 0, kBytes, 1, &done));
  Submit(recording, bindings, 1);
  ASSERT_HY_OK(device_->Download(b, 0, kBytes, out.data(), 1, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, std::vector<float>(kElements, 2.0f));
  Submit(recording, bindings, 0);
  ASSERT_EQ(shim_->submissions.size(), 4u);
  const auto& list = shim_->submissions;
  EXPECT_NE(list[0].family, list[1].family);  // upload, run
  EXPECT_EQ(list[0].family, list[2].family);  // download
  EXPECT_EQ(list[1].queue, 1u);
  EXPECT_EQ(list[3].queue, 0u);
  EXPECT_THAT(list[0].waits, ::testing::IsEmpty());
  EXPECT_THAT(list[1].waits, ::testing::ElementsAre(list[0].signal));
  EXPECT_THAT(list[2].waits, ::testing::ElementsAre(list[1].signal));
  // Work on other queues that the CPU has seen complete is also made visible to this queue.
  EXPECT_THAT(list[3].waits, ::testing::Contains(list[2].signal));
  EXPECT_GT(list[2].signal, list[1].signal);
  ASSERT_HY_OK(device_->Wait({done.id}));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

TEST_F(VulkanCalls, StepsAreTimedWithoutTimestampsToo) {
  shim_->timestamps = false;
  Open();
  Kernel* kernel = Load();
  Block a = Make(), b = Make();
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  const std::vector<SliceRef> ba = {Slice(1, 0, kBytes), Slice(0, 0, kBytes)};
  const auto bindings = Bind({&a, &b});
  Recording* recording = Record({KernelStep(kernel, ab), CopyStep(ba)}, bindings, 2);
  StepSpan spans[2];
  const std::vector<float> in(kElements, 1.0f);
  std::vector<float> out(kElements);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), a, 0, kBytes, 0, &done));
  const uint64_t before = MonotonicNanoseconds();
  ASSERT_HY_OK(device_->SubmitTimed(recording, bindings.data(), 2, 0, spans));
  EXPECT_GE(spans[0].begin_ns, before);
  EXPECT_GT(spans[0].end_ns, spans[0].begin_ns);
  EXPECT_GE(spans[1].begin_ns, spans[0].end_ns);
  ASSERT_HY_OK(device_->Download(a, 0, kBytes, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, std::vector<float>(kElements, 3.0f));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

TEST_F(VulkanCalls, TheFirstLossIsWhatIsTold) {
  Open();
  Kernel* kernel = Load();
  Block a = Make(), b = Make();
  const std::vector<SliceRef> ab = {Slice(0, 0, kBytes), Slice(1, 0, kBytes)};
  const auto bindings = Bind({&a, &b});
  Recording* recording = Record({KernelStep(kernel, ab)}, bindings);
  const Event done = Submit(recording, bindings);
  shim_->Fail("vkWaitSemaphores", VK_ERROR_DEVICE_LOST);
  Status status = device_->Wait(done);
  // Either the work was already seen as done, or the wait finds the device lost.
  if (!status.ok()) {
    EXPECT_EQ(status.code(), Code::kUnavailable);
    EXPECT_THAT(status.message(), HasSubstr("vkWaitSemaphores"));
    EXPECT_THAT(status.message(), HasSubstr("waiting for the device"));
    Event again;
    status = device_->Submit(recording, bindings.data(), 2, 0, &again);
    EXPECT_EQ(status.code(), Code::kUnavailable);
    EXPECT_THAT(status.message(), HasSubstr("vkWaitSemaphores"));
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

}  // namespace
}  // namespace halyard::runtime::vulkan
