#include "autotuner/search/tune_kernel.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>

#include "autotuner/measure/local_trials.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/tuning_harness.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::FailedRecord;
using halyard::testing::FakeTask;
using halyard::testing::FakeTrials;
using halyard::testing::GoodRecord;
using schedules::Schedule;
using ::testing::HasSubstr;

std::string TemporaryDatabase() {
  static int number = 0;
  const std::string path = ::testing::TempDir() + "/tune_kernel_test_" + std::to_string(getpid()) +
                           "_" + std::to_string(number++) + ".sqlite";
  std::filesystem::remove(path);
  return path;
}

class TuneKernelTest : public ::testing::Test {
 protected:
  TuneKernelTest() : database_(*Database::Open(TemporaryDatabase(), Database::Mode::kReadWrite)) {}
  ~TuneKernelTest() override {
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(database_.path() + end);
  }

  // Tunes until the kernel is done and confirmed.
  absl::Status Tune(KernelTuner& tuner, Trials& trials) {
    if (absl::Status s = tuner.Resume(); !s.ok()) return s;
    while (!tuner.done()) {
      if (absl::Status s = tuner.Step(trials); !s.ok()) return s;
    }
    return tuner.Confirm(trials);
  }
  KernelTuner NewTuner(const KernelTask& task, const KernelTuneOptions& options = {}) {
    return KernelTuner(task, &database_, &history_, options);
  }

  Database database_;
  History history_{runtime::DeviceKind::kX86};
};

// Returns a time with one valley: the fastest schedule is a=16 b=4.
double Valley(const Schedule& schedule) {
  const double a = std::log2(static_cast<double>(schedule.Get("a"))) - 4,
               b = std::log2(static_cast<double>(schedule.Get("b"))) - 2;
  return 1e-3 * (1 + 0.3 * (a * a + b * b));
}

TEST_F(TuneKernelTest, FindsTheFastestAndKeepsARecordOfEachTrial) {
  FakeTrials trials([](const Schedule& s) { return GoodRecord(Valley(s)); });
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 48});
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_EQ(tuner.default_schedule(), "test a=1 b=1");
  EXPECT_EQ(tuner.best_schedule(), "test a=16 b=4");
  EXPECT_NEAR(tuner.best_seconds(), 1e-3, 1e-9);
  EXPECT_NEAR(tuner.default_seconds(), 7e-3, 1e-9);
  EXPECT_TRUE(tuner.confirmed());
  EXPECT_LE(tuner.trials(), 48);
  EXPECT_EQ(*database_.Count({}), tuner.trials());
  EXPECT_EQ((*database_.Best({.kernel = FakeTask().key}))->schedule, "test a=16 b=4");
  // the best is confirmed
  for (const auto& [line, count] : trials.tried) EXPECT_LE(count, 2) << line;
}

TEST_F(TuneKernelTest, GoesOnWhereItStoppedAndMeasuresNothingAgain) {
  auto answer = [](const Schedule& s) {
    return s.Get("b") == 128 ? FailedRecord(Outcome::kTimeout, "stopped") : GoodRecord(Valley(s));
  };
  FakeTrials first(answer);
  KernelTuner half = NewTuner(FakeTask(), {.most_trials = 24});
  ASSERT_TRUE(Tune(half, first).ok());
  FakeTrials second(answer);
  second.load = 3;  // the machine is slower now, but the records stay on one scale
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 64, .patience = 1000});
  ASSERT_TRUE(Tune(tuner, second).ok());
  EXPECT_EQ(tuner.trials(), 64);
  EXPECT_EQ(tuner.why_done(), "every schedule was tried");
  for (const auto& [line, count] : first.tried) {
    if (line != tuner.best_schedule() && line != half.best_schedule()) {
      EXPECT_EQ(second.tried.count(line), 0u) << line;
    }
  }
  EXPECT_EQ(tuner.best_schedule(), "test a=16 b=4");
  for (const auto& [line, record] : tuner.records()) {
    if (record.outcome == Outcome::kGood) {
      EXPECT_NEAR(record.seconds, Valley(*Schedule::Parse(line)), 1e-9) << line;
    }
  }
  // If nothing is left to do, nothing is measured.
  FakeTrials third(answer);
  KernelTuner again = NewTuner(FakeTask(), {.most_trials = 64, .patience = 1000});
  ASSERT_TRUE(Tune(again, third).ok());
  EXPECT_EQ(third.begun, 0);
}

// The default's record was pruned, or is that of a Halyard with another default. The machine's load
// must not decide what is fastest.
TEST_F(TuneKernelTest, ADefaultWithoutARecordGoesOntoTheScaleOfTheOthers) {
  for (const double load : {0.1, 10.0}) {
    Database records = *Database::Open(TemporaryDatabase(), Database::Mode::kReadWrite);
    for (const auto& [line, seconds] :
         {std::pair{"test a=16 b=4", 1e-3}, {"test a=8 b=4", 1.3e-3}}) {
      Record record = GoodRecord(seconds);
      record.kernel = FakeTask().key;
      record.device = FakeTask().device;
      record.schedule = line;
      record.version = VersionOfLine(line);
      record.rounds = 40;
      ASSERT_TRUE(records.Put({record}).ok());
    }
    FakeTrials trials([](const Schedule& s) { return GoodRecord(Valley(s)); });
    trials.load = load;
    KernelTuner tuner(FakeTask(), &records, &history_, {.most_trials = 20});
    ASSERT_TRUE(Tune(tuner, trials).ok());
    EXPECT_NEAR(tuner.default_seconds(), 7e-3, 1e-9) << load;
    EXPECT_EQ(tuner.best_schedule(), "test a=16 b=4") << load;
    EXPECT_NEAR(tuner.best_seconds(), 1e-3, 1e-9) << load;
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(records.path() + end);
  }
}

TEST_F(TuneKernelTest, WhereNoOtherRecordWorksTheDefaultIsTheScale) {
  Record gone = GoodRecord(1e-6);
  gone.kernel = FakeTask().key;
  gone.device = FakeTask().device;
  gone.schedule = "test a=16 b=4";
  gone.version = VersionOfLine(gone.schedule);
  ASSERT_TRUE(database_.Put({gone}).ok());
  FakeTrials trials([](const Schedule& s) {
    return s.ToString() == "test a=16 b=4" ? FailedRecord(Outcome::kCompileError, "no more")
                                           : GoodRecord(Valley(s));
  });
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 60, .patience = 1000});
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_EQ(tuner.records().at("test a=16 b=4").error, "no more");
  EXPECT_NEAR(tuner.default_seconds(), 7e-3, 1e-9);
  EXPECT_NEAR(tuner.best_seconds(), Valley(*Schedule::Parse(tuner.best_schedule())), 1e-9);
}

TEST_F(TuneKernelTest, ABestThatFailsNowIsAFailedCandidate) {
  FakeTrials first([](const Schedule& s) { return GoodRecord(Valley(s)); });
  KernelTuner before = NewTuner(FakeTask(), {.most_trials = 40});
  ASSERT_TRUE(Tune(before, first).ok());
  ASSERT_EQ(before.best_schedule(), "test a=16 b=4");
  FakeTrials second([](const Schedule& s) {
    return s.ToString() == "test a=16 b=4" ? FailedRecord(Outcome::kCompileError, "no more")
                                           : GoodRecord(Valley(s));
  });
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 60, .patience = 1000});
  ASSERT_TRUE(Tune(tuner, second).ok());
  EXPECT_EQ(tuner.records().at("test a=16 b=4").error, "no more");
  EXPECT_NE(tuner.best_schedule(), "test a=16 b=4");
  EXPECT_NEAR(tuner.best_seconds(), 1.3e-3, 1e-9);
}

TEST_F(TuneKernelTest, ALuckySampleIsNotTheBest) {
  // Every schedule takes the same time, but the first measurement of each except the default gives
  // half of it.
  std::map<std::string, int> seen;
  FakeTrials trials([&seen](const Schedule& s) {
    const bool lucky = s.Get("a") != 1 && seen[s.ToString()]++ == 0;
    return GoodRecord(lucky ? 5e-4 : 1e-3);
  });
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 40});
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_NEAR(tuner.best_seconds(), tuner.default_seconds(), 1e-9);
  EXPECT_NEAR((*database_.Best({}))->seconds, tuner.default_seconds(), 1e-9);
}

TEST_F(TuneKernelTest, ADefaultThatIsWrongEndsTheKernelWithItsError) {
  FakeTrials trials([](const Schedule&) {
    return FailedRecord(Outcome::kWrongResult, "output 0: element 3 is 1, not 2");
  });
  KernelTuner tuner = NewTuner(FakeTask());
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_TRUE(tuner.done());
  EXPECT_THAT(tuner.status().message(), HasSubstr("element 3 is 1, not 2"));
  EXPECT_FALSE((*database_.Best({})).has_value());
}

TEST_F(TuneKernelTest, AScheduleThatIsUnfitIsNoTrial) {
  FakeTrials trials([](const Schedule& s) {
    return s.Get("a") > 4 ? FailedRecord(Outcome::kUnfit, "some 504 registers of a thread")
                          : GoodRecord(Valley(s));
  });
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 20, .patience = 1000});
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_EQ(tuner.trials(), 20);
  EXPECT_GT(tuner.records().size(), 20u);  // so they are not proposed again
  EXPECT_EQ(tuner.why_done(), "all trials are used");
  const KernelTask lone = FakeTask(
      "HloModule k\n\nENTRY e {\n  p = f32[9] parameter(0)\n  ROOT r = "
      "f32[9] exponential(p)\n}\n");
  FakeTrials none([](const Schedule& s) {
    return s.Get("a") + s.Get("b") > 2 ? FailedRecord(Outcome::kUnfit, "too large") : GoodRecord(1);
  });
  KernelTuner few = NewTuner(lone, {.most_trials = 4, .patience = 1000});
  ASSERT_TRUE(Tune(few, none).ok());
  EXPECT_EQ(few.trials(), 1);
  EXPECT_EQ(few.why_done(), "too few schedules fit");
}

TEST_F(TuneKernelTest, StopsWhenNothingIsGained) {
  FakeTrials trials([](const Schedule&) { return GoodRecord(1e-3); });
  KernelTuner tuner = NewTuner(FakeTask(), {.patience = 20});
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_THAT(tuner.why_done(), HasSubstr("gained too little"));
  EXPECT_LT(tuner.trials(), 40);
}

TEST_F(TuneKernelTest, SimilarKernelsSchedulesAreTriedFirst) {
  FakeTrials trials([](const Schedule& s) { return GoodRecord(Valley(s)); });
  KernelTuner small = NewTuner(FakeTask(), {.most_trials = 64, .patience = 1000});
  ASSERT_TRUE(Tune(small, trials).ok());
  FakeTrials others([](const Schedule& s) { return GoodRecord(Valley(s)); });
  const KernelTask larger = FakeTask(R"(HloModule k

ENTRY e {
  p = f32[128,256] parameter(0)
  ROOT r = f32[128,256] exponential(p)
}
)");
  KernelTuner tuner = NewTuner(larger, {.most_trials = 4});
  ASSERT_TRUE(Tune(tuner, others).ok());
  EXPECT_EQ(tuner.best_schedule(), "test a=16 b=4");
}

// Compiles first. Schedules with a=32 or more spill.
class CompilingTrials : public FakeTrials {
 public:
  using FakeTrials::FakeTrials;
  double compiled_for_each() const override { return 1.5; }
  std::vector<absl::StatusOr<lowering::KernelResources>> Compile(
      absl::Span<const std::string> schedules) override {
    std::vector<absl::StatusOr<lowering::KernelResources>> all;
    for (const std::string& line : schedules) {
      ++compiled;
      lowering::KernelResources resources;
      resources.spilled_bytes = Schedule::Parse(line)->Get("a") >= 32 ? 64 : 0;
      all.push_back(resources);
    }
    return all;
  }
  int compiled = 0;
};

TEST_F(TuneKernelTest, WhatSpillsIsNotMeasuredWhileOthersDoNot) {
  int spilling = 0;
  CompilingTrials trials([&spilling](const Schedule& s) {
    spilling += s.Get("a") >= 32;
    return GoodRecord(Valley(s));
  });
  KernelTuner tuner = NewTuner(FakeTask(), {.most_trials = 24});
  ASSERT_TRUE(Tune(tuner, trials).ok());
  EXPECT_EQ(tuner.trials(), 24);
  // The default and the first batch of 8 are not chosen by their compiles.
  EXPECT_EQ(trials.compiled, (24 - 9) * 3 / 2);
  EXPECT_LE(spilling, 8);
  EXPECT_EQ(tuner.best_schedule(), "test a=16 b=4");
  // What is left out is not lost: with enough time, every schedule is measured once.
  KernelTuner all = NewTuner(FakeTask(), {.most_trials = 1000, .patience = 1000});
  ASSERT_TRUE(Tune(all, trials).ok());
  EXPECT_EQ(all.trials(), 64);
  EXPECT_EQ(all.why_done(), "every schedule was tried");
  // the best is confirmed
  for (const auto& [line, count] : trials.tried) EXPECT_LE(count, 3) << line;
}

TEST_F(TuneKernelTest, CompilingFirstProposesTheSameForASeed) {
  std::vector<std::map<std::string, int>> tried;
  for (int run = 0; run < 2; ++run) {
    Database database = *Database::Open(TemporaryDatabase(), Database::Mode::kReadWrite);
    History history(runtime::DeviceKind::kX86);
    CompilingTrials trials([](const Schedule& s) { return GoodRecord(Valley(s)); });
    KernelTuner tuner(FakeTask(), &database, &history, {.most_trials = 32});
    ASSERT_TRUE(Tune(tuner, trials).ok());
    tried.push_back(trials.tried);
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(database.path() + end);
  }
  EXPECT_EQ(tried[0], tried[1]);
}

constexpr char kSoftmax[] = R"(HloModule k

max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }

ENTRY e {
  x = f32[64,96] parameter(0)
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[64] reduce(x, low), dimensions={1}, to_apply=max
  mb = f32[64,96] broadcast(m), dimensions={0}
  d = f32[64,96] subtract(x, mb)
  n = f32[64,96] exponential(d)
  s = f32[64] reduce(n, zero), dimensions={1}, to_apply=sum
  sb = f32[64,96] broadcast(s), dimensions={0}
  ROOT r = f32[64,96] divide(n, sb)
}
)";

// Returns a task of the kernel for a device that is here.
absl::StatusOr<KernelTask> RealTask(const std::string& hlo, const std::string& device,
                                    lowering::KernelCompiler& compiler) {
  lowering::KernelRequest request;
  request.hlo = hlo;
  request.device = halyard::testing::InfoNamed(device);
  ProgramSpec program;
  program.kernels.resize(1);
  program.kernels[0].name = "kernel";
  program.kernels[0].request = request.Serialize();
  program.sequences.resize(1);
  ProgramSpec::Step step;
  step.kernel = 0;
  program.sequences[0].steps = {step, step};
  absl::StatusOr<std::vector<KernelTask>> tasks = TasksOf(program, compiler);
  if (!tasks.ok()) return tasks.status();
  return (*tasks)[0];
}

class RealTuneTest : public TuneKernelTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(RealTuneTest, SoftmaxIsTunedAndChecked) {
  const std::string device = GetParam();
  if (halyard::testing::DeviceNamed(device) == nullptr) GTEST_SKIP() << "no " << device;
  auto compiler = lowering::KernelCompiler::Create({HALYARD_BIN_DIR "/halyard-codegen", 2, 60});
  absl::StatusOr<KernelTask> task = RealTask(kSoftmax, device, *compiler);
  ASSERT_TRUE(task.ok()) << task.status();
  EXPECT_EQ(task->uses, 2);
  ASSERT_FALSE(task->space.empty());
  MeasureOptions measure;
  measure.worker_path = HALYARD_BIN_DIR "/halyard-rt";
  measure.target = device;
  LocalTrials trials(compiler.get(), measure, "");
  KernelTuner tuner = NewTuner(*task, {.most_trials = 12});
  const absl::Status status = Tune(tuner, trials);
  ASSERT_TRUE(status.ok()) << status;
  ASSERT_TRUE(tuner.status().ok()) << tuner.status();
  EXPECT_GE(tuner.trials(), 12);
  EXPECT_GT(tuner.default_seconds(), 0);
  EXPECT_LE(tuner.best_seconds(), tuner.default_seconds());
  int good = 0;
  for (const auto& [line, record] : tuner.records()) {
    good += record.outcome == Outcome::kGood;
    EXPECT_NE(record.outcome, Outcome::kWrongResult) << line << ": " << record.error;
    EXPECT_EQ(record.version, VersionOfLine(line));
  }
  EXPECT_GE(good, 6);
}

INSTANTIATE_TEST_SUITE_P(Devices, RealTuneTest, ::testing::Values("x86", "vulkan"));

}  // namespace
}  // namespace halyard::autotuner
