#include "tests/backend/backend_test.h"

namespace halyard::testing {

using runtime::Binding;
using runtime::Block;
using runtime::Event;
using runtime::Kernel;
using runtime::Recording;
using runtime::Segment;
using runtime::SegmentStep;
using runtime::SliceRef;
using runtime::Space;
using runtime::Status;

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
  for (size_t i = 0; i < bytes; ++i) {
    data[i] = static_cast<uint8_t>(i * 7 + i / 251 + static_cast<size_t>(seed));
  }
  return data;
}

void BackendTest::SetUp() {
  subject_ = GetParam().make();
  ASSERT_HY_OK(subject_->Open(&device_));
}

void BackendTest::TearDown() {
  if (device_ != nullptr) device_->Destroy();
  EXPECT_THAT(subject_->Complaints(), ::testing::IsEmpty());
}

Status BackendTest::TryLoad(const KernelObjectSpec& spec, Kernel** kernel) {
  const std::string bytes = WriteKernelObject(spec);
  runtime::KernelObjectView view;
  Status status = runtime::ParseKernelObject(
      {reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, &view);
  return status.ok() ? device_->LoadKernel(view, kernel) : std::move(status);
}

Kernel* BackendTest::Load(const absl::StatusOr<KernelObjectSpec>& spec) {
  EXPECT_TRUE(spec.ok()) << spec.status();
  if (!spec.ok()) return nullptr;
  Kernel* kernel = nullptr;
  const Status status = TryLoad(*spec, &kernel);
  EXPECT_TRUE(status.ok()) << status.message();
  return kernel;
}

Block BackendTest::Make(uint64_t bytes, Space space) {
  Block block;
  const Status status = device_->Allocate(bytes, space, &block);
  EXPECT_TRUE(status.ok()) << status.message();
  return block;
}

void BackendTest::Put(const Block& block, uint64_t offset, const void* data, uint64_t bytes,
                      uint32_t stream) {
  Event done;
  ASSERT_HY_OK(device_->Upload(data, block, offset, bytes, stream, &done));
  ASSERT_HY_OK(device_->Wait(done));
}

void BackendTest::Fetch(const Block& block, uint64_t offset, void* data, uint64_t bytes,
                        uint32_t stream) {
  Event done;
  ASSERT_HY_OK(device_->Download(block, offset, bytes, data, stream, &done));
  ASSERT_HY_OK(device_->Wait(done));
}

Status BackendTest::TryRecord(const std::vector<SegmentStep>& steps,
                              const std::vector<Binding>& bindings, uint32_t repeat,
                              Recording** recording) {
  Segment segment;
  segment.steps = steps.data();
  segment.num_steps = static_cast<uint32_t>(steps.size());
  segment.repeat = repeat;
  return device_->Record(segment, bindings.data(), static_cast<uint32_t>(bindings.size()),
                         recording);
}

Recording* BackendTest::Record(const std::vector<SegmentStep>& steps,
                               const std::vector<Binding>& bindings, uint32_t repeat) {
  Recording* recording = nullptr;
  const Status status = TryRecord(steps, bindings, repeat, &recording);
  EXPECT_TRUE(status.ok()) << status.message();
  return recording;
}

void BackendTest::Run(Recording* recording, const std::vector<Binding>& bindings, uint32_t stream) {
  Event done;
  ASSERT_HY_OK(device_->Submit(recording, bindings.data(), static_cast<uint32_t>(bindings.size()),
                               stream, &done));
  ASSERT_HY_OK(device_->Wait(done));
  EXPECT_TRUE(device_->IsDone(done));
}

}  // namespace halyard::testing
