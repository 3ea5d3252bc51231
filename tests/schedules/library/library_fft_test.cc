// Tests Fourier transforms by cuFFT: results against the evaluator (with the fake driver and the
// fake cuFFT, which transforms), and what becomes of failures.
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "runtime/kernel_object.h"
#include "tests/fakes/fake_cufft.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::string Transform(const std::string& from, const std::string& to, const std::string& type,
                      const std::string& lengths) {
  return absl::StrCat("HloModule m\nENTRY e {\n  x = ", from, " parameter(0)\n  ROOT y = ", to,
                      " unscaled-fft(x), fft_type=", type, ", fft_length={", lengths, "}\n}\n");
}

class LibraryFft : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_CUDA_LIBRARIES", HALYARD_FAKE_CUDA_LIBRARIES, 1);
    fft_ = FreshFake<FakeCufft>(HALYARD_FAKE_CUDA_LIBRARIES "/libcufft.so.11", "HalyardFakeCufft");
    ASSERT_NE(fft_, nullptr);
    OnFakeCuda::SetUp();
  }
  void TearDown() override {
    OnFakeCuda::TearDown();
    EXPECT_THAT(fft_->violations, IsEmpty());
    EXPECT_EQ(fft_->live, 0);
  }
  // The library is the default, because nothing else transforms.
  void Check(const std::string& hlo, double tolerance) {
    SCOPED_TRACE(hlo);
    const auto reply = CompileHlo(hlo, device_->info());
    ASSERT_TRUE(reply.ok()) << reply.status();
    EXPECT_EQ(reply->schedule, "library algorithm=0");
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }

  FakeCufft* fft_ = nullptr;
};

TEST_F(LibraryFft, ComputesWhatTheEvaluatorDoes) {
  Check(Transform("c64[3,20]", "c64[3,20]", "FFT", "20"), 1e-4);
  Check(Transform("c64[3,20]", "c64[3,20]", "IFFT", "20"), 1e-4);
  Check(Transform("c128[2,3,20]", "c128[2,3,20]", "FFT", "3,20"), 1e-11);
  Check(Transform("c128[2,6,5,4]", "c128[2,6,5,4]", "IFFT", "6,5,4"), 1e-11);
  Check(Transform("f32[4,18]", "c64[4,10]", "RFFT", "18"), 1e-4);
  Check(Transform("f32[2,5,17]", "c64[2,5,9]", "RFFT", "5,17"), 1e-4);
  Check(Transform("f64[2,3,5,6]", "c128[2,3,5,4]", "RFFT", "3,5,6"), 1e-11);
  EXPECT_EQ(fft_->transforms, 7);
}

// If plans want more memory than there is, they are made for a part of the batch.
TEST_F(LibraryFft, DoesThePartsOfABatchOneAfterTheOther) {
  fft_->workspace_bytes = 400 << 10;  // of 1 MiB and 4,320 bytes
  Check(Transform("c64[9,60]", "c64[9,60]", "FFT", "60"), 1e-4);
  EXPECT_EQ(fft_->transforms, 9);  // 9 and 3 are too many
  fft_->transforms = 0;
  fft_->workspace_bytes = 500 << 10;
  Check(Transform("f32[8,60]", "c64[8,31]", "RFFT", "60"), 1e-4);
  EXPECT_EQ(fft_->transforms, 4);
}

// cuFFT reads real numbers in pairs, so a part may not begin between two.
TEST_F(LibraryFft, NoPartBeginsInsideOfAPair) {
  fft_->workspace_bytes = 300 << 10;  // of 1 MiB: three at once
  Check(Transform("f32[12,15]", "c64[12,8]", "RFFT", "15"), 1e-4);
  EXPECT_EQ(fft_->transforms, 6);  // two at once
  const std::string odd = Transform("f64[9,15]", "c128[9,8]", "RFFT", "15");
  const auto reply = CompileHlo(odd, device_->info());
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_THAT(CheckReply(*reply, odd, *device_, 1e-11), HasSubstr("bytes of workspace"));
}

TEST_F(LibraryFft, IsAnErrorWithoutTheLibrary) {
  runtime::DeviceInfo device = device_->info();
  device.libraries = 0;
  const auto reply =
      CompileHlo(Transform("c64[3,20]", "c64[3,20]", "FFT", "20"), device, "library");
  EXPECT_THAT(reply.status().message(), HasSubstr("does not fit"));
  EXPECT_THAT(CompileHlo(Transform("c64[3,20]", "c64[3,20]", "FFT", "20"), device_->info(), "plain")
                  .status()
                  .message(),
              HasSubstr("does not fit"));
}

TEST_F(LibraryFft, EachCallMayFail) {
  const std::string hlo = Transform("c64[3,20]", "c64[3,20]", "FFT", "20");
  const auto reply = CompileHlo(hlo, device_->info());
  ASSERT_TRUE(reply.ok()) << reply.status();
  EXPECT_EQ(CheckReply(*reply, hlo, *device_, 1e-4), "");
  const std::vector<std::string> calls = fft_->calls;
  ASSERT_THAT(calls, ::testing::ElementsAre("cufftCreate", "cufftSetAutoAllocation",
                                            "cufftMakePlanMany64", "cufftSetStream",
                                            "cufftSetWorkArea", "cufftExecC2C", "cufftDestroy"));
  for (size_t i = 0; i + 1 < calls.size(); ++i) {
    SCOPED_TRACE(calls[i]);
    *fft_ = FakeCufft();
    fft_->fail_index = static_cast<int>(i);
    const std::string wrong = CheckReply(*reply, hlo, *device_, 1e-4);
    EXPECT_THAT(wrong, HasSubstr(absl::StrCat("cuFFT: ", calls[i], ": internal error (5)")));
    EXPECT_THAT(wrong, HasSubstr("--no-libraries"));
    EXPECT_EQ(fft_->live, 0);
  }
  *fft_ = FakeCufft();
  fft_->workspace_bytes = size_t{1} << 40;
  EXPECT_THAT(CheckReply(*reply, hlo, *device_, 1e-4), HasSubstr("bytes of workspace"));
  EXPECT_EQ(fft_->live, 0);
}

}  // namespace
}  // namespace halyard::testing
