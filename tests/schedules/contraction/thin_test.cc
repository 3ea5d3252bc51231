// Tests products with few rows: the fake driver's interpreter runs their PTX, which is compared
// with the evaluator.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class ThinTest : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_PTXAS", "", 1);  // kernels stay text
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  // Returns the kernel's PTX, or nothing after a failure.
  std::string Check(const std::string& hlo, double tolerance, const std::string& knobs = "") {
    const std::string schedule = absl::StrCat("contraction_thin ", knobs);
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    EXPECT_TRUE(reply.ok()) << reply.status();
    if (!reply.ok()) return "";
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
    return reply->object;
  }
};

// [rows, k] times a matrix whose fastest dimension is k or the result's.
std::string Hlo(const std::string& type, const std::string& result, int64_t rows, int64_t n,
                int64_t k, bool along_k) {
  return absl::StrCat("HloModule m\n\nENTRY e {\n  a = ", type, "[", rows, ",", k,
                      "] parameter(0)\n  b = ", type, "[", along_k ? n : k, ",", along_k ? k : n,
                      "] parameter(1)\n  ROOT d = ", result, "[", rows, ",", n,
                      "] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={",
                      along_k ? 1 : 0, "}\n}\n");
}

constexpr const char* kWide[] = {
    "ld.global.v4.b32", "ld.global.nc.v4.b32", "ld.global.v4.u32", "ld.global.nc.v4.u32",
    "ld.global.v4.f32", "ld.global.nc.v4.f32", "ld.global.v2.b64", "ld.global.nc.v2.b64",
    "ld.global.v2.f64", "ld.global.nc.v2.f64"};

// Every thread reads 16 bytes of the matrix at once.
TEST_F(ThinTest, EveryTypeAndLayout) {
  const std::vector<std::tuple<std::string, std::string, double>> types = {
      {"f32", "f32", 1e-4}, {"f16", "f32", 1e-3}, {"bf16", "bf16", 5e-2}, {"f8e4m3fn", "f32", 1e-3},
      {"s8", "s32", 0},     {"s32", "s32", 0},    {"f64", "f64", 1e-9}};
  for (const auto& [type, result, tolerance] : types) {
    for (bool along_k : {false, true}) {
      for (int64_t rows : {1, 3}) {
        const std::string ptx = Check(Hlo(type, result, rows, 128, 256, along_k), tolerance);
        const bool wide = std::any_of(std::begin(kWide), std::end(kWide), [&](const char* load) {
          return absl::StrContains(ptx, load);
        });
        EXPECT_TRUE(wide || type == "f64")  // which LLVM loads one by one
            << type << along_k;
      }
    }
  }
}

TEST_F(ThinTest, Shapes) {
  for (const char* knobs : {"tile_n=1 group_n=4 lanes=32 unroll_k=1", "tile_n=2 group_n=2 lanes=64",
                            "tile_n=4 tile_m=2 group_n=8 lanes=16 unroll_k=2",
                            "tile_n=1 tile_m=4 group_n=2 lanes=32 parts=4 unroll_k=1"}) {
    Check(Hlo("bf16", "f32", 5, 72, 2048, true), 2e-3, knobs);
  }
  for (const char* knobs : {"group_n=2 lanes=32 unroll_k=1", "tile_m=2 group_n=4 lanes=8",
                            "tile_m=5 group_n=8 lanes=16 parts=2 unroll_k=2"}) {
    Check(Hlo("bf16", "f32", 5, 72, 512, false), 2e-3, knobs);
  }
}

// Terms that are no multiple of what a group takes in a step, and outputs of a block.
TEST_F(ThinTest, Ragged) {
  Check(Hlo("f16", "f32", 3, 88, 1000, false), 2e-3, "group_n=4 lanes=64 unroll_k=1");
  Check(Hlo("f16", "f32", 3, 83, 1000, true), 2e-3, "tile_n=2 group_n=4 lanes=32 unroll_k=1");
  Check(Hlo("f16", "f32", 7, 83, 1000, true), 2e-3,
        "tile_n=1 tile_m=4 group_n=4 lanes=32 parts=2 unroll_k=1");
}

TEST_F(ThinTest, Batches) {
  for (bool along_k : {false, true}) {
    Check(absl::StrCat(R"(HloModule m

ENTRY e {
  a = bf16[3,4,256] parameter(0)
  b = bf16[3,)",
                       along_k ? "64,256" : "256,64", R"(] parameter(1)
  ROOT d = f32[3,4,64] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={)",
                       along_k ? 2 : 1, "}\n}\n"),
          2e-3);
  }
}

// The matrix is the left factor, and its rows are the result's slow axis.
TEST_F(ThinTest, MatrixOnTheLeft) {
  Check(R"(HloModule m

ENTRY e {
  w = f32[96,320] parameter(0)
  x = f32[320,4] parameter(1)
  ROOT d = f32[96,4] dot(w, x), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)",
        1e-4);
}

// What is fused: weights of 8 bits with a scale for each output, a bias and a function of the sum.
TEST_F(ThinTest, PrologueAndEpilogue) {
  for (bool along_k : {false, true}) {
    const std::string shape = along_k ? "[128,512]" : "[512,128]";
    Check(absl::StrCat(R"(HloModule m

ENTRY e {
  x = bf16[2,512] parameter(0)
  w = s8)",
                       shape, R"( parameter(1)
  s = bf16[128] parameter(2)
  wc = bf16)",
                       shape, R"( convert(w)
  sb = bf16)",
                       shape, " broadcast(s), dimensions={", along_k ? 0 : 1, R"(}
  wd = bf16)",
                       shape, R"( multiply(wc, sb)
  d = f32[2,128] dot(x, wd), lhs_contracting_dims={1}, rhs_contracting_dims={)",
                       along_k ? 1 : 0, R"(}
  b = f32[128] parameter(3)
  bb = f32[2,128] broadcast(b), dimensions={1}
  t = f32[2,128] add(d, bb)
  l = f32[2,128] logistic(t)
  ROOT v = f32[2,128] multiply(t, l)
}
)"),
          5e-2);
  }
}

// It is the default for few rows, and only for few.
TEST_F(ThinTest, IsTheDefault) {
  for (bool along_k : {false, true}) {
    for (const char* type : {"bf16", "f32"}) {
      for (int64_t rows : {1, 4, 8, 64}) {
        const auto reply =
            CompileHlo(Hlo(type, "f32", rows, 256, 512, along_k), device_->info(), "");
        ASSERT_TRUE(reply.ok()) << reply.status();
        // Tensor cores take eight rows of bf16.
        if (rows <= 4 || (rows == 8 && std::string(type) == "f32")) {
          EXPECT_THAT(reply->schedule, StartsWith("contraction_thin ")) << type << rows;
        } else {
          EXPECT_FALSE(absl::StartsWith(reply->schedule, "contraction_thin ")) << type << rows;
        }
      }
    }
  }
}

TEST_F(ThinTest, RefusesWhatDoesNotGoTogether) {
  const std::string hlo = Hlo("bf16", "f32", 1, 128, 512, true);
  const auto reply =
      CompileHlo(hlo, device_->info(), "contraction_thin group_n=32 lanes=256 unroll_k=1");
  ASSERT_FALSE(reply.ok());
  EXPECT_THAT(std::string(reply.status().message()), HasSubstr("threads"));
}

}  // namespace
}  // namespace halyard::testing
