#include "autotuner/remote/remote_trials.h"

#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <thread>

#include "autotuner/measure/machine_lock.h"
#include "autotuner/measure/worker.h"
#include "autotuner/remote/remote_service.h"
#include "autotuner/search/tune_kernel.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/autotuner/tuning_harness.h"

namespace halyard::autotuner {
namespace {

using halyard::testing::FailedRecord;
using halyard::testing::FakeTask;
using halyard::testing::FakeTrials;
using halyard::testing::GoodRecord;
using schedules::Schedule;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

double Valley(const Schedule& schedule) {
  const double a = std::log2(static_cast<double>(schedule.Get("a"))) - 4,
               b = std::log2(static_cast<double>(schedule.Get("b"))) - 2;
  return 1e-3 * (1 + 0.3 * (a * a + b * b));
}

Record InValley(const Schedule& schedule) { return GoodRecord(Valley(schedule)); }

std::vector<std::string> Lines(int count) {
  std::vector<std::string> lines;
  for (int i = 0; i < count; ++i)
    lines.push_back(Schedule("test").Set("a", 1 << (i % 8)).Set("b", 1 << (i / 8)).ToString());
  return lines;
}

// The space of a task is not sent: only the compiler on the other side knows which line is the
// default.
class FakeTrialsThere : public FakeTrials {
 public:
  using FakeTrials::FakeTrials;
  absl::StatusOr<Trial> Begin(const KernelTask& task, const std::string& best) override {
    return FakeTrials::Begin(task, best.empty() ? "test a=1 b=1" : best);
  }
};

// Processes that measure run as threads of this one.
class RemoteTrialsTest : public ::testing::Test {
 protected:
  struct Server {
    explicit Server(FakeTrials::Answer answer) : trials(std::move(answer)) {}
    FakeTrialsThere trials;
    int socket = -1;
    std::atomic<bool> lost = false, ended = false;
    std::thread thread;
  };

  ~RemoteTrialsTest() override {
    for (const auto& server : servers_) server->thread.join();
  }

  // `answer` may end its own stream by calling `Cut` with the server's place.
  Server& Add(FakeTrials::Answer answer = InValley) {
    return AddOf(FakeTask().request.device, std::move(answer));
  }
  Server& AddOf(const runtime::DeviceInfo& device, FakeTrials::Answer answer = InValley) {
    servers_.push_back(std::make_unique<Server>(std::move(answer)));
    Server& server = *servers_.back();
    int sockets[2];
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets), 0);
    server.socket = sockets[1];
    peers_.push_back({"rank " + std::to_string(servers_.size()), sockets[0]});
    server.thread = std::thread([&server, device] {
      ServiceOptions options;
      options.alive_seconds = 0.05;
      options.lost = [&server] { server.lost = true; };
      server.ended = ServeRemoteTrials(server.socket, server.trials, device, options);
    });
    return server;
  }
  void Cut(size_t server) { (void)shutdown(servers_[server]->socket, SHUT_RDWR); }

  std::unique_ptr<RemoteTrials> Connect(RemoteOptions options = {}) {
    options.warn = [this](const std::string& message) { warnings_.push_back(message); };
    return std::make_unique<RemoteTrials>(std::move(peers_), std::move(options));
  }

  std::vector<std::unique_ptr<Server>> servers_;
  std::vector<RemotePeer> peers_;
  std::vector<std::string> warnings_;
};

TEST_F(RemoteTrialsTest, EachCandidateIsMeasuredOnceAndAllProcessesTakePart) {
  for (int i = 0; i < 3; ++i) {
    Add([](const Schedule& s) {
      usleep(1000);
      return InValley(s);
    });
  }
  std::unique_ptr<RemoteTrials> trials = Connect();
  EXPECT_EQ(trials->width(), 6);
  absl::StatusOr<Trial> begun = trials->Begin(FakeTask(), "");
  ASSERT_TRUE(begun.ok()) << begun.status();
  EXPECT_EQ(begun->record.schedule, "test a=1 b=1");
  EXPECT_EQ(begun->record.kernel, FakeTask().key);
  EXPECT_EQ(begun->record.device, "fake x86");
  // A schedule that was begun, or has come out of Run, is not measured again.
  EXPECT_EQ(trials->Begin(FakeTask(), "test a=1 b=1")->record.schedule, "test a=1 b=1");
  EXPECT_EQ(servers_[0]->trials.begun + servers_[1]->trials.begun + servers_[2]->trials.begun, 1);
  std::vector<int> told(64);
  const std::vector<std::string> lines = Lines(64);
  absl::StatusOr<std::vector<Trial>> results =
      trials->Run(lines, TrialOptions(), [&](size_t i, const Trial& trial) {
        EXPECT_EQ(trial.record.schedule, lines[i]);
        ++told[i];
        return true;
      });
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 64u);
  EXPECT_THAT(told, ::testing::Each(1));
  for (size_t i = 0; i < lines.size(); ++i) {
    EXPECT_EQ((*results)[i].record.schedule, lines[i]);
    EXPECT_DOUBLE_EQ((*results)[i].record.seconds, Valley(*Schedule::Parse(lines[i])));
    EXPECT_FALSE((*results)[i].against.empty());
  }
  trials.reset();
  for (const auto& server : servers_) {
    EXPECT_GE(server->trials.tried.size(), 6u);
    server->thread.join();
    EXPECT_TRUE(server->ended);
    EXPECT_FALSE(server->lost);
    server->thread = std::thread([] {});
  }
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(RemoteTrialsTest, MachinesOfDifferentSpeedAgreeOnOneScale) {
  for (const double load : {1.0, 3.0, 0.5}) Add().trials.load = load;
  std::unique_ptr<RemoteTrials> trials = Connect();
  const std::string path =
      ::testing::TempDir() + "/remote_trials_test_" + std::to_string(getpid()) + ".sqlite";
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
  ASSERT_TRUE(database.ok()) << database.status();
  History history(runtime::DeviceKind::kX86);
  KernelTuneOptions options;
  options.most_trials = 60;
  options.patience = 1000;
  KernelTuner tuner(FakeTask(), &*database, &history, options);
  while (!tuner.done()) ASSERT_TRUE(tuner.Step(*trials).ok());
  ASSERT_TRUE(tuner.Confirm(*trials).ok());
  EXPECT_EQ(tuner.best_schedule(), "test a=16 b=4");
  const double scale = tuner.default_seconds() / Valley(*Schedule::Parse("test a=1 b=1"));
  EXPECT_THAT(scale, AnyOf(::testing::DoubleNear(1, 1e-9), ::testing::DoubleNear(3, 1e-9),
                           ::testing::DoubleNear(0.5, 1e-9)));
  for (const auto& [line, record] : tuner.records())
    EXPECT_NEAR(record.seconds, scale * Valley(*Schedule::Parse(line)), 1e-9) << line;
  for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path + end);
}

TEST_F(RemoteTrialsTest, WhatALostProcessHadIsGivenToOthers) {
  Add();
  Add([this, count = 0](const Schedule& s) mutable {
    if (++count == 4) Cut(1);
    return InValley(s);
  });
  Add();
  std::unique_ptr<RemoteTrials> trials = Connect();
  ASSERT_TRUE(trials->Begin(FakeTask(), "").ok());
  absl::StatusOr<std::vector<Trial>> results = trials->Run(Lines(48), TrialOptions(), nullptr);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->size(), 48u);
  for (const Trial& trial : *results) EXPECT_EQ(trial.record.outcome, Outcome::kGood);
  EXPECT_EQ(trials->connected(), 2);
  EXPECT_THAT(warnings_, Contains(AllOf(HasSubstr("rank 2"), HasSubstr("lost"))));
}

TEST_F(RemoteTrialsTest, ACandidateThatTakesProcessesAwayIsACrashAndOthersAreNot) {
  for (size_t i = 0; i < 4; ++i) {
    Add([this, i](const Schedule& s) {
      if (s.Get("a") == 8 && s.Get("b") == 2) Cut(i);
      return InValley(s);
    });
  }
  std::unique_ptr<RemoteTrials> trials = Connect();
  ASSERT_TRUE(trials->Begin(FakeTask(), "").ok());
  absl::StatusOr<std::vector<Trial>> results = trials->Run(Lines(40), TrialOptions(), nullptr);
  ASSERT_TRUE(results.ok()) << results.status();
  ASSERT_EQ(results->size(), 40u);
  for (const Trial& trial : *results) {
    if (trial.record.schedule == "test a=8 b=2") {
      EXPECT_EQ(trial.record.outcome, Outcome::kCrash);
      EXPECT_THAT(trial.record.error, HasSubstr("two processes were lost"));
      EXPECT_EQ(trial.record.kernel, FakeTask().key);
    } else {
      EXPECT_EQ(trial.record.outcome, Outcome::kGood) << trial.record.schedule;
    }
  }
  EXPECT_EQ(trials->connected(), 2);
}

TEST_F(RemoteTrialsTest, WithoutAnyProcessNothingCanBeMeasured) {
  Add([this](const Schedule& s) {
    if (s.Get("a") == 4) Cut(0);
    return InValley(s);
  });
  std::unique_ptr<RemoteTrials> trials = Connect();
  ASSERT_TRUE(trials->Begin(FakeTask(), "").ok());
  int told = 0;
  absl::StatusOr<std::vector<Trial>> results =
      trials->Run(Lines(8), TrialOptions(), [&told](size_t, const Trial&) { return ++told > 0; });
  EXPECT_EQ(results.status().code(), absl::StatusCode::kUnavailable) << results.status();
  EXPECT_GE(told, 2);  // earlier answers are kept
}

TEST_F(RemoteTrialsTest, AProcessThatSaysNothingIsLost) {
  int silent[2], strange[2];
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, silent), 0);
  ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, strange), 0);
  Add();
  peers_.push_back({"rank 2", silent[0]});
  peers_.push_back({"rank 3", strange[0]});
  const std::string hello = lowering::EncodeFrame(
      {0, absl::StatusCode::kOk, EncodeHello({RemoteVersion(), "elsewhere", 2})});
  ASSERT_GT(write(silent[1], hello.data(), hello.size()), 0);
  const std::string other =
      lowering::EncodeFrame({0, absl::StatusCode::kOk, EncodeHello({"halide 0", "elsewhere", 2})});
  ASSERT_GT(write(strange[1], other.data(), other.size()), 0);
  RemoteOptions options;
  options.silence_seconds = 0.3;
  std::unique_ptr<RemoteTrials> trials = Connect(options);
  EXPECT_THAT(warnings_, Contains(AllOf(HasSubstr("rank 3"), HasSubstr("another build"))));
  EXPECT_EQ(trials->connected(), 2);
  ASSERT_TRUE(trials->Begin(FakeTask(), "").ok());
  absl::StatusOr<std::vector<Trial>> results = trials->Run(Lines(16), TrialOptions(), nullptr);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->size(), 16u);
  EXPECT_EQ(trials->connected(), 1);
  EXPECT_THAT(warnings_, Contains(AllOf(HasSubstr("rank 2"), HasSubstr("nothing was heard"))));
  close(silent[1]);
  close(strange[1]);
}

TEST_F(RemoteTrialsTest, ADeviceOfAnotherKindTakesNoPart) {
  runtime::DeviceInfo other = FakeTask().request.device;
  strcpy(other.name, "other x86");
  Server& left_out = AddOf(other);
  Add();
  std::unique_ptr<RemoteTrials> trials = Connect();
  ASSERT_TRUE(trials->Begin(FakeTask(), "").ok());
  absl::StatusOr<std::vector<Trial>> results = trials->Run(Lines(16), TrialOptions(), nullptr);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->size(), 16u);
  EXPECT_EQ(left_out.trials.begun, 0);
  EXPECT_THAT(warnings_, Contains(AllOf(HasSubstr("rank 1"), HasSubstr("other x86"))));
}

TEST_F(RemoteTrialsTest, WhenNoDeviceCanTakeTheTaskTheReasonIsSaid) {
  runtime::DeviceInfo other = FakeTask().request.device;
  other.x86_features = runtime::kX86Avx512;
  AddOf(other);
  std::unique_ptr<RemoteTrials> trials = Connect();
  const absl::Status status = trials->Begin(FakeTask(), "").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("not like that of rank 0"));
}

TEST_F(RemoteTrialsTest, ADefaultThatFailsIsATrial) {
  Add([](const Schedule&) { return FailedRecord(Outcome::kWrongResult, "element 3 is 1, not 2"); });
  std::unique_ptr<RemoteTrials> trials = Connect();
  absl::StatusOr<Trial> trial = trials->Begin(FakeTask(), "");
  ASSERT_TRUE(trial.ok()) << trial.status();
  EXPECT_EQ(trial->record.outcome, Outcome::kWrongResult);
  EXPECT_EQ(trial->record.error, "element 3 is 1, not 2");
}

TEST_F(RemoteTrialsTest, NoMoreIsBegunOnceTheTunerHasEnough) {
  for (int i = 0; i < 2; ++i) Add();
  std::unique_ptr<RemoteTrials> trials = Connect();
  ASSERT_TRUE(trials->Begin(FakeTask(), "").ok());
  int told = 0;
  absl::StatusOr<std::vector<Trial>> results =
      trials->Run(Lines(64), TrialOptions(), [&told](size_t, const Trial&) { return ++told < 5; });
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(told, 5);
  EXPECT_LT(results->size(), 16u);
  results = trials->Run(Lines(64), TrialOptions(), nullptr);
  ASSERT_TRUE(results.ok()) << results.status();
  EXPECT_EQ(results->size(), 64u);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(RemoteTrialsTest, TheEndOfTheTunerIsNoticedDuringATrial) {
  std::atomic<bool> measuring = false, noticed = false;
  Server& server = Add([&](const Schedule& s) {
    measuring = true;
    for (int i = 0; i < 500 && !servers_[0]->lost; ++i) usleep(10000);
    noticed = servers_[0]->lost.load();
    return InValley(s);
  });
  const std::string work = lowering::EncodeFrame(
      {7, absl::StatusCode::kOk, EncodeWork({"k", FakeTask().request, "test a=1 b=1"})});
  const int tuner = peers_[0].socket;
  ASSERT_GT(send(tuner, work.data(), work.size(), 0), 0);
  while (!measuring) usleep(1000);
  close(tuner);
  server.thread.join();
  server.thread = std::thread([] {});
  EXPECT_TRUE(noticed);
  EXPECT_FALSE(server.ended);
}

// Between its last answer and its next wait, a process is not busy, so its end is then no loss.
TEST_F(RemoteTrialsTest, AnEndRightAfterTheLastAnswerIsNoLoss) {
  const std::string work = lowering::EncodeFrame(
      {7, absl::StatusCode::kOk, EncodeWork({"k", FakeTask().request, "test a=1 b=1"})});
  const std::string end = lowering::EncodeFrame({0, absl::StatusCode::kOk, JoinParts({kEnd})});
  for (size_t i = 0; i < 200; ++i) {
    Server& server = Add();
    const int tuner = peers_[i].socket;
    ASSERT_GT(send(tuner, work.data(), work.size(), 0), 0);
    lowering::FrameReader reader;
    bool answered = false;
    while (!answered) {
      char buffer[4096];
      const ssize_t got = recv(tuner, buffer, sizeof(buffer), 0);
      ASSERT_GT(got, 0);
      reader.Append(absl::string_view(buffer, static_cast<size_t>(got)));
      std::optional<lowering::Frame> frame;
      while (reader.Next(&frame).ok() && frame.has_value()) answered |= frame->id == 7;
    }
    ASSERT_GT(send(tuner, end.data(), end.size(), 0), 0);
    server.thread.join();
    server.thread = std::thread([] {});
    close(tuner);
    ASSERT_TRUE(server.ended);
    ASSERT_FALSE(server.lost) << "of " << i;
  }
}

}  // namespace
}  // namespace halyard::autotuner
