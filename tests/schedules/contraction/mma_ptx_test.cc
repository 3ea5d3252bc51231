// Tests the PTX of products by tensor cores in the fake driver's interpreter, against the
// evaluator.

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

class MmaPtxTest : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_PTXAS", "", 1);  // kernels stay text
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance, const std::string& schedule) {
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    ASSERT_THAT(reply->object, HasSubstr("mma.sync"));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
};

std::string Dot(const std::string& type, const std::string& result, const std::string& lhs,
                const std::string& rhs, int left, int right, const std::string& algorithm = "") {
  return absl::StrReplaceAll(R"(HloModule m

ENTRY e {
  a = TYPE[LHS] parameter(0)
  b = TYPE[RHS] parameter(1)
  d = RESULT[40,24] dot(a, b), lhs_contracting_dims={LC}, rhs_contracting_dims={RC}ALGORITHM
  s = RESULT[24] parameter(2)
  t = RESULT[40,24] broadcast(s), dimensions={1}
  ROOT u = RESULT[40,24] add(d, t)
}
)",
                             {{"TYPE", type},
                              {"RESULT", result},
                              {"LHS", lhs},
                              {"RHS", rhs},
                              {"LC", absl::StrCat(left)},
                              {"RC", absl::StrCat(right)},
                              {"ALGORITHM", algorithm}});
}

TEST_F(MmaPtxTest, EveryTypeAndLayout) {
  const std::vector<std::tuple<std::string, std::string, double>> types = {
      {"f16", "f32", 1e-3}, {"bf16", "bf16", 5e-2}, {"s8", "s32", 0}, {"f32", "f32", 2e-2}};
  for (const auto& [type, result, tolerance] : types) {
    const std::string algorithm = type == "f32" ? ", algorithm=dot_tf32_tf32_f32" : "";
    for (int left : {0, 1}) {
      for (int right : {0, 1}) {
        Check(Dot(type, result, left == 1 ? "40,64" : "64,40", right == 1 ? "24,64" : "64,24", left,
                  right, algorithm),
              tolerance, "contraction_mma mt=2 nt=2 wm=1 wn=2 words=4");
      }
    }
  }
}

TEST_F(MmaPtxTest, RaggedSizesAndTiles) {
  // k = 37 leaves a tail. Tiles of every size stick out of 40 x 24.
  for (const char* knobs : {"mt=1 nt=1 wm=1 wn=1 words=2", "mt=4 nt=8 wm=1 wn=1 words=4",
                            "mt=2 nt=4 wm=2 wn=1 words=4"}) {
    for (const char* type : {"f16", "s8"}) {
      const std::string result = type == std::string("s8") ? "s32" : "f32";
      Check(Dot(type, result, "40,37", "37,24", 1, 0), 1e-3,
            absl::StrCat("contraction_mma ", knobs));
      Check(Dot(type, result, "37,40", "24,37", 0, 1), 1e-3,
            absl::StrCat("contraction_mma ", knobs));
    }
  }
}

TEST_F(MmaPtxTest, BatchesAndConvolutions) {
  Check(R"(HloModule m

ENTRY e {
  a = bf16[3,17,32] parameter(0)
  b = bf16[3,32,20] parameter(1)
  ROOT d = f32[3,17,20] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
)",
        1e-3, "contraction_mma");
  for (const char* type : {"f16", "s8"}) {
    const std::string result = type == std::string("s8") ? "s32" : "f16";
    for (const std::string schedule : {"contraction_mma", "contraction_mma mt=2 nt=4"}) {
      Check(absl::StrReplaceAll(R"(HloModule m

ENTRY e {
  a = TYPE[2,7,8,16] parameter(0)
  b = TYPE[3,3,16,24] parameter(1)
  ROOT c = RESULT[2,7,8,24] convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
}
)",
                                {{"TYPE", type}, {"RESULT", result}}),
            2e-2, schedule);
    }
  }
}

}  // namespace
}  // namespace halyard::testing
