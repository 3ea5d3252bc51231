#include "autotuner/measure/trial_runner.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "autotuner/measure/oracle.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::autotuner {
namespace {

using ::testing::HasSubstr;

constexpr char kProduct[] = R"(HloModule m
ENTRY e {
  a = f32[192,192] parameter(0)
  b = f32[192,192] parameter(1)
  ROOT d = f32[192,192] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";
// The same arguments with another result.
constexpr char kSum[] = R"(HloModule m
ENTRY e {
  a = f32[192,192] parameter(0)
  b = f32[192,192] parameter(1)
  ROOT d = f32[192,192] add(a, b)
})";

// As kProduct, but for row ROW, which is that of a.
constexpr char kOtherRow[] = R"(HloModule m
ENTRY e {
  a = f32[192,192] parameter(0)
  b = f32[192,192] parameter(1)
  d = f32[192,192] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  row = s32[192,192] iota(), iota_dimension=0
  first = s32[] constant(ROW)
  firsts = s32[192,192] broadcast(first), dimensions={}
  this = pred[192,192] compare(row, firsts), direction=EQ
  ROOT r = f32[192,192] select(this, a, d)
})";

class TrialRunnerTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    device_ = halyard::testing::DeviceNamed(GetParam());
    ASSERT_NE(device_, nullptr);
    const auto module = hlo_text::ParseModule(kProduct, "m.hlo");
    ASSERT_TRUE(module.ok());
    const std::vector<hlo::Literal> inputs = halyard::testing::RandomInputs(**module, 3);
    hlo::Evaluator evaluator;
    const auto want = evaluator.Run(**module, inputs);
    ASSERT_TRUE(want.ok());
    auto bytes = [](const hlo::Literal& literal) {
      return std::string(reinterpret_cast<const char*>(literal.bytes().data()),
                         literal.bytes().size());
    };
    TrialCase one;
    for (const hlo::Literal& input : inputs) one.inputs.push_back(bytes(input));
    one.expected = {bytes(*want)};
    one.rules = {{.type = hlo::ElementType::kF32, .of_largest = 1e-5, .scale = 50}};
    runner_ = std::make_unique<TrialRunner>(device_);
    ASSERT_TRUE(runner_->SetData({{one}, {}}).ok());
  }
  std::string Object(const char* hlo, const std::string& schedule) {
    const auto reply =
        halyard::testing::CompileHlo(hlo, halyard::testing::InfoNamed(GetParam()), schedule);
    EXPECT_TRUE(reply.ok()) << reply.status();
    return reply.ok() ? reply->object : "";
  }

  runtime::Device* device_ = nullptr;
  std::unique_ptr<TrialRunner> runner_;
};

TEST_P(TrialRunnerTest, TheFasterOfTwoWins) {
  TrialOptions options;  // as many rounds as it takes on a busy machine
  options.most_seconds = 60;
  options.paired.most_rounds = 200;
  TrialResult slow = runner_->Try(Object(kProduct, "plain"), options);
  EXPECT_EQ(slow.outcome, Outcome::kGood) << slow.error;
  EXPECT_EQ(slow.verdict, Verdict::kFaster) << "nothing to beat";
  EXPECT_GT(slow.seconds, 0);
  TrialResult fast = runner_->Try(Object(kProduct, "contraction"), options);
  EXPECT_EQ(fast.outcome, Outcome::kGood) << fast.error;
  EXPECT_EQ(fast.verdict, Verdict::kFaster);
  EXPECT_LT(fast.seconds, fast.best_seconds);
  EXPECT_LE(fast.difference, 1e-5);
  slow = runner_->Try(Object(kProduct, "plain"), options);
  EXPECT_EQ(slow.verdict, Verdict::kSlower);
}

TEST_P(TrialRunnerTest, AWrongResultNeverCounts) {
  const TrialResult result = runner_->Try(Object(kSum, ""), {});
  EXPECT_EQ(result.outcome, Outcome::kWrongResult);
  EXPECT_THAT(result.error, HasSubstr("output 0: element "));
  EXPECT_EQ(result.verdict, Verdict::kSlower);
  EXPECT_EQ(result.seconds, 0);
}

// On GPUs, inputs stay in the device's memory from check to check.
TEST_P(TrialRunnerTest, ARightCandidateIsRightAfterAWrongOne) {
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(runner_->Try(Object(kSum, ""), {}).outcome, Outcome::kWrongResult);
    const TrialResult right = runner_->Try(Object(kProduct, "contraction"), {});
    EXPECT_EQ(right.outcome, Outcome::kGood) << right.error;
  }
}

TEST_P(TrialRunnerTest, CandidatesAreComparedWithSamplesAndTheReference) {
  lowering::KernelRequest request;
  request.hlo = kProduct;
  request.device = halyard::testing::InfoNamed(GetParam());
  absl::StatusOr<TrialData> data = MakeTrialData(request, "", 1, /*most_work=*/10000);
  ASSERT_TRUE(data.ok()) << data.status();
  ASSERT_TRUE(data->IsSampled());
  const std::vector<int64_t> rows = data->samples[0].indices[0];
  ASSERT_TRUE(runner_->SetData(*std::move(data)).ok());
  const TrialResult wrong = runner_->SetReference(Object(kSum, ""));
  EXPECT_EQ(wrong.outcome, Outcome::kWrongResult);
  EXPECT_THAT(wrong.error, HasSubstr("in the sample, "));
  const TrialResult reference = runner_->SetReference(Object(kProduct, "plain"));
  EXPECT_EQ(reference.outcome, Outcome::kGood) << reference.error;
  const TrialResult right = runner_->Try(Object(kProduct, "contraction"), {});
  EXPECT_EQ(right.outcome, Outcome::kGood) << right.error;
  // Wrong in one row that is not in the sample.
  int64_t row = 1;
  while (std::count(rows.begin(), rows.end(), row) != 0) ++row;
  const std::string hlo = absl::StrReplaceAll(kOtherRow, {{"ROW", absl::StrCat(row)}});
  const TrialResult other = runner_->Try(Object(hlo.c_str(), ""), {});
  EXPECT_EQ(other.outcome, Outcome::kWrongResult);
  EXPECT_THAT(other.error, HasSubstr("beside the reference schedule's output, "));
}

TEST_P(TrialRunnerTest, BytesThatAreNoKernelAreRefused) {
  const TrialResult result = runner_->Try("no kernel", {});
  EXPECT_EQ(result.outcome, Outcome::kCompileError);
  EXPECT_NE(result.error, "");
}

// Products that are compiled wrong on purpose, beside the right one, for each type of factors and
// results.
struct Wrong {
  const char* device;
  const char* type;
  const char* result;
};
void PrintTo(const Wrong& w, std::ostream* out) {
  *out << w.device << "_" << w.type << "_" << w.result;
}

class WrongKernels : public ::testing::TestWithParam<Wrong> {
 protected:
  // `a` and `b` are made from the parameters p and q, and the result from the product d.
  std::string Text(const std::string& a, const std::string& b, const std::string& result) const {
    return absl::StrReplaceAll(
        absl::StrCat("HloModule m\n\nENTRY e {\n  p = T[16,64] parameter(0)\n  q = T[64,24] "
                     "parameter(1)\n",
                     a, b,
                     "  d = R[16,24] dot(a, b), lhs_contracting_dims={1}, "
                     "rhs_contracting_dims={0}\n",
                     result, "}\n"),
        {{"T[", absl::StrCat(GetParam().type, "[")}, {"R[", absl::StrCat(GetParam().result, "[")}});
  }
  std::string Right() const {
    return Text("  a = T[16,64] copy(p)\n", "  b = T[64,24] copy(q)\n",
                "  ROOT r = R[16,24] copy(d)\n");
  }
  TrialResult Try(const std::string& hlo) {
    const char* device = GetParam().device;
    lowering::KernelRequest request;
    request.hlo = Right();
    request.device = halyard::testing::InfoNamed(device);
    absl::StatusOr<TrialData> data = MakeTrialData(request);
    EXPECT_TRUE(data.ok()) << data.status();
    TrialRunner runner(halyard::testing::DeviceNamed(device));
    const absl::Status set = data.ok() ? runner.SetData(*std::move(data)) : data.status();
    EXPECT_TRUE(set.ok()) << set;
    const auto reply = halyard::testing::CompileHlo(hlo, request.device);
    EXPECT_TRUE(reply.ok()) << reply.status() << hlo;
    return set.ok() && reply.ok() ? runner.Try(reply->object, {}) : TrialResult();
  }
};

TEST_P(WrongKernels, AreSeen) {
  if (halyard::testing::DeviceNamed(GetParam().device) == nullptr) GTEST_SKIP() << "no device";
  const TrialResult right = Try(Right());
  EXPECT_EQ(right.outcome, Outcome::kGood) << right.error;
  const std::string a = "  a = T[16,64] copy(p)\n", b = "  b = T[64,24] copy(q)\n",
                    r = "  ROOT r = R[16,24] copy(d)\n";
  const TrialResult dropped = Try(Text("  a = T[16,63] slice(p), slice={[0:16], [0:63]}\n",
                                       "  b = T[63,24] slice(q), slice={[0:63], [0:24]}\n", r));
  EXPECT_EQ(dropped.outcome, Outcome::kWrongResult);
  const TrialResult swapped =
      Try(Text(a,
               "  x = T[64,12,2] reshape(q)\n  y = T[64,12,2] reverse(x), dimensions={2}\n"
               "  b = T[64,24] reshape(y)\n",
               r));
  EXPECT_EQ(swapped.outcome, Outcome::kWrongResult);
  const hlo::ElementType result = *hlo::ElementTypeFromHloName(GetParam().result);
  if (!hlo::IsFloat(result)) return;
  const TrialResult lost =
      Try(Text(a, b,
               "  z = R[] constant(0)\n  zs = R[16,24] broadcast(z), dimensions={}\n"
               "  n = pred[16,24] compare(d, d), direction=NE\n"
               "  ROOT r = R[16,24] select(n, zs, d)\n"));
  EXPECT_EQ(lost.outcome, Outcome::kWrongResult);
  EXPECT_THAT(lost.error, HasSubstr("not nan (special values)"));
}

INSTANTIATE_TEST_SUITE_P(
    Types, WrongKernels,
    ::testing::Values(Wrong{"x86", "f16", "f16"}, Wrong{"x86", "bf16", "bf16"},
                      Wrong{"x86", "bf16", "f32"}, Wrong{"x86", "f32", "f32"},
                      Wrong{"x86", "f64", "f64"}, Wrong{"x86", "f8e4m3fn", "f32"},
                      Wrong{"x86", "f8e5m2", "bf16"}, Wrong{"x86", "s8", "s32"},
                      Wrong{"x86", "s32", "s32"}, Wrong{"vulkan", "f16", "f16"},
                      Wrong{"vulkan", "bf16", "bf16"}, Wrong{"vulkan", "f32", "f32"},
                      Wrong{"vulkan", "f64", "f64"}, Wrong{"vulkan", "f8e4m3fn", "f32"},
                      Wrong{"vulkan", "s32", "s32"}),
    ::testing::PrintToStringParamName());

INSTANTIATE_TEST_SUITE_P(Devices, TrialRunnerTest, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace halyard::autotuner
