#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "autotuner/measure/machine_lock.h"
#include "autotuner/measure/worker.h"
#include "autotuner/remote/remote_messages.h"
#include "autotuner/search/tune_kernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/tuning_harness.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::FakeTask;
using halyard::testing::GoodRecord;

TEST(RemoteMessagesTest, AreWhatTheyWere) {
  Work work = {"fusion.3", FakeTask().request, "test a=1 b=1", true};
  work.options.most_seconds = 0.123456789;
  work.options.cold_caches = true;
  work.schedules = {"test a=2 b=1", "test a=1 b=2"};
  absl::StatusOr<Work> got = DecodeWork(*SplitParts(EncodeWork(work)));
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_EQ(got->name, work.name);
  EXPECT_EQ(got->request.KernelKey(), work.request.KernelKey());
  EXPECT_EQ(got->best, work.best);
  EXPECT_TRUE(got->alone);
  EXPECT_EQ(got->options.most_seconds, work.options.most_seconds);
  EXPECT_TRUE(got->options.cold_caches);
  EXPECT_EQ(got->schedules, work.schedules);

  RemoteTrial trial;
  trial.place = 5;
  trial.trial.record = GoodRecord(1.0 / 3);
  trial.trial.record.schedule = "test a=2 b=1";
  trial.trial.record.version = "test 1";
  trial.trial.record.machine = "host, \"CPU\"\n";
  trial.trial.record.spread = 1e-7;
  trial.trial.record.created = 1700000000;
  trial.trial.record.resources.registers = 40;
  trial.trial.against = "test a=1 b=1";
  trial.trial.against_seconds = 0.1;
  trial.trial.verdict = Verdict::kSlower;
  absl::StatusOr<RemoteTrial> back = DecodeTrial(*SplitParts(EncodeTrial(trial)));
  ASSERT_TRUE(back.ok()) << back.status();
  EXPECT_EQ(back->place, 5);
  EXPECT_EQ(back->trial.record, trial.trial.record);
  EXPECT_EQ(back->trial.against, "test a=1 b=1");
  EXPECT_EQ(back->trial.against_seconds, 0.1);
  EXPECT_EQ(back->trial.verdict, Verdict::kSlower);
}

TEST(RemoteMessagesTest, OthersAreRefused) {
  EXPECT_FALSE(DecodeWork({kWork}).ok());
  EXPECT_FALSE(DecodeWork({kWork, "k", "no request", "", "0", ""}).ok());
  EXPECT_FALSE(DecodeTrial({kTrial, "x", "0", "", "", "", "", ""}).ok());
  EXPECT_FALSE(DecodeHello({kHello, "v", "h", "0"}).ok());
}

// Returns whether another process can get the lock within some seconds. The end of that process
// releases it.
bool AnotherCanHold(const std::string& name, bool shared, unsigned seconds = 60) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds);  // ends the process if it cannot get the lock
    absl::StatusOr<std::unique_ptr<MachineLock>> lock = MachineLock::Open(name);
    if (!lock.ok()) _exit(2);
    MachineLock::Hold hold(lock->get(), shared);
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(MachineLockTest, WhatIsMeasuredIsAlone) {
  const std::string name = "test-" + std::to_string(getpid());
  absl::StatusOr<std::unique_ptr<MachineLock>> lock = MachineLock::Open(name);
  ASSERT_TRUE(lock.ok()) << lock.status();
  EXPECT_TRUE(AnotherCanHold(name, /*shared=*/false));
  {
    MachineLock::Hold compiling(lock->get(), /*shared=*/true);
    EXPECT_TRUE(AnotherCanHold(name, /*shared=*/true));
    EXPECT_FALSE(AnotherCanHold(name, /*shared=*/false, 1));
  }
  {
    MachineLock::Hold measuring(lock->get(), /*shared=*/false);
    { MachineLock::Hold inside(lock->get(), /*shared=*/true); }
    EXPECT_FALSE(AnotherCanHold(name, /*shared=*/true, 1));
  }
  EXPECT_TRUE(AnotherCanHold(name, /*shared=*/false));
  const char* folder = getenv("TMPDIR");
  std::filesystem::remove(std::string(folder != nullptr && *folder != '\0' ? folder : "/tmp") +
                          "/halyard-" + std::to_string(geteuid()) + "-" + name + ".lock");
}

}  // namespace
}  // namespace halyard::autotuner
