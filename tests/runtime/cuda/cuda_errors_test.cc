// Makes every driver call of whole scenarios fail once, with each kind of code.
#include <functional>
#include <set>

#include "tests/runtime/cuda/cuda_fixture.h"

namespace halyard::runtime::cuda {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class CudaErrorsTest : public CudaTest {
 protected:
  // The objects of a scenario, which are released whatever fails.
  struct Held {
    Block blocks[5];
    Kernel* kernels[2] = {};
    Recording* recording = nullptr;
    Event done;  // event of the last accepted work
  };

  void Release(Held* held) {
    release_from_ = fake_->calls.size();
    if (device_ == nullptr) return;
    (void)device_->Wait(held->done).ok();  // the work may have failed
    if (held->recording != nullptr) device_->FreeRecording(held->recording);
    for (Kernel* kernel : held->kernels) {
      if (kernel != nullptr) device_->FreeKernel(kernel);
    }
    for (Block& block : held->blocks) device_->Free(&block);
    device_->Destroy();
    device_ = nullptr;
  }

  // Records, runs, patches, rebuilds and times a segment with a kernel that uses much shared memory
  // and a copy to pinned memory. Copies in and out, also from pinned memory, both after work on the
  // stream and on an idle stream.
  Status Compute(Held* held) {
    HY_RETURN_IF_ERROR(Open());
    for (int i = 0; i < 5; ++i) {
      HY_RETURN_IF_ERROR(device_->Allocate(kElements * 4, i == 2 ? Space::kHost : Space::kDevice,
                                           &held->blocks[i]));
    }
    Block* blocks = held->blocks;
    HY_RETURN_IF_ERROR(Load(AddSpec(1, 100 << 10), &held->kernels[0]));
    HY_RETURN_IF_ERROR(Load(AddSpec(1, 100 << 10), &held->kernels[1]));
    const SliceRef slices[4] = {Whole(0), Whole(1), Whole(1), Whole(2)};
    SegmentStep steps[2] = {KernelStep(held->kernels[0], slices), {}};
    steps[1].kind = SegmentStep::Kind::kCopy;
    steps[1].slices = slices + 2;
    steps[1].num_slices = 2;
    Segment segment;
    segment.steps = steps;
    segment.num_steps = 2;
    Binding bindings[3];
    for (int i = 0; i < 3; ++i) bindings[i].block = &blocks[i];
    HY_RETURN_IF_ERROR(device_->Record(segment, bindings, 3, &held->recording));
    Recording* recording = held->recording;
    data_.assign(kElements, 1.0f);
    Event& done = held->done;
    HY_RETURN_IF_ERROR(device_->Upload(data_.data(), blocks[0], 0, kElements * 4, 1, &done));
    HY_RETURN_IF_ERROR(device_->Submit(recording, bindings, 3, 1, &done));
    bindings[1].block = &blocks[3];  // patched
    HY_RETURN_IF_ERROR(device_->Submit(recording, bindings, 3, 1, &done));
    // First after the work on the stream, then on the idle stream.
    HY_RETURN_IF_ERROR(device_->Download(blocks[2], 0, kElements * 4, pinned_, 1, &done));
    HY_RETURN_IF_ERROR(device_->Wait(done));
    HY_RETURN_IF_ERROR(device_->Download(blocks[2], 0, 4, pinned_ + 1, 1, &done));
    HY_RETURN_IF_ERROR(device_->Wait(done));
    bindings[1].block = &blocks[0];  // in place, so edges differ or are missing
    HY_RETURN_IF_ERROR(device_->Submit(recording, bindings, 3, 1, &done));
    bindings[1].block = &blocks[4];
    StepSpan spans[2];
    HY_RETURN_IF_ERROR(device_->SubmitTimed(recording, bindings, 3, 1, spans));
    HY_RETURN_IF_ERROR(device_->Download(blocks[4], 0, kElements * 4, data_.data(), 1, &done));
    poll_from_ = fake_->calls.size();  // an error counts as done; Wait reports a lasting one
    while (!device_->IsDone(done)) {
    }
    poll_to_ = fake_->calls.size();
    return device_->Wait(done);
  }
  void CheckCompute() {
    EXPECT_EQ(pinned_[0], 2.0f);
    EXPECT_EQ(pinned_[1], 2.0f);
    EXPECT_EQ(data_[kElements - 1], 3.0f);
  }

  // Makes copies of several pieces on one stream.
  Status Copies(Held* held) {
    constexpr uint64_t kBytes = (8 << 20) + 12;  // more pieces than the ring has
    if (big_.empty()) big_.assign(kBytes / 4, 7.0f);
    back_.resize(kBytes / 4);
    std::memset(back_.data(), 0, kBytes);
    HY_RETURN_IF_ERROR(Open());
    HY_RETURN_IF_ERROR(device_->Allocate(kBytes, Space::kDevice, &held->blocks[0]));
    Event& done = held->done;
    HY_RETURN_IF_ERROR(device_->Upload(big_.data(), held->blocks[0], 0, kBytes, 2, &done));
    HY_RETURN_IF_ERROR(device_->Order(done, 3));
    HY_RETURN_IF_ERROR(device_->Download(held->blocks[0], 0, kBytes, back_.data(), 3, &done));
    return device_->Wait(done);
  }

  // Runs `scenario` once for each of its driver calls and each code, with which that call fails.
  void Walk(const std::function<Status(Held*)>& scenario, const std::function<void()>& check,
            const std::vector<CUresult>& codes = {
                CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_ILLEGAL_ADDRESS,
                CUDA_ERROR_DEINITIALIZED}) {
    Reset();
    {
      Held held;
      const Status status = scenario(&held);
      ASSERT_TRUE(status.ok()) << status.message();
      check();
      Release(&held);
    }
    ASSERT_THAT(fake_->violations, IsEmpty());
    const std::vector<std::string> calls = fake_->calls;
    const size_t release_from = release_from_, poll_from = poll_from_, poll_to = poll_to_;
    // For these calls, an error is a valid answer, or comes when everything is being released
    // anyway.
    const std::set<std::string> kTolerated = {
        "cuCtxPopCurrent_v2", "cuEventQuery",      "cuPointerGetAttributes", "cuGraphDestroy",
        "cuGraphExecDestroy", "cuEventDestroy_v2", "cuMemPoolTrimTo",        "cuMemGetInfo_v2"};
    for (size_t i = 0; i < calls.size(); ++i) {
      for (const CUresult code : codes) {
        SCOPED_TRACE(calls[i] + ", call " + std::to_string(i) + ", code " + std::to_string(code));
        Reset();
        fake_->FailAt(static_cast<int>(i), code);
        Held held;
        const Status status = scenario(&held);
        // The number of polls in a wait differs from run to run, so call i may be a different one.
        const std::string failed = i < fake_->calls.size() ? fake_->calls[i] : "";
        // If memory runs out, the pool releases what it keeps, and is asked again.
        const bool asked_again =
            failed == "cuMemAllocFromPoolAsync" && code == CUDA_ERROR_OUT_OF_MEMORY;
        if (status.ok()) {
          EXPECT_TRUE(i >= release_from || (i >= poll_from && i < poll_to) || asked_again ||
                      failed.empty() || kTolerated.count(failed) != 0)
              << failed;
          check();
        } else {
          EXPECT_STRNE(status.message(), "");
          ExpectCode(status, calls[i], code);
        }
        Release(&held);
        EXPECT_THAT(fake_->violations, IsEmpty());
        if (HasFailure()) return;  // one failure is enough to read
      }
    }
  }

  static void ExpectCode(const Status& status, const std::string& call, CUresult code) {
    // Devices are opened before there is a context to break.
    if (code == CUDA_ERROR_ILLEGAL_ADDRESS) {
      EXPECT_EQ(status.code(), Code::kAborted) << status.message();
      EXPECT_THAT(status.message(), HasSubstr("start the process again"));
    } else if (code == CUDA_ERROR_OUT_OF_MEMORY) {
      EXPECT_EQ(status.code(), Code::kResourceExhausted) << status.message();
    } else if (code == CUDA_ERROR_DEINITIALIZED) {
      EXPECT_EQ(status.code(), Code::kUnavailable) << status.message();
    } else {
      EXPECT_EQ(status.code(), Code::kInternal) << call << ": " << status.message();
    }
  }

  size_t release_from_ = 0, poll_from_ = 0, poll_to_ = 0;
  float pinned_[kElements] = {};
  std::vector<float> data_, big_, back_;
};

TEST_F(CudaErrorsTest, EachCallOfAComputation) {
  Walk([this](Held* held) { return Compute(held); }, [this] { CheckCompute(); });
}

TEST_F(CudaErrorsTest, EachCallOfCopiesOfSeveralPieces) {
  Walk([this](Held* held) { return Copies(held); },
       [this] { EXPECT_EQ(std::memcmp(back_.data(), big_.data(), big_.size() * 4), 0); },
       {CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_ILLEGAL_ADDRESS});
}

TEST_F(CudaErrorsTest, WithoutMemoryPools) {
  Walk(
      [this](Held* held) {
        fake_->memory_pools = false;
        return Compute(held);
      },
      [this] { CheckCompute(); });
}

TEST_F(CudaErrorsTest, AFailedKernelIsToldFromThenOn) {
  ASSERT_HY_OK(Open());
  Block block = Make(), host = Make(Space::kHost);
  Kernel* kernel = nullptr;
  ASSERT_HY_OK(Load(AddSpec(1), &kernel));
  Binding bindings[2];
  bindings[0].block = bindings[1].block = &block;
  const SliceRef slices[2] = {Whole(0), Whole(1)};
  const SegmentStep step = KernelStep(kernel, slices);
  Segment segment;
  segment.steps = &step;
  segment.num_steps = 1;
  Recording* recording = nullptr;
  ASSERT_HY_OK(device_->Record(segment, bindings, 2, &recording));
  std::vector<float> data(kElements);
  Event done;
  ASSERT_HY_OK(device_->Upload(data.data(), block, 0, kElements * 4, 0, &done));
  fake_->Fail("cuEventSynchronize", CUDA_ERROR_ILLEGAL_ADDRESS);
  const Status status = device_->Wait(done);
  EXPECT_EQ(status.code(), Code::kAborted);
  EXPECT_THAT(status.message(), HasSubstr("CUDA_ERROR_ILLEGAL_ADDRESS"));
  EXPECT_THAT(status.message(), HasSubstr("start the process again"));
  // Later calls return the same error. Nothing hangs, and nothing counts as a result.
  Event second;
  Block more;
  Kernel* another = nullptr;
  Recording* third = nullptr;
  StepSpan span;
  const Status after[] = {
      device_->Upload(data.data(), block, 0, 4, 0, &second),
      device_->Upload(data.data(), host, 0, 4, 0, &second),
      device_->Download(block, 0, 4, data.data(), 0, &second),
      device_->Download(host, 0, 4, data.data(), 0, &second),
      device_->Allocate(4, Space::kDevice, &more),
      device_->Allocate(4, Space::kHost, &more),
      Load(AddSpec(2), &another),
      device_->Record(segment, bindings, 2, &third),
      device_->Submit(recording, bindings, 2, 0, &second),
      device_->SubmitTimed(recording, bindings, 2, 0, &span),
      device_->Wait(done),
      device_->Wait(Event()),
  };
  for (const Status& next : after) {
    EXPECT_EQ(next.code(), Code::kAborted) << next.message();
    EXPECT_THAT(next.message(), HasSubstr("start the process again"));
  }
  EXPECT_TRUE(device_->IsDone(done));
  device_->FreeRecording(recording);
  device_->FreeKernel(kernel);
  device_->Free(&block);
  device_->Free(&host);
}

TEST_F(CudaErrorsTest, ErrorsThatBreakTheContextAreToldFromThenOn) {
  for (const int code :
       {214, 220, 226, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 721, 810, 911, 999}) {
    SCOPED_TRACE(code);
    Reset();
    ASSERT_HY_OK(Open());
    Block block = Make();
    std::vector<float> data(kElements);
    Event done;
    ASSERT_HY_OK(device_->Upload(data.data(), block, 0, kElements * 4, 0, &done));
    fake_->Fail("cuEventSynchronize", static_cast<CUresult>(code));
    EXPECT_EQ(device_->Wait(done).code(), Code::kAborted);
    EXPECT_EQ(device_->Upload(data.data(), block, 0, 4, 0, &done).code(), Code::kAborted);
    device_->Free(&block);
    device_->Destroy();
    device_ = nullptr;
  }
}

TEST_F(CudaErrorsTest, ADriverThatDoesNotStartIsUnavailable) {
  fake_->Fail("cuInit", CUDA_ERROR_UNKNOWN);
  const Status status = Open();
  EXPECT_EQ(status.code(), Code::kUnavailable) << status.message();
  EXPECT_THAT(status.message(), HasSubstr("nvidia-smi"));
}

TEST_F(CudaErrorsTest, ErrorsSayWhatToDo) {
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  const struct {
    CUresult code;
    Code status;
    const char* advice;
  } kCases[] = {
      {CUDA_ERROR_NO_BINARY_FOR_GPU, Code::kFailedPrecondition, "another architecture"},
      {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, Code::kFailedPrecondition, "update the driver"},
      {CUDA_ERROR_JIT_COMPILER_NOT_FOUND, Code::kFailedPrecondition, "ptxas"},
      {CUDA_ERROR_INVALID_PTX, Code::kFailedPrecondition, "compile it again"},
      {CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, Code::kInvalidArgument, "another schedule"},
      {CUDA_ERROR_OUT_OF_MEMORY, Code::kResourceExhausted, "free buffers"},
      {CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, Code::kUnavailable, "nvidia-smi"},
  };
  for (const auto& c : kCases) {
    fake_->Fail("cuModuleLoadDataEx", c.code);
    const Status status = Load(AddSpec(1), &kernel);
    EXPECT_EQ(status.code(), c.status) << status.message();
    EXPECT_THAT(status.message(), HasSubstr(c.advice));
    EXPECT_THAT(status.message(), HasSubstr("hyk_add"));
  }
}

TEST_F(CudaErrorsTest, CodeForAnotherArchitectureNamesTheTarget) {
  fake_->capability = 75;
  ASSERT_HY_OK(Open());
  Kernel* kernel = nullptr;
  Status status = Load(AddSpec(1), &kernel);  // the PTX is for sm_80
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("--target=cuda:sm_75"));
  EXPECT_THAT(status.message(), HasSubstr("compiled for sm_80"));
  device_->Destroy();
  device_ = nullptr;
  fake_->capability = 90;
  ASSERT_HY_OK(Open());
  std::string cubin(200, '\0');
  cubin.replace(0, 4, "\177ELF");
  cubin[8] = 7;
  cubin[48] = 80;
  KernelObjectSpec spec = AddSpec(1);
  spec.modules[0] = cubin;
  status = Load(spec, &kernel);  // a cubin only runs on its own generation
  EXPECT_EQ(status.code(), Code::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("--target=cuda:sm_90"));
  spec.modules[0][48] = 90;
  ASSERT_HY_OK(Load(spec, &kernel));
  device_->FreeKernel(kernel);
}

}  // namespace
}  // namespace halyard::runtime::cuda
