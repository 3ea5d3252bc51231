#include "autotuner/trial_runner.h"

#include <cmath>
#include <string>
#include <vector>

#include "frontend/hlo/evaluator.h"
#include "frontend/hlo_text/parser.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/lowering/kernels/kernel_harness.h"

namespace halyard::autotuner {
namespace {

using ::testing::HasSubstr;

constexpr char kProduct[] = R"(HloModule m
ENTRY e {
  a = f32[192,192] parameter(0)
  b = f32[192,192] parameter(1)
  ROOT d = f32[192,192] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
})";
// The same arguments, another result.
constexpr char kSum[] = R"(HloModule m
ENTRY e {
  a = f32[192,192] parameter(0)
  b = f32[192,192] parameter(1)
  ROOT d = f32[192,192] add(a, b)
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
  TrialResult slow = runner_->Try(Object(kProduct, "plain"), {});
  EXPECT_EQ(slow.outcome, Outcome::kGood) << slow.error;
  EXPECT_EQ(slow.verdict, Verdict::kFaster) << "nothing to beat";
  EXPECT_GT(slow.seconds, 0);
  TrialResult fast = runner_->Try(Object(kProduct, "contraction"), {});
  EXPECT_EQ(fast.outcome, Outcome::kGood) << fast.error;
  EXPECT_EQ(fast.verdict, Verdict::kFaster);
  EXPECT_LT(fast.seconds, fast.best_seconds);
  EXPECT_LE(fast.difference, 1e-5);
  slow = runner_->Try(Object(kProduct, "plain"), {});
  EXPECT_EQ(slow.verdict, Verdict::kSlower);
}

TEST_P(TrialRunnerTest, AWrongResultNeverCounts) {
  const TrialResult result = runner_->Try(Object(kSum, ""), {});
  EXPECT_EQ(result.outcome, Outcome::kWrongResult);
  EXPECT_THAT(result.error, HasSubstr("output 0: element "));
  EXPECT_EQ(result.verdict, Verdict::kSlower);
  EXPECT_EQ(result.seconds, 0);
}

TEST_P(TrialRunnerTest, BytesThatAreNoKernelAreRefused) {
  const TrialResult result = runner_->Try("no kernel", {});
  EXPECT_EQ(result.outcome, Outcome::kCompileError);
  EXPECT_NE(result.error, "");
}

INSTANTIATE_TEST_SUITE_P(Devices, TrialRunnerTest, ::testing::Values("x86", "vulkan"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace halyard::autotuner
