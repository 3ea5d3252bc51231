#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <signal.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "autotuner/records/database.h"
#include "nlohmann/json.hpp"
#include "tests/tools/run_command.h"
#include "tests/tools/tune/tuned_database.h"

extern char** environ;

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::RunHalyard;
using testing::WriteTestFile;

// Returns what `halyard ARGUMENT…` writes to its standard error, a terminal with this many columns.
std::string OnTerminal(int columns, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), HALYARD_BIN_DIR "/halyard");
  std::vector<char*> argv;
  for (std::string& word : arguments) argv.push_back(word.data());
  argv.push_back(nullptr);
  winsize size = {};
  size.ws_row = 24;
  size.ws_col = static_cast<uint16_t>(columns);
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
    execv(argv[0], argv.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  ssize_t got;
  while ((got = read(terminal, buffer, sizeof(buffer))) > 0)
    text.append(buffer, static_cast<size_t>(got));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << text;
  return text;
}

TEST(Tune, ABarTellsHowFarItIsAndFitsTheTerminal) {
  const std::string program = WriteTestFile("small.hlo", kProgram);
  auto shown = [&](int columns) {
    return OnTerminal(columns, {"tune", "--no-report", "--no-program", program, "--target=x86",
                                "--db=" + NewDatabase("bar"), "--trials=10"});
  };
  const std::string wide = shown(400);
  EXPECT_THAT(wide, AllOf(HasSubstr("\r[--------------------] 0 of "), HasSubstr("[####"),
                          HasSubstr(" kernels done, "), HasSubstr("; at most ")));
  const std::string narrow = shown(40);
  EXPECT_THAT(narrow, HasSubstr("] 0 of "));
  for (const absl::string_view piece : absl::StrSplit(narrow, '\r')) {
    const size_t end = piece.find("\033[K");
    EXPECT_TRUE(end == piece.npos || end < 40) << piece;
  }
}

TEST(Tune, ACodeGeneratorThatDiesCostsItsCandidateAlone) {
  const std::string path = NewDatabase("dies");
  setenv("HALYARD_CODEGEN_FAULT", "abort:vec=32 ", 1);
  const CommandResult result =
      RunHalyard({"tune", "--no-report", WriteTestFile("chain.hlo", kChain), "--target=x86",
                  "--db=" + path, "--trials=30"});
  unsetenv("HALYARD_CODEGEN_FAULT");
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" crash "));
  int crashes = 0;
  for (const Record& record : RecordsOf(path)) {
    if (record.schedule.find("vec=32 ") == std::string::npos) continue;
    EXPECT_EQ(record.outcome, autotuner::Outcome::kCrash) << record.error;
    EXPECT_THAT(record.error, HasSubstr("died of signal 6"));
    ++crashes;
  }
  EXPECT_GT(crashes, 0);
}

// Starts `halyard tune …` in the background. Its output goes to `said`.
pid_t StartTuner(const std::vector<std::string>& arguments, const std::string& said = "/dev/null") {
  std::vector<std::string> command = {HALYARD_BIN_DIR "/halyard", "tune", "--no-report"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, said.c_str(),
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t pid = -1;
  EXPECT_EQ(posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

int StatusOf(pid_t pid) {
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool Nightly() { return getenv("HALYARD_NIGHTLY") != nullptr; }

TEST(Tune, KilledTunersLoseNoRecordAndGoOn) {
  const int kills = Nightly() ? 50 : 5;
  const std::string program = WriteTestFile("small.hlo", kProgram);
  const std::string path = NewDatabase("killed");
  std::mt19937 random(7);
  std::vector<Record> before;
  for (int k = 0; k < kills; ++k) {
    const pid_t pid = StartTuner(
        {program, "--target=x86", "--db=" + path, absl::StrCat("--trials=", 20 + 10 * k)});
    std::this_thread::sleep_for(std::chrono::milliseconds(200 + random() % 2500));
    kill(pid, SIGKILL);
    StatusOf(pid);
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
    ASSERT_TRUE(database.ok()) << database.status();
    const auto wrong = database->Verify();
    ASSERT_TRUE(wrong.ok() && wrong->empty());
    const std::vector<Record> after = RecordsOf(path);
    std::set<std::pair<std::string, std::string>> there;
    for (const Record& record : after) there.insert({record.kernel, record.schedule});
    for (const Record& record : before) {
      EXPECT_EQ(there.count({record.kernel, record.schedule}), 1u) << record.schedule;
    }
    EXPECT_GE(after.size(), before.size());
    before = after;
  }
  const CommandResult result =
      RunHalyard({"tune", "--no-report", "--no-program", program, "--target=x86", "--db=" + path,
                  absl::StrCat("--trials=", before.size() / 2 + 4)});
  EXPECT_EQ(result.status, 0) << result.err;
}

TEST(Tune, InterruptedItKeepsWhatItHas) {
  const std::string program = WriteTestFile("small.hlo", kProgram);
  const std::string path = NewDatabase("interrupted");
  const pid_t pid = StartTuner({program, "--target=x86", "--db=" + path});
  // Waits until there is something to keep.
  for (int i = 0; i < 600; ++i) {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
    if (database.ok() && database->Count({}).value_or(0) > 3) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  kill(pid, SIGINT);
  EXPECT_EQ(StatusOf(pid), 130);
  EXPECT_GT(RecordsOf(path).size(), 3u);
}

TEST(Tune, TwoTunersAndAReaderShareADatabase) {
  const double seconds = Nightly() ? 60 : 4;
  const std::string path = NewDatabase("shared");
  const std::string minutes = absl::StrCat("--minutes=", seconds / 60);
  const pid_t first = StartTuner({WriteTestFile("small.hlo", kProgram), "--target=x86",
                                  "--db=" + path, minutes, "--log=" + TestFolder() + "/first"},
                                 TestFolder() + "/first.said");
  const pid_t second = StartTuner({WriteTestFile("chain.hlo", kChain), "--target=x86",
                                   "--db=" + path, minutes, "--log=" + TestFolder() + "/second"},
                                  TestFolder() + "/second.said");
  int64_t seen = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
    if (database.ok()) {
      const absl::StatusOr<int64_t> count = database->Count({});
      ASSERT_TRUE(count.ok()) << count.status();
      EXPECT_GE(*count, seen);
      seen = *count;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(StatusOf(first), 0) << testing::ReadTestFile(TestFolder() + "/first.said");
  EXPECT_EQ(StatusOf(second), 0) << testing::ReadTestFile(TestFolder() + "/second.said");
  // Every trial that a tuner has logged is a record.
  std::set<std::string> schedules, logged;
  for (const Record& record : RecordsOf(path)) schedules.insert(record.schedule);
  for (const char* log : {"/first", "/second"}) {
    for (const absl::string_view line :
         absl::StrSplit(testing::ReadTestFile(TestFolder() + log), '\n', absl::SkipEmpty())) {
      const size_t begin = line.find("\"schedule\":\"") + 12;
      logged.emplace(line.substr(begin, line.find('"', begin) - begin));
    }
  }
  EXPECT_FALSE(logged.empty());
  for (const std::string& schedule : logged) EXPECT_EQ(schedules.count(schedule), 1u) << schedule;
}

}  // namespace
}  // namespace halyard
