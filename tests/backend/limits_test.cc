// What does not fit or goes wrong is a Status that says so, on every backend.
#include <string>
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

class BackendLimits : public BackendTest {};

TEST_P(BackendLimits, WrongSegmentsAreRefused) {
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

HALYARD_ON_ALL_BACKENDS(BackendLimits);

}  // namespace
}  // namespace halyard::testing
