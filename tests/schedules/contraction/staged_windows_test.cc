// Tests products in stages that are convolutions or have batches, as
// tests/schedules/contraction/staged_test.cc does.

#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tests/schedules/contraction/staged_products.h"

namespace halyard::testing {
namespace {

TEST_F(StagedTest, BatchesTransposesAndConvolutions) {
  Check(R"(HloModule m

ENTRY e {
  a = bf16[3,24,64] parameter(0)
  b = bf16[3,64,40] parameter(1)
  ROOT d = f32[3,24,40] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
}
)",
        1e-3, "mt=1 nt=2 wm=2 wn=2");
  // The left factor has the result's fastest axis.
  Check(R"(HloModule m

ENTRY e {
  a = bf16[2,64,8,8] parameter(0)
  b = bf16[1,1,64,32] parameter(1)
  ROOT c = f32[2,32,8,8] convolution(a, b), window={size=1x1}, dim_labels=bf01_01io->bf01
}
)",
        1e-3, "mt=1 nt=2 wm=2 wn=2");
  for (const char* type : {"f16", "bf16"}) {
    Check(absl::StrReplaceAll(R"(HloModule m

ENTRY e {
  a = TYPE[2,8,8,16] parameter(0)
  b = TYPE[3,3,16,24] parameter(1)
  ROOT c = TYPE[2,8,8,24] convolution(a, b), window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f
}
)",
                              {{"TYPE", type}}),
          5e-2, "mt=2 nt=4 wm=2 wn=1");
  }
}

// Steps that lie in one row of a window, or do not; windows that reach past the image's edges,
// whose places are not read, with strides and dilations; and windows without edges.
TEST_F(StagedTest, Windows) {
  for (const auto& [image, window, features, out] :
       std::vector<std::tuple<std::string, std::string, int64_t, std::string>>{
           {"2,9,9", "size=3x3 pad=1_1x1_1", 64, "2,9,9"},
           {"2,9,9", "size=3x3 pad=1_1x1_1", 32, "2,9,9"},
           {"2,9,9", "size=3x3 pad=1_1x1_1", 24, "2,9,9"},
           {"3,24,20", "size=3x3 stride=2x2 pad=0_1x0_1", 64, "3,12,10"},
           {"1,12,10", "size=3x3 pad=2_2x2_2 rhs_dilate=2x2", 32, "1,12,10"},
           {"1,7,6", "size=3x3 pad=2_2x2_2 lhs_dilate=2x2", 32, "1,15,13"},
           {"2,9,8", "size=3x3", 64, "2,7,6"},
           {"2,9,8", "size=1x1 stride=2x2", 64, "2,5,4"}}) {
    const bool one = absl::StrContains(window, "1x1 ");
    const std::string hlo =
        absl::StrCat("HloModule m\n\nENTRY e {\n  a = bf16[", image, ",", features,
                     "] parameter(0)\n  b = bf16[", one ? "1,1," : "3,3,", features,
                     ",40] parameter(1)\n  ROOT c = f32[", out, ",40] convolution(a, b), window={",
                     window, "}, dim_labels=b01f_01io->b01f\n}\n");
    Check(hlo, 1e-3, "mt=3 nt=4 wm=2 wn=1 stages=3");
    if (features == 24) Check(hlo, 1e-3, "mt=1 nt=2 wm=2 wn=2 stages=4 parts=2");
    if (window == "size=3x3") Check(hlo, 1e-3, "mt=1 nt=2 wm=2 wn=2 stages=4 parts=4");
  }
}

// Few steps are worth their while only beside enough other groups.
TEST_F(StagedTest, ShortSumsByDefault) {
  runtime::DeviceInfo device = device_->info();
  device.compute_units = 108;
  const auto schedule_of = [&](const std::string& hlo) {
    const auto reply = CompileHlo(hlo, device);
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? reply->schedule : "";
  };
  for (const auto& [m, name] : std::vector<std::pair<int64_t, std::string>>{
           {100352, "contraction_staged "}, {256, "contraction_mma "}}) {
    Dot d;
    d.m = m;
    d.n = 256;
    d.k = 64;
    EXPECT_THAT(schedule_of(Hlo(d)), ::testing::StartsWith(name));
  }
  // Many small products.
  EXPECT_THAT(schedule_of(R"(HloModule m

ENTRY e {
  a = bf16[1024,64,64] parameter(0)
  b = bf16[1024,64,64] parameter(1)
  ROOT c = f32[1024,64,64] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}
})"),
              ::testing::StartsWith("contraction_staged "));
}

}  // namespace
}  // namespace halyard::testing
