// Tests candidates that do harm, each of which costs only itself.
#include "autotuner/measure/measure.h"

#include <unistd.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "autotuner/measure/trial_rules.h"
#include "autotuner/measure/worker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/c_kernel.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::DoubleData;
using halyard::testing::KernelOf;
using ::testing::HasSubstr;

constexpr char kDouble[] = "for (int i = 0; i < 256; i++) out[i] = in[i] * 2;";

class MeasurerTest : public ::testing::Test {
 protected:
  MeasurerTest() : measurer_(Options()) {
    const absl::Status status = measurer_.SetData(DoubleData());
    EXPECT_TRUE(status.ok()) << status;
  }
  static MeasureOptions Options() {
    MeasureOptions options;
    options.worker_path = HALYARD_BIN_DIR "/halyard-rt";
    options.threads = 1;
    options.seconds_per_trial = 3;
    return options;
  }
  TrialResult Try(const std::string& name, const std::string& body) {
    const absl::StatusOr<TrialResult> result = measurer_.Try(KernelOf(name, body), {});
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? *result : TrialResult();
  }
  Measurer measurer_;
};

#ifdef __SANITIZE_ADDRESS__  // its reports end the process
constexpr char kFault[] = "ended with status 1", kNoMemory[] = "ended with status 1";
#else
constexpr char kFault[] = "signal 11", kNoMemory[] = "failed with -1";
#endif

TEST_F(MeasurerTest, BadCandidatesCostThemselvesAlone) {
  const TrialResult first = Try("right", kDouble);
  EXPECT_EQ(first.outcome, Outcome::kGood) << first.error;
  EXPECT_EQ(first.verdict, Verdict::kFaster);
  struct {
    const char *name, *body;
    Outcome outcome;
    const char* error;
  } const kBad[] = {
      {"wrong", "for (int i = 0; i < 256; i++) out[i] = in[i] * (i == 77 ? 3 : 2);",
       Outcome::kWrongResult, "element 77 is 231, not 154"},
      {"abort", "__builtin_trap();", Outcome::kCrash, "signal 4"},
      {"segv", "*(volatile int *)8 = 1;", Outcome::kCrash, kFault},
      {"overflow", "sink = dig((volatile char *)buffers);", Outcome::kCrash, kFault},
      {"endless", "for (;;) sink++;", Outcome::kTimeout, "stopped after 3 s"},
      {"memory",
       "char *p = hyrt_malloc(0, 20ul << 30); if (!p) return -1; for (unsigned long i = 0; i < "
       "(20ul << 30); "
       "i += 4096) p[i] = 1;",
       Outcome::kCrash, kNoMemory},
      {"before", "for (int i = 0; i < 256; i++) out[i] = in[i] * 2; out[-1] = 0;",
       Outcome::kWrongResult, "memory beside it was written"},
      {"after", "for (int i = 0; i < 257; i++) out[i] = in[i] * 2;", Outcome::kWrongResult,
       "memory beside it was written"},
      {"less", "for (int i = 0; i < 255; i++) out[i] = in[i] * 2;", Outcome::kWrongResult,
       "element 255 is "},
      {"once",
       "static int runs; for (int i = 0; i < 256; i++) out[i] = in[i] * (runs ? 3 : 2); runs = 1;",
       Outcome::kWrongResult, "in a later run"},
  };
  for (const auto& bad : kBad) {
    const TrialResult result = Try(bad.name, bad.body);
    EXPECT_EQ(static_cast<int>(result.outcome), static_cast<int>(bad.outcome))
        << bad.name << ": " << result.error;
    EXPECT_THAT(result.error, HasSubstr(bad.error)) << bad.name;
    EXPECT_EQ(result.verdict, Verdict::kSlower) << bad.name;
  }
  // The best has outlived them: candidates are timed beside it, and a slow right one does not win.
  const TrialResult slow = Try("slow",
                               "for (int r = 0; r < 3000; r++) { sink = r; for (int i = 0; i < "
                               "256; i++) out[i] = in[i] * 2; }");
  EXPECT_EQ(slow.outcome, Outcome::kGood) << slow.error;
  EXPECT_EQ(slow.verdict, Verdict::kSlower);
  EXPECT_GT(slow.best_seconds, 0);
  EXPECT_GE(measurer_.workers_started(), 5);
}

// Returns a kernel that is right in the process that runs it first, and wrong in all others: it
// leaves a file.
std::string RightInOneProcess(const std::string& file) {
  return absl::StrCat(R"(
  static int mine;
  if (!mine) {
    long made;
    __asm__ volatile("syscall" : "=a"(made) : "a"(2L), "D"(")",
                      file, R"("), "S"(0301L), "d"(0600L)
                     : "rcx", "r11", "memory");
    mine = made >= 0 ? 2 : 1;
  }
  for (int i = 0; i < 256; i++) out[i] = in[i] * (mine == 2 ? 2 : 3);
)");
}

TEST_F(MeasurerTest, TheBestIsCheckedInASecondProcess) {
  const std::string file = absl::StrCat(::testing::TempDir(), "/measure_test_", getpid());
  const std::string object = KernelOf("one_process", RightInOneProcess(file));
  absl::StatusOr<TrialResult> first = measurer_.Try(object, {});
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->outcome, Outcome::kGood) << first->error;
  const TrialOptions confirming = ConfirmingTrials({}, 6);
  EXPECT_TRUE(confirming.new_process);
  ASSERT_TRUE(measurer_.SetData(DoubleData()).ok());
  absl::StatusOr<TrialResult> second = measurer_.Try(object, confirming);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_EQ(second->outcome, Outcome::kWrongResult);
  EXPECT_THAT(second->error, HasSubstr("element 1 is 3, not 2"));
  unlink(file.c_str());
}

// The oracle has computed elements 0, 100 and 255 only.
TrialData SampledData() {
  TrialData data = DoubleData();
  data.samples = {{4, {256}, {{0, 100, 255}}}};
  for (TrialCase& one : data.cases) one.expected[0] = SampleOf(one.expected[0], data.samples[0]);
  return data;
}

TEST_F(MeasurerTest, TheFirstRightCandidateGivesWhatTheOracleHasNotComputed) {
  ASSERT_TRUE(measurer_.SetData(SampledData()).ok());
  const TrialResult in_sample =
      Try("in_sample", "for (int i = 0; i < 256; i++) out[i] = in[i] * (i == 100 ? 3 : 2);");
  EXPECT_EQ(in_sample.outcome, Outcome::kWrongResult);
  EXPECT_THAT(in_sample.error, HasSubstr("in the sample, element 1 is 300, not 200"));
  // A first candidate that leaves an element as it was does not become the reference.
  const TrialResult less =
      Try("less", "for (int i = 0; i < 256; i++) if (i != 77) out[i] = in[i] * 2;");
  EXPECT_EQ(less.outcome, Outcome::kWrongResult);
  EXPECT_THAT(less.error, HasSubstr("element 77 is "));
  EXPECT_THAT(less.error, HasSubstr("in a later run"));
  const TrialResult first = Try("right", kDouble);
  EXPECT_EQ(first.outcome, Outcome::kGood) << first.error;
  // Wrong where only the reference knows. That survives the worker.
  const char* wrong = "for (int i = 0; i < 256; i++) out[i] = in[i] * (i == 77 ? 3 : 2);";
  const char* error = "beside the reference schedule's output, element 77 is 231, not 154";
  EXPECT_THAT(Try("wrong", wrong).error, HasSubstr(error));
  EXPECT_EQ(Try("segv", "*(volatile int *)8 = 1;").outcome, Outcome::kCrash);
  const TrialResult after = Try("wrong", wrong);
  EXPECT_EQ(after.outcome, Outcome::kWrongResult);
  EXPECT_THAT(after.error, HasSubstr(error));
  EXPECT_EQ(Try("again", kDouble).outcome, Outcome::kGood);
}

TEST_F(MeasurerTest, AReferenceIsGivenBeforeTheBest) {
  ASSERT_TRUE(measurer_.SetData(SampledData()).ok());
  const absl::StatusOr<TrialResult> wrong = measurer_.SetReference(
      KernelOf("bad", "for (int i = 0; i < 256; i++) out[i] = in[i] * (i == 255 ? 3 : 2);"));
  ASSERT_TRUE(wrong.ok()) << wrong.status();
  EXPECT_EQ(wrong->outcome, Outcome::kWrongResult);
  const absl::StatusOr<TrialResult> right = measurer_.SetReference(KernelOf("right", kDouble));
  ASSERT_TRUE(right.ok()) << right.status();
  EXPECT_EQ(right->outcome, Outcome::kGood) << right->error;
  EXPECT_EQ(
      Try("wrong", "for (int i = 0; i < 256; i++) out[i] = in[i] * (i == 77 ? 3 : 2);").outcome,
      Outcome::kWrongResult);
}

TEST(Measurer, AMissingWorkerIsAnError) {
  MeasureOptions options;
  options.worker_path = "/no/such/halyard-rt";
  Measurer measurer(options);
  EXPECT_EQ(measurer.SetData({}).code(), absl::StatusCode::kNotFound);
}

// An outcome that the reader did not know lost the rank that told of it.
TEST(WorkerMessages, EveryOutcomeComesBack) {
  for (int outcome = 0; outcome <= static_cast<int>(kLastOutcome); ++outcome) {
    TrialResult result;
    result.outcome = static_cast<Outcome>(outcome);
    const absl::StatusOr<TrialResult> back = DecodeResult(EncodeResult(result));
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->outcome, result.outcome);
  }
}

TEST(WorkerMessages, DamagedOnesAreRefused) {
  TrialData data;
  data.cases = {{"", {"abcd"}, {"efgh"}, {{.type = hlo::ElementType::kF32, .of_largest = 0.5}}}};
  data.aliases = {{0, 0}};
  data.samples = {{1, {9}, {{0, 2, 5, 8}}}};
  const absl::StatusOr<TrialData> read = DecodeData(EncodeData(data));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->samples.size(), 1u);
  EXPECT_EQ(read->samples[0].indices, data.samples[0].indices);
  EXPECT_EQ(read->OutputBytes(0), 9u);
  const std::string message = EncodeData(data);
  TrialRunner runner(nullptr);
  for (size_t cut = 0; cut + 1 < message.size(); ++cut) {
    EXPECT_EQ(AnswerMessage(runner, message.substr(0, cut)).status().code(),
              absl::StatusCode::kDataLoss)
        << cut;
  }
  TrialResult result;
  result.error = std::string("a\0b", 3);
  result.seconds = 1.5e-7;
  result.verdict = Verdict::kEqual;
  const absl::StatusOr<TrialResult> back = DecodeResult(EncodeResult(result));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->error, result.error);
  EXPECT_EQ(back->seconds, result.seconds);
  EXPECT_EQ(back->verdict, Verdict::kEqual);
}

}  // namespace
}  // namespace halyard::autotuner
