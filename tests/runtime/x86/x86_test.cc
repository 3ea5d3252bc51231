#include "runtime/x86/x86.h"

#include <Halide.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "runtime/x86/cpu.h"
#include "runtime/x86/halide_abi.h"
#include "runtime/x86/kernel_runtime.h"
#include "tests/runtime/x86/test_kernels.h"

namespace halyard::runtime::x86 {
namespace {

using halyard::testing::MakeKernel;
using halyard::testing::MultiplyAddKernel;

static_assert(sizeof(HalideBuffer) == sizeof(halide_buffer_t));
static_assert(offsetof(HalideBuffer, device_interface) ==
              offsetof(halide_buffer_t, device_interface));
static_assert(offsetof(HalideBuffer, host) == offsetof(halide_buffer_t, host));
static_assert(offsetof(HalideBuffer, flags) == offsetof(halide_buffer_t, flags));
static_assert(offsetof(HalideBuffer, type) == offsetof(halide_buffer_t, type));
static_assert(offsetof(HalideBuffer, dimensions) == offsetof(halide_buffer_t, dimensions));
static_assert(offsetof(HalideBuffer, dim) == offsetof(halide_buffer_t, dim));
static_assert(offsetof(HalideBuffer, padding) == offsetof(halide_buffer_t, padding));
static_assert(sizeof(HalideType) == sizeof(halide_type_t) && offsetof(HalideType, bits) == 1 &&
              offsetof(HalideType, lanes) == offsetof(halide_type_t, lanes));
static_assert(sizeof(HalideDimension) == sizeof(halide_dimension_t) &&
              offsetof(HalideDimension, stride) == offsetof(halide_dimension_t, stride) &&
              offsetof(HalideDimension, flags) == offsetof(halide_dimension_t, flags));

class X86Test : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(OpenDeviceWithThreads(3, &device_).ok()); }
  void TearDown() override { device_->Destroy(); }

  Kernel* Load(const std::string& object) {
    KernelObjectView view;
    Status status =
        ParseKernelObject({reinterpret_cast<const uint8_t*>(object.data()), object.size()}, &view);
    EXPECT_TRUE(status.ok()) << status.message();
    Kernel* kernel = nullptr;
    status = device_->LoadKernel(view, &kernel);
    EXPECT_TRUE(status.ok()) << status.message();
    return kernel;
  }

  // Records a one-step segment over whole blocks. Slice i is the block of allocation i.
  Recording* RecordOne(Kernel* kernel, const std::vector<Block>& blocks, uint32_t repeat = 1) {
    std::vector<SliceRef> slices;
    for (uint32_t i = 0; i < blocks.size(); ++i) slices.push_back({i, 0, blocks[i].bytes});
    SegmentStep step;
    step.kernel = kernel;
    step.slices = slices.data();
    step.num_slices = static_cast<uint32_t>(slices.size());
    step.label = "one";
    Recording* recording = nullptr;
    Status status = device_->Record({&step, 1, repeat}, nullptr, step.num_slices, &recording);
    EXPECT_TRUE(status.ok()) << status.message();
    return recording;
  }

  Status Submit(Recording* recording, const std::vector<Block>& blocks) {
    std::vector<Binding> bindings;
    for (const Block& block : blocks) bindings.push_back({&block, 0});
    Event done{77};
    Status status = device_->Submit(recording, bindings.data(),
                                    static_cast<uint32_t>(bindings.size()), 0, &done);
    EXPECT_EQ(done.id, 0u);
    return status;
  }

  Block Allocate(uint64_t bytes) {
    Block block;
    EXPECT_TRUE(device_->Allocate(bytes, Space::kDevice, &block).ok());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.host) % 256, 0u);
    return block;
  }

  Device* device_ = nullptr;
};

TEST_F(X86Test, DescribesTheMachine) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.kind, DeviceKind::kX86);
  EXPECT_EQ(std::string(info.name).rfind("x86-64-v", 0), 0u) << info.name;
  EXPECT_GE(info.compute_units, 1u);
  EXPECT_GT(info.memory_bytes, uint64_t{64} << 20);
  EXPECT_EQ(ThreadCount(device_), 3u);
  const Halide::Target host = Halide::get_host_target();
  EXPECT_EQ((info.x86_features & kX86Avx2) != 0, host.has_feature(Halide::Target::AVX2));
  EXPECT_EQ((info.x86_features & kX86Avx512) != 0,
            host.has_feature(Halide::Target::AVX512_Skylake));
  uint32_t count = 0;
  EXPECT_TRUE(CountDevices(&count).ok());
  EXPECT_EQ(count, 1u);
  Device* second = nullptr;
  EXPECT_EQ(OpenDevice(1, &second).code(), Code::kNotFound);
}

TEST_F(X86Test, RunsAParallelKernel) {
  constexpr int kN = 64 * 100;
  Kernel* kernel = Load(MultiplyAddKernel("hyk_madd", kN, 2.5f));
  std::vector<Block> blocks = {Allocate(4 * kN), Allocate(4 * kN), Allocate(4 * kN)};
  Recording* recording = RecordOne(kernel, blocks);
  for (int round = 0; round < 20; ++round) {
    std::vector<float> a(kN), b(kN), out(kN);
    for (int i = 0; i < kN; ++i) {
      a[i] = static_cast<float>(i + round);
      b[i] = static_cast<float>(-3 * i);
    }
    Event done;
    ASSERT_TRUE(device_->Upload(a.data(), blocks[0], 0, 4 * kN, 0, &done).ok());
    ASSERT_TRUE(device_->Upload(b.data(), blocks[1], 0, 4 * kN, 0, &done).ok());
    ASSERT_TRUE(Submit(recording, blocks).ok());
    ASSERT_TRUE(device_->Download(blocks[2], 0, 4 * kN, out.data(), 0, &done).ok());
    for (int i = 0; i < kN; ++i) ASSERT_EQ(out[i], a[i] * 2.5f + b[i]) << i;
    // The next round writes to another block, so the recording is patched.
    Block fresh = Allocate(4 * kN);
    device_->Free(&blocks[2]);
    blocks[2] = fresh;
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

// Stages that are stored on the heap must declare the memory that they need, and none may come from
// malloc.
TEST_F(X86Test, ScratchIsTakenFromTheRegion) {
  constexpr int kN = 256;
  Halide::Var x, y;
  Halide::ImageParam in(Halide::Float(32), 2);
  Halide::Func twice, row, out;
  twice(x, y) = in(x, y) * 2.0f;
  Halide::RDom r(0, kN);
  row(x, y) = 0.0f;
  row(x, y) += twice(r, y) * Halide::cast<float>(x);
  out(x, y) = row(x, y) + twice(y, x);
  twice.compute_root().parallel(y);
  row.compute_at(out, y).store_in(Halide::MemoryType::Heap);
  out.parallel(y);
  Kernel* kernel = Load(
      MakeKernel("hyk_scratch", out, {in}, {{kN, kN}}, {kN, kN}, 4 * kN * kN + 128, 4 * kN + 128));
  std::vector<Block> blocks = {Allocate(4 * kN * kN), Allocate(4 * kN * kN)};
  float* input = static_cast<float*>(blocks[0].host);
  for (int i = 0; i < kN * kN; ++i) input[i] = static_cast<float>(i % 17);
  Recording* recording = RecordOne(kernel, blocks);
  for (int round = 0; round < 10; ++round) ASSERT_TRUE(Submit(recording, blocks).ok());
  const float* output = static_cast<const float*>(blocks[1].host);
  for (int j = 0; j < kN; ++j) {
    float sum = 0;
    for (int i = 0; i < kN; ++i) sum += input[j * kN + i] * 2;
    for (int i = 0; i < kN; ++i)
      ASSERT_NEAR(output[j * kN + i], sum * i + 2 * input[i * kN + j], 1e-3 * sum * (i + 1));
  }
  EXPECT_EQ(GetCounters(device_).scratch_heap_allocations, 0u);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

TEST_F(X86Test, RepeatsAndCopies) {
  Kernel* kernel = Load(halyard::testing::IncrementKernel("hyk_inc", 3));
  Block from = Allocate(4), to = Allocate(4);
  const SliceRef kernel_slices[2] = {{0, 0, 4}, {1, 0, 4}};
  const SliceRef copy_slices[2] = {{1, 0, 4}, {0, 0, 4}};
  SegmentStep steps[2];
  steps[0].kernel = kernel;
  steps[0].slices = kernel_slices;
  steps[0].num_slices = 2;
  steps[1].kind = SegmentStep::Kind::kCopy;
  steps[1].slices = copy_slices;
  steps[1].num_slices = 2;
  Recording* recording = nullptr;
  ASSERT_TRUE(device_->Record({steps, 2, 7}, nullptr, 2, &recording).ok());
  *static_cast<int32_t*>(from.host) = 100;
  ASSERT_TRUE(Submit(recording, {from, to}).ok());
  EXPECT_EQ(*static_cast<int32_t*>(from.host), 121);
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&from);
  device_->Free(&to);
}

// Large copies are split into pieces. Overlapping and empty ones are not.
TEST_F(X86Test, CopiesOfAllSizes) {
  constexpr uint64_t kBytes = 5 << 20;
  Block from = Allocate(kBytes), to = Allocate(kBytes);
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{512} << 10,
                               (uint64_t{512} << 10) + 1, uint64_t{3} << 20, kBytes - 7}) {
    for (const bool overlap : {false, true}) {
      auto* source = static_cast<uint8_t*>(from.host);
      auto* target = overlap ? source : static_cast<uint8_t*>(to.host);
      for (uint64_t i = 0; i < kBytes; ++i) source[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
      if (!overlap) memset(target, 0, kBytes);
      const std::vector<uint8_t> before(source, source + kBytes);
      const SliceRef slices[2] = {{0, 3, bytes}, {1, 7, bytes}};
      SegmentStep step;
      step.kind = SegmentStep::Kind::kCopy;
      step.slices = slices;
      step.num_slices = 2;
      Recording* recording = nullptr;
      ASSERT_TRUE(device_->Record({&step, 1, 1}, nullptr, 2, &recording).ok());
      ASSERT_TRUE(Submit(recording, {from, overlap ? from : to}).ok());
      EXPECT_EQ(0, memcmp(target + 7, before.data() + 3, bytes)) << bytes << " " << overlap;
      EXPECT_EQ(target[7 + bytes - (bytes == kBytes - 7)], bytes == kBytes - 7
                                                               ? before[3 + bytes - 1]
                                                           : overlap ? before[7 + bytes]
                                                                     : 0);
      device_->FreeRecording(recording);
    }
  }
  device_->Free(&from);
  device_->Free(&to);
}

TEST_F(X86Test, RefusesWhatDoesNotFit) {
  Kernel* kernel = Load(MultiplyAddKernel("hyk_fit", 64, 1.0f));
  std::vector<Block> blocks = {Allocate(256), Allocate(256), Allocate(256)};
  SliceRef slices[3] = {{0, 0, 256}, {1, 0, 256}, {2, 0, 128}};
  SegmentStep step;
  step.kernel = kernel;
  step.slices = slices;
  step.num_slices = 3;
  Recording* recording = nullptr;
  EXPECT_EQ(device_->Record({&step, 1, 1}, nullptr, 3, &recording).code(), Code::kInvalidArgument);
  slices[2] = {3, 0, 256};
  EXPECT_EQ(device_->Record({&step, 1, 1}, nullptr, 3, &recording).code(), Code::kInvalidArgument);
  step.num_slices = 2;
  EXPECT_EQ(device_->Record({&step, 1, 1}, nullptr, 3, &recording).code(), Code::kInvalidArgument);
  recording = RecordOne(kernel, blocks);
  Block small = Allocate(128);
  EXPECT_EQ(Submit(recording, {blocks[0], blocks[1], small}).code(), Code::kInvalidArgument);
  EXPECT_EQ(Submit(recording, {blocks[0], blocks[1]}).code(), Code::kInvalidArgument);
  EXPECT_TRUE(Submit(recording, blocks).ok());
  Block huge;
  Status status = device_->Allocate(uint64_t{1} << 50, Space::kDevice, &huge);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_NE(std::string(status.message()).find("1125899906842624"), std::string::npos)
      << status.message();
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
  device_->Free(&small);
}

TEST_F(X86Test, UnknownImportsAreNamed) {
  Halide::Var x;
  Halide::ImageParam in(Halide::Int(32), 1);
  Halide::Func f;
  f(x) = Halide::Internal::Call::make(Halide::Int(32), "absent_function", {in(x)},
                                      Halide::Internal::Call::PureExtern);
  const std::string object = MakeKernel("hyk_extern", f, {in}, {{8}}, {8});
  KernelObjectView view;
  ASSERT_TRUE(
      ParseKernelObject({reinterpret_cast<const uint8_t*>(object.data()), object.size()}, &view)
          .ok());
  Kernel* kernel = nullptr;
  Status status = device_->LoadKernel(view, &kernel);
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_NE(std::string(status.message()).find("hyk_extern"), std::string::npos)
      << status.message();
  EXPECT_NE(std::string(status.message()).find("absent_function"), std::string::npos)
      << status.message();
}

int FailingBody(void* user_context, int index, uint8_t* closure) {
  if (index < 5) return 0;
  hyrt_error(user_context, "bad index");
  return -5;
}
int FailingEntry(void** arguments) {
  return hyrt_do_par_for(nullptr, FailingBody, 0, 100, nullptr);
}

// As in ahead-of-time programs, whose code the linker has placed.
TEST_F(X86Test, ErrorsOfKernelsNameThem) {
  const std::string object = MultiplyAddKernel("hyk_failing", 64, 1.0f);
  KernelObjectView view;
  ASSERT_TRUE(
      ParseKernelObject({reinterpret_cast<const uint8_t*>(object.data()), object.size()}, &view)
          .ok());
  Kernel* kernel = nullptr;
  ASSERT_TRUE(LoadLinkedKernel(device_, view, FailingEntry, &kernel).ok());
  std::vector<Block> blocks = {Allocate(256), Allocate(256), Allocate(256)};
  Recording* recording = RecordOne(kernel, blocks);
  for (int round = 0; round < 3; ++round) {
    Status status = Submit(recording, blocks);
    EXPECT_EQ(status.code(), Code::kInternal);
    EXPECT_STREQ(status.message(), "kernel hyk_failing (one) failed with -5: bad index");
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  for (Block& block : blocks) device_->Free(&block);
}

}  // namespace
}  // namespace halyard::runtime::x86
