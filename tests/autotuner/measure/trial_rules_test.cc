#include "autotuner/measure/trial_rules.h"

#include "gtest/gtest.h"

namespace halyard::autotuner {
namespace {

Record Good(double seconds) {
  Record record;
  record.seconds = seconds;
  record.spread = 0.1 * seconds;
  return record;
}

// The best's record says 2 s, but the machine is now half as fast.
TEST(TrialRules, TheRatioIsWhatIsKept) {
  Record faster = Good(3);
  PutOnScale(2, 4, Verdict::kFaster, &faster);
  EXPECT_DOUBLE_EQ(faster.seconds, 1.5);
  EXPECT_DOUBLE_EQ(faster.spread, 0.15);
  Record slower = Good(6);
  PutOnScale(2, 4, Verdict::kSlower, &slower);
  EXPECT_DOUBLE_EQ(slower.seconds, 3);
}

// Otherwise a compile, which takes the record with the fewest seconds, might choose a schedule that
// was never known to be faster.
TEST(TrialRules, WhatIsNotKnownToBeFasterComesAfterTheBest) {
  for (const Verdict verdict : {Verdict::kEqual, Verdict::kUndecided}) {
    for (const double seconds : {3.9, 4.0}) {
      Record record = Good(seconds);
      PutOnScale(2, 4, verdict, &record);
      EXPECT_GT(record.seconds, 2);
      EXPECT_LT(record.seconds, 2.001);
    }
  }
}

TEST(TrialRules, WithoutABestOrATimeNothingChanges) {
  Record first = Good(3);
  PutOnScale(0, 0, Verdict::kFaster, &first);
  EXPECT_EQ(first.seconds, 3);
  Record failed;
  failed.outcome = Outcome::kCrash;
  PutOnScale(2, 4, Verdict::kSlower, &failed);
  EXPECT_EQ(failed.seconds, 0);
}

// LocalTrials uses careful_ratio, and not the medians.
TEST(TrialRules, TheOthersSecondsAreByTheCarefulRatio) {
  TrialResult result;
  EXPECT_EQ(result.against_seconds(), 0);
  result.seconds = 3;
  result.best_seconds = 6;
  result.ratio = 0.75;
  EXPECT_DOUBLE_EQ(result.against_seconds(), 4);
}

TEST(TrialRules, HowACompileFailedIsTold) {
  EXPECT_EQ(OutcomeOfCompile(absl::OutOfRangeError("504 registers")), Outcome::kUnfit);
  EXPECT_EQ(OutcomeOfCompile(absl::DeadlineExceededError("60 s")), Outcome::kTimeout);
  EXPECT_EQ(OutcomeOfCompile(absl::InternalError("std::bad_alloc")), Outcome::kOutOfMemory);
  EXPECT_EQ(OutcomeOfCompile(absl::InternalError("the code generator died of signal 6")),
            Outcome::kCrash);
  EXPECT_EQ(OutcomeOfCompile(absl::InternalError("Halide says no")), Outcome::kCompileError);
}

}  // namespace
}  // namespace halyard::autotuner
