#include "runtime/cuda/cuda.h"

#include <array>
#include <thread>

#include "tests/runtime/cuda/cuda_fixture.h"

namespace halyard::runtime::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(CudaTest, DescribesTheDevice) {
  ASSERT_HY_OK(Open());
  const DeviceInfo& info = device_->info();
  EXPECT_STREQ(info.name, "a fake GPU");
  EXPECT_EQ(info.cuda_capability, 90);
  EXPECT_EQ(info.compute_units, 132u);
  EXPECT_EQ(info.max_shared_bytes, 227u << 10);
  EXPECT_EQ(info.max_grid[0], 0x7fffffffu);
  EXPECT_TRUE(info.keeps_denormals);
  EXPECT_EQ(info.max_group_registers, 65536u);
  EXPECT_EQ(info.max_thread_registers, 255u);
  EXPECT_EQ(info.unit_threads, 2048u);
  EXPECT_EQ(info.unit_groups, 32u);
  EXPECT_EQ(info.unit_shared_bytes, 228u << 10);
  EXPECT_EQ(info.unit_registers, 65536u);
  EXPECT_EQ(info.memory_bandwidth, uint64_t{2619000000} * 2 * 640);
  EXPECT_EQ(info.f32_flops, uint64_t{1980000000} * 2 * 128 * 132);
}

TEST_F(CudaTest, ReplaysAGraphWithItsDependencies) {
  ASSERT_HY_OK(Open());
  Kernel *one = nullptr, *ten = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &one));
  ASSERT_HY_OK(Load(AddSpec(10), &ten));
  Block blocks[4] = {Make(), Make(), Make(), Make(Space::kHost)};
  Binding bindings[4];
  for (int i = 0; i < 4; ++i) bindings[i].block = &blocks[i];
  // b = a + 1 and c = a + 10 do not depend on each other. a = b + 1 waits for both. The copy of a
  // waits for that, and the next round, which only reads a, runs at the same time as the copy.
  const SliceRef ab[2] = {Whole(0), Whole(1)}, ac[2] = {Whole(0), Whole(2)};
  const SliceRef ba[2] = {Whole(1), Whole(0)}, ad[2] = {Whole(0), Whole(3)};
  SegmentStep steps[4] = {KernelStep(one, ab), KernelStep(ten, ac), KernelStep(one, ba), {}};
  steps[3].kind = SegmentStep::Kind::kCopy;
  steps[3].slices = ad;
  steps[3].num_slices = 2;
  Segment segment;
  segment.steps = steps;
  segment.num_steps = 4;
  segment.repeat = 3;
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 4, &recording));
  EXPECT_THAT(fake_->node_dependencies, ElementsAre(0, 0, 2, 1, 1, 1, 3, 1, 1, 1, 3, 1));
  std::vector<float> in(kElements, 5.0f), out(kElements, 0.0f);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), blocks[0], 0, kElements * 4, 0, &done));
  ASSERT_HY_OK(device_->Submit(recording, bindings, 4, 0, &done));
  EXPECT_TRUE(fake_->launches.empty());  // nobody has waited
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(fake_->launches.size(), 9u);
  EXPECT_EQ(Calls("cuGraphInstantiateWithFlags"), 1);
  ASSERT_HY_OK(device_->Download(blocks[0], 0, kElements * 4, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out, std::vector<float>(kElements, 11.0f));
  EXPECT_EQ(static_cast<const float*>(blocks[3].host)[0], 11.0f);
  const FakeLaunch& launch = fake_->launches[0];
  EXPECT_EQ(launch.grid[0], 4u);
  EXPECT_EQ(launch.block[0], 32u);
  device_->FreeRecording(recording);
  device_->FreeKernel(one);
  device_->FreeKernel(ten);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaTest, ChangedBindingsPatchTheGraph) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  Block blocks[3] = {Make(), Make(), Make()};
  const SliceRef slices[4] = {Whole(0), Whole(1), Whole(1), Whole(0)};
  SegmentStep steps[2] = {KernelStep(kernel, slices), {}};
  steps[1].kind = SegmentStep::Kind::kCopy;
  steps[1].slices = slices + 2;
  steps[1].num_slices = 2;
  Segment segment;
  segment.steps = steps;
  segment.num_steps = 2;
  Binding bindings[2];
  bindings[0].block = &blocks[0];
  bindings[1].block = &blocks[1];
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 2, &recording));
  std::vector<float> in(kElements, 1.0f), out(kElements);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), blocks[0], 0, kElements * 4, 0, &done));
  ASSERT_HY_OK(device_->Submit(recording, bindings, 2, 0, &done));
  EXPECT_EQ(Calls("cuGraphExecKernelNodeSetParams_v2"), 0);
  bindings[1].block = &blocks[2];
  ASSERT_HY_OK(device_->Submit(recording, bindings, 2, 0, &done));
  EXPECT_EQ(Calls("cuGraphExecKernelNodeSetParams_v2"), 1);
  EXPECT_EQ(Calls("cuGraphExecMemcpyNodeSetParams"), 1);
  EXPECT_EQ(Calls("cuGraphInstantiateWithFlags"), 1);
  ASSERT_HY_OK(device_->Download(blocks[2], 0, kElements * 4, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out[0], 3.0f);  // the first run used the first buffers
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaTest, WhatADriverRefusesToChangeIsBuiltAnew) {
  for (const char* call : {"cuGraphExecKernelNodeSetParams_v2", "cuGraphExecMemcpyNodeSetParams"}) {
    for (const CUresult code : {CUDA_ERROR_INVALID_VALUE, CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE,
                                CUDA_ERROR_NOT_SUPPORTED}) {
      SCOPED_TRACE(::testing::Message() << call << " " << code);
      Reset();
      ASSERT_HY_OK(Open());
      Kernel* kernel = nullptr;
      ASSERT_HY_OK(Load(AddSpec(1), &kernel));
      Block blocks[3] = {Make(), Make(), Make()};
      const SliceRef slices[4] = {Whole(0), Whole(1), Whole(1), Whole(0)};
      SegmentStep steps[2] = {KernelStep(kernel, slices), {}};
      steps[1].kind = SegmentStep::Kind::kCopy;
      steps[1].slices = slices + 2;
      steps[1].num_slices = 2;
      Segment segment;
      segment.steps = steps;
      segment.num_steps = 2;
      Binding bindings[2];
      bindings[0].block = &blocks[0];
      bindings[1].block = &blocks[1];
      Recording* recording = nullptr;
      ASSERT_HY_OK(device_->Record(segment, bindings, 2, &recording));
      std::vector<float> in(kElements, 1.0f), out(kElements);
      Event done;
      ASSERT_HY_OK(device_->Upload(in.data(), blocks[0], 0, kElements * 4, 0, &done));
      bindings[1].block = &blocks[2];
      fake_->Fail(call, code);
      ASSERT_HY_OK(device_->Submit(recording, bindings, 2, 0, &done));
      EXPECT_EQ(Calls("cuGraphInstantiateWithFlags"), 2);
      ASSERT_HY_OK(device_->Download(blocks[2], 0, kElements * 4, out.data(), 0, &done));
      ASSERT_HY_OK(device_->Wait(done));
      EXPECT_EQ(out[kElements - 1], 2.0f);
      device_->FreeRecording(recording);
      device_->FreeKernel(kernel);
      for (Block& block : blocks) device_->Free(&block);
      device_->Destroy();
      device_ = nullptr;
    }
  }
}

TEST_F(CudaTest, ManyNodesAfterManyWaitForOneThatJoinsThem) {
  constexpr uint32_t kWidth = 5;
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  // Line 0 makes blocks 1 to 5 of block 0. The lines after it move each of them one block on, so
  // every node must wait for two of the nodes before it.
  std::vector<Block> blocks;
  std::vector<Binding> bindings(1 + 3 * kWidth);
  for (size_t i = 0; i < bindings.size(); ++i) blocks.push_back(Make());
  for (size_t i = 0; i < bindings.size(); ++i) bindings[i].block = &blocks[i];
  std::vector<std::array<SliceRef, 2>> slices;
  for (uint32_t line = 0; line < 3; ++line) {
    for (uint32_t i = 0; i < kWidth; ++i) {
      const uint32_t from = line == 0 ? 0 : 1 + (line - 1) * kWidth + (i + 1) % kWidth;
      slices.push_back({Whole(from), Whole(1 + line * kWidth + i)});
    }
  }
  std::vector<SegmentStep> steps;
  for (const auto& pair : slices) steps.push_back(KernelStep(kernel, pair.data()));
  Segment segment;
  segment.steps = steps.data();
  segment.num_steps = static_cast<uint32_t>(steps.size());
  Recording* recording = nullptr;
  const auto count = static_cast<uint32_t>(bindings.size());
  ASSERT_HY_OK(device_->Record(segment, bindings.data(), count, &recording));
  EXPECT_THAT(fake_->node_dependencies,
              ElementsAre(0, 0, 0, 0, 0, 5, 1, 1, 1, 1, 1, 5, 1, 1, 1, 1, 1));
  std::vector<float> in(kElements, 1.0f), out(kElements);
  Event done;
  ASSERT_HY_OK(device_->Upload(in.data(), blocks[0], 0, kElements * 4, 0, &done));
  ASSERT_HY_OK(device_->Submit(recording, bindings.data(), count, 0, &done));
  ASSERT_HY_OK(device_->Download(blocks.back(), 0, kElements * 4, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out[0], 4.0f);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaTest, BindingsThatOverlapInAnotherWayRebuildTheGraph) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  Block blocks[4] = {Make(), Make(), Make(), Make()};
  const SliceRef slices[4] = {Whole(0), Whole(1), Whole(2), Whole(3)};
  const SegmentStep steps[2] = {KernelStep(kernel, slices), KernelStep(kernel, slices + 2)};
  Segment segment;
  segment.steps = steps;
  segment.num_steps = 2;
  Binding bindings[4];
  for (int i = 0; i < 4; ++i) bindings[i].block = &blocks[i];
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 4, &recording));
  EXPECT_THAT(fake_->node_dependencies, ElementsAre(0, 0));
  bindings[2].block = &blocks[1];  // now the second step reads what the first writes
  Event done;
  ASSERT_HY_OK(device_->Submit(recording, bindings, 4, 0, &done));
  EXPECT_THAT(fake_->node_dependencies, ElementsAre(0, 0, 0, 1));
  ASSERT_HY_OK(device_->Wait(done));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(CudaTest, LongLoopsAreLaunchedInPieces) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  Block block = Make();
  Binding binding;
  binding.block = &block;
  const SliceRef slices[2] = {Whole(0), Whole(0)};
  const SegmentStep step = KernelStep(kernel, slices);
  Segment segment;
  segment.steps = &step;
  segment.num_steps = 1;
  segment.repeat = 5000;
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, &binding, 1, &recording));
  std::vector<float> data(kElements, 0.0f);
  Event done;
  ASSERT_HY_OK(device_->Upload(data.data(), block, 0, kElements * 4, 0, &done));
  ASSERT_HY_OK(device_->Submit(recording, &binding, 1, 0, &done));
  EXPECT_EQ(Calls("cuGraphLaunch"), 3);
  std::vector<float> out(kElements);
  ASSERT_HY_OK(device_->Download(block, 0, kElements * 4, out.data(), 0, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_EQ(out[7], 5000.0f);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&block);
}

TEST_F(CudaTest, MuchSharedMemoryIsAskedFor) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1, 40 << 10), &kernel));
  EXPECT_EQ(Calls("cuFuncSetAttribute"), 0);
  device_->FreeKernel(kernel);
  ASSERT_HY_OK(Load(AddSpec(1, 100 << 10), &kernel));
  EXPECT_EQ(Calls("cuFuncSetAttribute"), 1);
  device_->FreeKernel(kernel);
  const Status status = Load(AddSpec(1, 300 << 10), &kernel);
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("shared memory"));
}

TEST_F(CudaTest, MissingAndOldDrivers) {
  Options options;
  options.library = "/nowhere/libcuda.so.1";
  Status status = OpenDevice(0, options, &device_);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_THAT(status.message(), HasSubstr("install NVIDIA's driver"));
  fake_->driver_version = 11080;
  status = Open();
  EXPECT_EQ(status.code(), Code::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("CUDA 11.8"));
  fake_->driver_version = 12040;
  status = Open(3);
  EXPECT_EQ(status.code(), Code::kNotFound);
  fake_->capability = 50;
  EXPECT_EQ(Open().code(), Code::kUnavailable);
}

TEST_F(CudaTest, CountsDevicesOfTheNamedLibrary) {
  setenv("HALYARD_LIBCUDA", HALYARD_FAKE_LIBCUDA, 1);
  uint32_t count = 7;
  ASSERT_HY_OK(CountDevices(&count));
  EXPECT_EQ(count, 1u);
  EXPECT_STREQ(DescribeAbsence(), "");
  fake_->devices = 0;
  ASSERT_HY_OK(CountDevices(&count));
  EXPECT_EQ(count, 0u);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("no GPU"));
  setenv("HALYARD_LIBCUDA", "/nowhere/libcuda.so.1", 1);
  ASSERT_HY_OK(CountDevices(&count));
  EXPECT_EQ(count, 0u);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("/nowhere/libcuda.so.1 not found"));
  // The file exists but is no library, so the dynamic linker reports an error.
  setenv("HALYARD_LIBCUDA", HALYARD_SOURCE_DIR "/CMakeLists.txt", 1);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("does not load"));
  EXPECT_THAT(DescribeAbsence(), HasSubstr("invalid ELF header"));
  setenv("HALYARD_LIBCUDA", HALYARD_FAKE_LIBCUDA, 1);
  fake_->driver_version = 11080;
  EXPECT_THAT(DescribeAbsence(), HasSubstr("CUDA 11.8, older than 12.0"));
  fake_->driver_version = 12040;
  fake_->Fail("cuInit", CUDA_ERROR_SYSTEM_NOT_READY);
  EXPECT_THAT(DescribeAbsence(), HasSubstr("the driver is not in order: check it with"));
  unsetenv("HALYARD_LIBCUDA");
}

TEST_F(CudaTest, MemoryRunsOut) {
  fake_->memory_bytes = 1 << 20;
  for (bool pools : {true, false}) {
    fake_->memory_pools = pools;
    ASSERT_HY_OK(Open());
    Block big, small;
    ASSERT_HY_OK(device_->Allocate(900 << 10, Space::kDevice, &big));
    Status status = device_->Allocate(200 << 10, Space::kDevice, &small);
    EXPECT_EQ(status.code(), Code::kResourceExhausted);
    EXPECT_THAT(status.message(), HasSubstr("204800 bytes"));
    EXPECT_EQ(device_->Allocate(2 << 20, Space::kDevice, &small).code(), Code::kResourceExhausted);
    device_->Free(&big);
    device_->Destroy();
    device_ = nullptr;
  }
}

TEST_F(CudaTest, BadKernelsAreRefused) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  KernelObjectSpec spec = AddSpec(1);
  spec.launches[0].entry = "other";
  EXPECT_THAT(Load(spec, &kernel).message(), HasSubstr("no function other"));
  spec = AddSpec(1);
  spec.modules[0] = "no PTX at all";
  Status status = Load(spec, &kernel);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("no entry"));  // from the driver's log
  fake_->Fail("cuModuleLoadDataEx", CUDA_ERROR_NO_BINARY_FOR_GPU);
  status = Load(AddSpec(1), &kernel);
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("another architecture"));
  fake_->max_threads_per_function = 16;
  EXPECT_THAT(Load(AddSpec(1), &kernel).message(), HasSubstr("registers allow 16"));
  spec = AddSpec(1);
  spec.launches[0].block[0] = 2048;
  EXPECT_THAT(Load(spec, &kernel).message(), HasSubstr("at most 1024"));
}

TEST_F(CudaTest, ThreadsUseTheirOwnStreams) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  const auto work = [&](uint32_t stream) {
    Block in = Make(), out = Make();
    Binding bindings[2];
    bindings[0].block = &in;
    bindings[1].block = &out;
    const SliceRef slices[2] = {Whole(0), Whole(1)};
    const SegmentStep step = KernelStep(kernel, slices);
    Segment segment;
    segment.steps = &step;
    segment.num_steps = 1;
    Recording* recording = nullptr;
    ASSERT_HY_OK(device_->Record(segment, bindings, 2, &recording));
    for (int i = 0; i < 100; ++i) {
      std::vector<float> data(kElements, static_cast<float>(stream * 1000 + i)), got(kElements);
      Event done;
      ASSERT_HY_OK(device_->Upload(data.data(), in, 0, kElements * 4, stream, &done));
      ASSERT_HY_OK(device_->Submit(recording, bindings, 2, stream, &done));
      ASSERT_HY_OK(device_->Download(out, 0, kElements * 4, got.data(), stream, &done));
      while (i % 2 == 0 && !device_->IsDone(done)) {
      }
      ASSERT_HY_OK(device_->Wait(done));
      ASSERT_EQ(got[kElements - 1], data[0] + 1);
    }
    device_->FreeRecording(recording);
    device_->Free(&in);
    device_->Free(&out);
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  device_->FreeKernel(kernel);
}

}  // namespace
}  // namespace halyard::runtime::cuda
