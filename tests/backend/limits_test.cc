// Requests that exceed a limit or fail return a Status that says so, on every backend.
#include <map>
#include <string>
#include <vector>

#include "runtime/device_fields.h"
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

TEST_P(BackendLimits, ADeviceIsDescribedAsItDescribesItself) {
  runtime::DeviceInfo described;
  ASSERT_HY_OK(subject_->Describe(&described));
  const runtime::DeviceInfo& opened = device_->info();
  EXPECT_STREQ(described.name, opened.name);
  std::map<std::string, double> values;
  runtime::VisitDeviceFields(opened, [&](const char* name, const auto& field, bool) {
    values[name] = static_cast<double>(field);
  });
  EXPECT_GT(values.size(), 20u);
  runtime::VisitDeviceFields(described, [&](const char* name, const auto& field, bool) {
    EXPECT_EQ(values[name], static_cast<double>(field)) << name;
  });
}

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
  fails({Slice(0, 0, bytes), Slice(1, 0, bytes - 4)});  // the slice is too small
  fails({Slice(0, 0, bytes), Slice(5, 0, bytes)});      // no such allocation
  // A slice beyond the end of the block is reported at once, or when the bindings are used.
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

TEST_P(BackendLimits, KernelsBeyondTheDeviceAreRefused) {
  const runtime::DeviceInfo& info = device_->info();
  const absl::StatusOr<KernelObjectSpec> good = Increment(1000, info);
  ASSERT_TRUE(good.ok()) << good.status();
  Kernel* kernel = nullptr;
  const auto refused = [&](const KernelObjectSpec& spec) {
    const Status status = TryLoad(spec, &kernel);
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.message();
    return std::string(status.message());
  };
  KernelObjectSpec spec = *good;
  spec.kind = info.kind == runtime::DeviceKind::kX86 ? runtime::DeviceKind::kVulkan
                                                     : runtime::DeviceKind::kX86;
  EXPECT_NE(refused(spec), "");
  if (spec.launches.empty()) return;  // no grids: the rest is for GPUs
  if (info.max_grid[1] != 0 && info.max_grid[1] != UINT32_MAX) {
    spec = *good;
    spec.launches[0].grid[1] = info.max_grid[1] + 1;
    EXPECT_THAT(refused(spec), HasSubstr("groups in y"));
  }
  spec = *good;
  spec.launches[0].block[0] = info.max_threads_per_group + 1;
  EXPECT_THAT(refused(spec), HasSubstr("threads in"));
  spec = *good;
  spec.launches[0].shared_bytes = info.max_shared_bytes + 1;
  EXPECT_THAT(refused(spec), HasSubstr("shared memory"));
  // More buffers than a launch can bind.
  if (info.max_storage_buffers != 0 && info.max_storage_buffers < 64) {
    spec = *good;
    while (spec.launches[0].arguments.size() <= info.max_storage_buffers) {
      spec.launches[0].arguments.push_back(spec.launches[0].arguments[0]);
    }
    EXPECT_THAT(refused(spec), HasSubstr("binds at most"));
  }
}

TEST_P(BackendLimits, FailedAllocationsLeaveTheDeviceWell) {
  if (!subject_->FailNextAllocation()) GTEST_SKIP() << "no hook that makes its allocations fail";
  Block block;
  const uint64_t bytes = (40 << 20) + 1;
  const Status status = device_->Allocate(bytes, Space::kDevice, &block);
  EXPECT_EQ(status.code(), Code::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("bytes more"));
  EXPECT_EQ(device_->memory_use(Space::kDevice).bytes, 0u);
  subject_->Mend();
  block = Make(bytes);
  const auto data = Pattern(1000, 1);
  Put(block, 5, data.data(), data.size());
  EXPECT_EQ(Get<uint8_t>(block, 5, data.size()), data);
  device_->Free(&block);
}

TEST_P(BackendLimits, ALostDeviceSaysSoFromThenOn) {
  Kernel* kernel = Load(Increment(100, device_->info()));
  ASSERT_NE(kernel, nullptr);
  Block a = Make(400), b = Make(400);
  const std::vector<SliceRef> slices = {Slice(0, 0, 400), Slice(1, 0, 400)};
  const auto bindings = Bind({&a, &b});
  Recording* recording = Record({KernelStep(kernel, slices)}, bindings);
  if (subject_->LoseDevice()) {
    Event done;
    Status first = device_->Submit(recording, bindings.data(), 2, 0, &done);
    if (first.ok()) first = device_->Wait(done);
    EXPECT_FALSE(first.ok());
    EXPECT_THAT(first.message(), HasSubstr("again"));  // the advice
    uint8_t byte = 0;
    Block more;
    std::vector<Status> later;
    later.push_back(device_->Allocate(1000, Space::kDevice, &more));
    later.push_back(device_->Submit(recording, bindings.data(), 2, 0, &done));
    later.push_back(device_->Upload(&byte, a, 0, 1, 0, &done));
    later.push_back(device_->Download(a, 0, 1, &byte, 0, &done));
    for (const Status& status : later) {
      EXPECT_EQ(status.code(), first.code()) << status.message();
    }
    EXPECT_TRUE(device_->IsDone(Event{1 << 20}));  // so that nobody waits forever
  }
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&a);
  device_->Free(&b);
}

HALYARD_ON_ALL_BACKENDS(BackendLimits);

}  // namespace
}  // namespace halyard::testing
