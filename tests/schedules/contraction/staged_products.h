// Tests of products in stages on the fake driver, whose interpreter runs their PTX.
#ifndef HALYARD_TESTS_SCHEDULES_CONTRACTION_STAGED_PRODUCTS_H_
#define HALYARD_TESTS_SCHEDULES_CONTRACTION_STAGED_PRODUCTS_H_

#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"
#include "tests/schedules/on_fake_cuda.h"

namespace halyard::testing {

class StagedTest : public OnFakeCuda {
 protected:
  void SetUp() override {
    setenv("HALYARD_PTXAS", "", 1);  // kernels stay text
    setenv("HALYARD_FAKE_CUDA", "interpret", 1);
    OnFakeCuda::SetUp();
  }

  void Check(const std::string& hlo, double tolerance, const std::string& knobs) {
    const std::string schedule = absl::StrCat("contraction_staged ", knobs);
    SCOPED_TRACE(absl::StrCat(schedule, "\n", hlo));
    const auto reply = CompileHlo(hlo, device_->info(), schedule);
    ASSERT_TRUE(reply.ok()) << reply.status();
    ASSERT_THAT(reply->object, ::testing::AllOf(::testing::HasSubstr("cp.async"),
                                                ::testing::HasSubstr("mma.sync")));
    EXPECT_EQ(CheckReply(*reply, hlo, *device_, tolerance), "");
  }
};

struct Dot {
  std::string type = "bf16", result = "f32";
  int64_t m = 64, n = 32, k = 192;
  bool k_first_lhs = false, k_first_rhs = false;  // otherwise, k is the last dimension
  bool epilogue = false;
  std::string algorithm;
};

inline std::string Hlo(const Dot& d) {
  auto shape = [&](const std::string& type, int64_t rows, int64_t columns) {
    return absl::StrCat(type, "[", rows, ",", columns, "]");
  };
  const std::string out = shape(d.result, d.m, d.n);
  std::string text = absl::StrCat(
      "HloModule m\n\nENTRY e {\n  a = ",
      d.k_first_lhs ? shape(d.type, d.k, d.m) : shape(d.type, d.m, d.k),
      " parameter(0)\n  b = ", d.k_first_rhs ? shape(d.type, d.k, d.n) : shape(d.type, d.n, d.k),
      " parameter(1)\n  ", d.epilogue ? "" : "ROOT ", "d = ", out,
      " dot(a, b), lhs_contracting_dims={", d.k_first_lhs ? 0 : 1, "}, rhs_contracting_dims={",
      d.k_first_rhs ? 0 : 1, "}", d.algorithm.empty() ? "" : ", algorithm=" + d.algorithm, "\n");
  if (d.epilogue) {
    absl::StrAppend(&text, "  s = ", d.result, "[", d.n, "] parameter(2)\n  t = ", out,
                    " broadcast(s), dimensions={1}\n  r = ", out, " parameter(3)\n  u = ", out,
                    " add(d, t)\n  l = ", out, " logistic(u)\n  v = ", out,
                    " multiply(u, l)\n  ROOT w = ", out, " add(v, r)\n");
  }
  return text + "}\n";
}

}  // namespace halyard::testing

#endif  // HALYARD_TESTS_SCHEDULES_CONTRACTION_STAGED_PRODUCTS_H_
