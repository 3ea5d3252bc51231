#include "autotuner/search/tune_program.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/local_trials.h"
#include "autotuner/report/run_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/c_kernel.h"
#include "tests/autotuner/tuning_harness.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::FakeTask;
using halyard::testing::FakeTrials;
using halyard::testing::GoodRecord;
using halyard::testing::KernelOf;
using lowering::KernelReply;
using lowering::KernelRequest;
using schedules::Schedule;
using ::testing::HasSubstr;
using ::testing::Not;

class TuneProgramTest : public ::testing::Test {
 protected:
  TuneProgramTest()
      : path_(absl::StrCat(::testing::TempDir(), "/tune_program_test_", getpid(), ".sqlite")) {
    Remove();
    database_ = *Database::Open(path_, Database::Mode::kReadWrite);
  }
  ~TuneProgramTest() override { Remove(); }
  void Remove() {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
  }

  const std::string path_;
  absl::StatusOr<Database> database_ = absl::UnknownError("");
  History history_{runtime::DeviceKind::kX86};
};

std::string Exponential(int rows) {
  return absl::StrCat("HloModule k\n\nENTRY e {\n  p = f32[", rows,
                      ",64] parameter(0)\n  ROOT r = f32[", rows, ",64] exponential(p)\n}\n");
}

TEST_F(TuneProgramTest, TheBudgetGoesWhereTheProgramGainsMost) {
  // Both kernels can improve equally, but the second runs a thousand times as often.
  FakeTrials trials([](const Schedule& s) {
    const double a = std::log2(static_cast<double>(s.Get("a"))) - 5;
    const double b = std::log2(static_cast<double>(s.Get("b"))) - 5;
    return GoodRecord(1e-3 * (1 + 0.1 * (a * a + b * b)));
  });
  std::vector<KernelTask> tasks = {FakeTask(Exponential(8)), FakeTask(Exponential(16))};
  tasks[1].uses = 1000;
  ProgramTuneOptions options;
  options.kernel.most_trials = 48;
  ProgramTuner tuner(tasks, &*database_, &history_, options);
  ASSERT_TRUE(tuner.Run(trials).ok());
  EXPECT_LT(2 * tuner.kernels()[0]->trials(), tuner.kernels()[1]->trials());
  EXPECT_GE(tuner.kernels()[1]->trials(), 24);
  EXPECT_LT(tuner.best_seconds(), 0.5 * tuner.default_seconds());
  EXPECT_EQ(tuner.why_done(), "no kernel is expected to gain enough for the program");
  for (const auto& kernel : tuner.kernels()) EXPECT_TRUE(kernel->confirmed());
}

TEST_F(TuneProgramTest, StoppingKeepsWhatThereIs) {
  FakeTrials trials(
      [](const Schedule& s) { return GoodRecord(1e-3 / static_cast<double>(s.Get("a"))); });
  int asked = 0;
  ProgramTuneOptions options;
  options.stopped = [&asked] { return ++asked > 10; };
  ProgramTuner tuner({FakeTask()}, &*database_, &history_, options);
  ASSERT_TRUE(tuner.Run(trials).ok());
  EXPECT_EQ(tuner.why_done(), "stopped");
  EXPECT_GT(tuner.measured(), 2);
  EXPECT_LT(tuner.measured(), 12);
  EXPECT_EQ(*database_->Count({}), tuner.measured());
}

TEST_F(TuneProgramTest, WhatWasTunedForAnotherPlanIsOnlyRead) {
  FakeTrials trials(
      [](const Schedule& s) { return GoodRecord(1e-3 / static_cast<double>(s.Get("a"))); });
  const KernelTask shared = FakeTask(Exponential(8)), fresh = FakeTask(Exponential(16));
  ProgramTuneOptions options;
  options.kernel.most_trials = 12;
  ProgramTuner first({shared}, &*database_, &history_, options);
  ASSERT_TRUE(first.Run(trials).ok());
  const double best = first.best_seconds();
  options.kernel.most_trials = 24;  // there would be more to try
  options.settled = {shared.key};
  ProgramTuner second({shared, fresh}, &*database_, &history_, options);
  ASSERT_TRUE(second.Run(trials).ok());
  EXPECT_EQ(second.kernels()[0]->measured(), 0);
  EXPECT_EQ(second.kernels()[0]->best_seconds(), best);
  EXPECT_EQ(second.kernels()[0]->why_done(), "tuned before");
  EXPECT_GT(second.kernels()[1]->measured(), 12);
}

// Compiles like the real compiler, but turns some schedules into kernels that do harm.
class HarmfulCompiler : public lowering::KernelCompiler {
 public:
  HarmfulCompiler() : real_(Create({HALYARD_BIN_DIR "/halyard-codegen", 2, 60})) {}
  std::vector<absl::StatusOr<KernelReply>> Compile(
      absl::Span<const KernelRequest> requests, const std::function<void(size_t)>& done) override {
    std::vector<absl::StatusOr<KernelReply>> replies = real_->Compile(requests, done);
    for (size_t i = 0; i < replies.size(); ++i) {
      const std::string& line = requests[i].schedule;
      if (line.empty() || requests[i].describe || !replies[i].ok() || seen_.count(line) != 0)
        continue;
      seen_.insert(line);
      const size_t number = seen_.size();  // every other schedule from the third on
      if (number < 3 || number % 2 == 0 || harm.size() == std::size(kHarm)) continue;
      const auto& next = kHarm[harm.size()];
      replies[i]->object = KernelOf(next.name, next.body);
      harm[line] = next.outcome;
    }
    return replies;
  }

  std::map<std::string, Outcome> harm;  // by schedule

 private:
  struct Harm {
    const char *name, *body;
    Outcome outcome;
  };
  static constexpr Harm kHarm[] = {
      {"wrong", "for (int i = 0; i < 255; i++) out[i] = in[i] + in[i];", Outcome::kWrongResult},
      {"endless", "for (;;) sink++;", Outcome::kTimeout},
      {"abort", "__builtin_trap();", Outcome::kCrash},
      {"memory",
       "char *p = hyrt_malloc(0, 20ul << 30); if (!p) return -1; for (unsigned long i = 0; i < "
       "(20ul "
       "<< 30); i += 4096) p[i] = 1;",
       Outcome::kCrash},
      {"overflow", "sink = dig((volatile char *)buffers);", Outcome::kCrash},
  };
  std::unique_ptr<KernelCompiler> real_;
  std::set<std::string> seen_;
};

TEST_F(TuneProgramTest, HarmfulCandidatesNeverWinAndAreRemembered) {
  HarmfulCompiler compiler;
  KernelRequest request;
  request.hlo = R"(HloModule k

ENTRY e {
  p = f32[256] parameter(0)
  ROOT r = f32[256] add(p, p)
}
)";
  request.device = halyard::testing::InfoNamed("x86");
  ProgramSpec program;
  program.kernels.resize(1);
  program.kernels[0].name = "double";
  program.kernels[0].request = request.Serialize();
  ProgramSpec::Step step;
  step.kernel = 0;
  program.sequences.resize(1);
  program.sequences[0].steps = {step};
  absl::StatusOr<std::vector<KernelTask>> tasks = TasksOf(program, compiler);
  ASSERT_TRUE(tasks.ok()) << tasks.status();
  MeasureOptions measure;
  measure.worker_path = HALYARD_BIN_DIR "/halyard-rt";
  measure.seconds_per_trial = 3;
  LocalTrials trials(&compiler, measure, "");
  ProgramTuneOptions options;
  options.kernel.most_trials = 24;
  ProgramTuner tuner(*tasks, &*database_, &history_, options);
  const absl::Status status = tuner.Run(trials);
  ASSERT_TRUE(status.ok()) << status;
  const KernelTuner& kernel = *tuner.kernels()[0];
  ASSERT_TRUE(kernel.status().ok()) << kernel.status();
  ASSERT_EQ(compiler.harm.size(), 5u);
  for (const auto& [line, outcome] : compiler.harm) {
    const auto record = kernel.records().find(line);
    ASSERT_NE(record, kernel.records().end()) << line;
    EXPECT_EQ(OutcomeName(record->second.outcome), OutcomeName(outcome))
        << line << ": " << record->second.error;
    EXPECT_NE(kernel.best_schedule(), line);
  }
  // None of them is tried again.
  FakeTrials none([](const Schedule&) { return GoodRecord(1); });
  ProgramTuner again(*tasks, &*database_, &history_, options);
  ASSERT_TRUE(again.Run(none).ok());
  EXPECT_EQ(none.begun, 0);
}

TEST(RunLog, LinesReadBack) {
  LoggedTrial trial;
  trial.time = 1.5;
  trial.kernel = "0123";
  trial.name = "fusion.1 (add)";
  trial.uses = 3;
  trial.schedule = "row lanes=4";
  trial.outcome = Outcome::kTimeout;
  trial.error = "stopped after \"3\" s";
  trial.default_seconds = 2e-6;
  trial.best_seconds = 1e-6;
  trial.confirming = true;
  trial.resources.registers = 40;
  trial.resources.spilled_bytes = 0;
  const absl::StatusOr<LoggedTrial> back = LoggedTrialFromJson(ToJson(trial));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(*back, trial);
  EXPECT_THAT(LoggedTrialFromJson("{\"time\": 1}").status().message(), HasSubstr("field"));
  EXPECT_THAT(ToJson(trial), HasSubstr("\"registers=40 spills=0\""));
  EXPECT_THAT(ToJson(LoggedTrial()), Not(HasSubstr("resources")));
  EXPECT_FALSE(LoggedTrialFromJson("no").ok());
}

}  // namespace
}  // namespace halyard::autotuner
