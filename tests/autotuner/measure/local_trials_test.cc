#include "autotuner/measure/local_trials.h"

#include "autotuner/search/tune_kernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/tuning_harness.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::FakeTask;

// Counts compiles.
class CountingCompiler : public lowering::KernelCompiler {
 public:
  std::vector<absl::StatusOr<lowering::KernelReply>> Compile(
      absl::Span<const lowering::KernelRequest> requests,
      const std::function<void(size_t index)>& done) override {
    compiled += static_cast<int>(requests.size());
    return compiler_->Compile(requests, done);
  }
  int compiled = 0;

 private:
  std::unique_ptr<lowering::KernelCompiler> compiler_ = lowering::KernelCompiler::Create(
      {.codegen_path = HALYARD_BIN_DIR "/halyard-codegen", .jobs = 2});
};

TEST(LocalTrialsTest, WhatIsCompiledAheadIsNotCompiledAgain) {
  CountingCompiler compiler;
  KernelTask task = FakeTask();
  task.request.device = halyard::testing::InfoNamed("x86");
  task.key = task.request.KernelKey();
  task.device = task.request.device.name;
  MeasureOptions measure;
  measure.worker_path = HALYARD_BIN_DIR "/halyard-rt";
  measure.target = "x86";
  LocalTrials trials(&compiler, measure, "");
  const absl::StatusOr<Trial> begun = trials.Begin(task, "");
  ASSERT_TRUE(begun.ok()) << begun.status();
  ASSERT_EQ(begun->record.outcome, Outcome::kGood) << begun->record.error;
  EXPECT_GT(begun->record.resources.code_bytes, 0);
  EXPECT_EQ(trials.compiled_for_each(), 1);  // x86
  const std::vector<std::string> lines = {
      "elementwise vec=8 grain=1024", "elementwise vec=4 grain=2048", "elementwise vec=0 wrong"};
  compiler.compiled = 0;
  const auto resources = trials.Compile(lines);
  ASSERT_EQ(resources.size(), 3u);
  ASSERT_TRUE(resources[0].ok()) << resources[0].status();
  EXPECT_GT(resources[0]->code_bytes, 0);
  EXPECT_FALSE(resources[2].ok());
  EXPECT_EQ(compiler.compiled, 3);
  // Measures without compiling again. The other candidates are kept.
  absl::StatusOr<std::vector<Trial>> run = trials.Run({lines[2], lines[0]}, ShortTrials(), nullptr);
  ASSERT_TRUE(run.ok()) << run.status();
  EXPECT_EQ(compiler.compiled, 3);
  EXPECT_EQ((*run)[0].record.outcome, Outcome::kCompileError);
  EXPECT_FALSE((*run)[0].record.resources.known());
  EXPECT_EQ((*run)[1].record.outcome, Outcome::kGood) << (*run)[1].record.error;
  EXPECT_EQ((*run)[1].record.resources, *resources[0]);
  EXPECT_TRUE(trials.Compile({lines[1]})[0].ok());
  EXPECT_EQ(compiler.compiled, 3);
  // A measured candidate is not kept.
  ASSERT_TRUE(trials.Run({lines[0]}, ShortTrials(), nullptr).ok());
  EXPECT_EQ(compiler.compiled, 4);
}

// A run that goes on beside a schedule of an earlier run still compares with the default.
TEST(LocalTrialsTest, TheDefaultGivesWhatTheOracleHasNotComputed) {
  KernelTask task = FakeTask();
  task.request.device = halyard::testing::InfoNamed("x86");
  task.key = task.request.KernelKey();
  task.device = task.request.device.name;
  MeasureOptions measure;
  measure.worker_path = HALYARD_BIN_DIR "/halyard-rt";
  measure.target = "x86";
  for (double most_work : {kMostOracleWork, 100.0}) {
    CountingCompiler compiler;
    LocalTrials trials(&compiler, measure, "", most_work);
    const absl::StatusOr<Trial> begun = trials.Begin(task, "elementwise vec=4 grain=2048");
    ASSERT_TRUE(begun.ok()) << begun.status();
    EXPECT_EQ(begun->record.outcome, Outcome::kGood) << begun->record.error;
    EXPECT_EQ(compiler.compiled, most_work == kMostOracleWork ? 1 : 2);
    const auto run = trials.Run({"elementwise vec=8 grain=1024"}, ShortTrials(), nullptr);
    ASSERT_TRUE(run.ok()) << run.status();
    EXPECT_EQ((*run)[0].record.outcome, Outcome::kGood) << (*run)[0].record.error;
  }
}

}  // namespace
}  // namespace halyard::autotuner
