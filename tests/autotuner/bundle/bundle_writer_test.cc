// Compiles candidates in one folder, and measures them in another with halyard-rt alone.
#include "autotuner/bundle/bundle_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "absl/strings/str_cat.h"
#include "autotuner/records/record_lines.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "tests/tools/device_machine.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::CommandResult;
using halyard::testing::DeviceMachine;
using halyard::testing::Execute;
using halyard::testing::kElementwise;
using halyard::testing::kTwoKernels;
using halyard::testing::RunProgram;
using halyard::testing::TestFolder;
using halyard::testing::WriteTestFile;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::unique_ptr<lowering::KernelCompiler> Compiler() {
  return lowering::KernelCompiler::Create({.codegen_path = HALYARD_BIN_DIR "/halyard-codegen"});
}

absl::StatusOr<PlanSummary> PlanFor(
    const std::string& program, const std::string& target_text, int64_t trials,
    const std::string& bundle, std::unique_ptr<lowering::KernelCompiler> compiler = Compiler()) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseProgram(program, "plan.hlo");
  if (!module.ok()) return module.status();
  absl::StatusOr<Target> target = ParseTarget(target_text);
  if (!target.ok()) return target.status();
  ProgramCompiler planner;
  absl::StatusOr<ProgramSpec> spec = planner.Plan(**module, *target);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<std::vector<KernelTask>> tasks = TasksOf(*spec, *compiler);
  if (!tasks.ok()) return tasks.status();
  History history(target->device.kind);
  BundleIndex index;
  index.program = "plan.hlo";
  index.target = target_text;
  PlanOptions options;
  options.trials = trials;
  return WritePlan(*tasks, std::move(index), *compiler, history, options, bundle);
}

TEST(PlanTest, IsMeasuredWithoutACompiler) {
  const std::string bundle = TestFolder() + "/two.bundle";
  const absl::StatusOr<PlanSummary> plan = PlanFor(kTwoKernels, "x86", 4, bundle);
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->kernels, 2);
  EXPECT_EQ(plan->candidates - plan->failed, 8);
  EXPECT_EQ(plan->bytes, static_cast<int64_t>(std::filesystem::file_size(bundle)));
  const DeviceMachine machine("x86", bundle);
  EXPECT_THAT(Execute(machine.Command({})).out,
              AllOf(HasSubstr(absl::StrCat(plan->candidates, " candidates measured, ", plan->failed,
                                           " of them failed")),
                    HasSubstr("kernels of one run: ")));
  // What has been measured is not measured again.
  EXPECT_THAT(Execute(machine.Command({})).out, HasSubstr("0 candidates measured"));
  const absl::StatusOr<RecordLines> lines = RecordLines::Open(machine.records());
  ASSERT_TRUE(lines.ok()) << lines.status();
  int good = 0;
  for (const Record& record : lines->found()) {
    good += record.outcome == Outcome::kGood;
    EXPECT_EQ(record.outcome == Outcome::kGood, record.resources.code_bytes > 0);
  }
  EXPECT_GE(good, 8);
}

// Reports spills for every second candidate except the default.
class SpillingCompiler : public lowering::KernelCompiler {
 public:
  std::vector<absl::StatusOr<lowering::KernelReply>> Compile(
      absl::Span<const lowering::KernelRequest> requests,
      const std::function<void(size_t index)>& done) override {
    auto replies = compiler_->Compile(requests, done);
    for (size_t i = 0; i < requests.size(); ++i) {
      if (!replies[i].ok()) continue;
      const bool is_default = requests[i].schedule.empty();
      replies[i]->resources.spilled_bytes = is_default || ++count_ % 2 == 0 ? 16 : 0;
    }
    return replies;
  }

 private:
  std::unique_ptr<lowering::KernelCompiler> compiler_ = Compiler();
  int count_ = 0;
};

TEST(PlanTest, WhatSpillsIsLeftOut) {
  const std::string bundle = TestFolder() + "/spills.bundle";
  const absl::StatusOr<PlanSummary> plan =
      PlanFor(kElementwise, "x86", 8, bundle, std::make_unique<SpillingCompiler>());
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_GT(plan->spilled, 0);
  const absl::StatusOr<Bundle> read = Bundle::Open(bundle);
  ASSERT_TRUE(read.ok()) << read.status();
  const std::vector<BundleCandidate>& candidates = read->index().kernels[0].candidates;
  EXPECT_EQ(static_cast<int64_t>(candidates.size()), plan->candidates);
  // The default is included in any case. Other candidates take the places of those that are left
  // out.
  EXPECT_TRUE(candidates.front().resources.spills());
  std::set<std::string> without;
  int good = 0;
  for (const BundleCandidate& candidate : candidates) {
    good += candidate.outcome == Outcome::kGood;
    if (candidate.resources.spilled_bytes == 0)
      without.insert(schedules::Schedule::Parse(candidate.schedule)->template_name());
  }
  EXPECT_EQ(good, 8);
  for (size_t i = 1; i < candidates.size(); ++i) {
    if (!candidates[i].resources.spills()) continue;
    EXPECT_EQ(without.count(schedules::Schedule::Parse(candidates[i].schedule)->template_name()),
              0u)
        << candidates[i].schedule;
  }
}

TEST(PlanTest, ForAGpuThatIsNotThere) {
  if (*HALYARD_PTXAS == '\0') GTEST_SKIP() << "no ptxas";
  setenv("HALYARD_PTXAS", HALYARD_PTXAS, 1);
  const std::string bundle = TestFolder() + "/h200.bundle";
  const absl::StatusOr<PlanSummary> plan = PlanFor(kTwoKernels, "cuda:h200", 2, bundle);
  unsetenv("HALYARD_PTXAS");
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->candidates - plan->failed, 4);
  EXPECT_GE(plan->cubins, 4);
  EXPECT_EQ(plan->ptx, 0);
  const absl::StatusOr<Bundle> read = Bundle::Open(bundle);
  ASSERT_TRUE(read.ok()) << read.status();
  for (const BundleKernel& kernel : read->index().kernels) {
    for (const BundleCandidate& candidate : kernel.candidates) {
      if (candidate.outcome != Outcome::kGood) continue;
      EXPECT_GT(candidate.resources.registers, 0);
      EXPECT_GT(candidate.resources.group_threads, 0);
      EXPECT_GT(candidate.resources.code_bytes, 0);
      const absl::StatusOr<KernelFacts> facts = FactsOf(kernel.request.KernelKey());
      ASSERT_TRUE(facts.ok()) << facts.status();
      Features features;
      AddCompiled(facts->device, candidate.resources, &features);
      EXPECT_EQ(features.count("ptxas.spills") + features.count("resident.threads"), 2u);
    }
  }
  const CommandResult refused =
      RunProgram(DeviceMachine("h200", bundle).Command({"HALYARD_LIBCUDA=/nowhere/libcuda.so"}));
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("bundle is for cuda:h200: "));
}

// Runs in the fake driver's interpreter.
TEST(PlanTest, CudaCandidatesRun) {
  const std::vector<std::string> with_fake = {"HALYARD_LIBCUDA=" HALYARD_BIN_DIR
                                              "/../lib/fake_libcuda.so",
                                              "HALYARD_FAKE_CUDA=interpret", "HALYARD_PTXAS="};
  std::vector<std::string> describe = {"env"};
  describe.insert(describe.end(), with_fake.begin(), with_fake.end());
  for (const char* word : {HALYARD_BIN_DIR "/halyard", "devices", "--describe=cuda"})
    describe.push_back(word);
  const std::string device = WriteTestFile("fake.device", Execute(describe).out);
  const std::string bundle = TestFolder() + "/fake.bundle";
  setenv("HALYARD_PTXAS", "", 1);
  const absl::StatusOr<PlanSummary> plan = PlanFor(kElementwise, "cuda:" + device, 2, bundle);
  unsetenv("HALYARD_PTXAS");
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->cubins, 0);
  EXPECT_GE(plan->ptx, 2);
  const DeviceMachine machine("fake", bundle);
  EXPECT_THAT(Execute(machine.Command(with_fake)).out,
              HasSubstr(absl::StrCat(plan->candidates, " candidates measured, 0 of them failed")));
  // For PTX, only what launches ask for is known.
  const absl::StatusOr<RecordLines> lines = RecordLines::Open(machine.records());
  ASSERT_TRUE(lines.ok()) << lines.status();
  for (const Record& record : lines->found()) {
    EXPECT_GT(record.resources.group_threads, 0);
    EXPECT_EQ(record.resources.registers, lowering::KernelResources::kUnknown);
  }
}

TEST(PlanTest, ADamagedBundleIsNotMeasured) {
  const std::string bundle = WriteTestFile("damaged", "HYBUNDL2 and then nothing of use at all");
  const DeviceMachine machine("damage", bundle);
  const CommandResult result = RunProgram(machine.Command({}));
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("damaged"));
  EXPECT_FALSE(std::filesystem::exists(machine.records()));
}

}  // namespace
}  // namespace halyard::autotuner
