// halyard tune, and what run, show and compile make of its records.
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

extern char** environ;

namespace halyard {
namespace {

using autotuner::Database;
using autotuner::Record;
using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

constexpr char kChain[] = R"(HloModule chain

ENTRY e {
  a = f32[64,256] parameter(0)
  b = f32[64,256] parameter(1)
  s = f32[64,256] add(a, b)
  m = f32[64,256] multiply(s, a)
  ROOT r = f32[64,256] exponential(m)
}
)";

// A product and a softmax of its rows.
constexpr char kProgram[] = R"(HloModule small

max { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT m = f32[] maximum(a, b) }
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }

ENTRY e {
  x = f32[48,64] parameter(0)
  y = f32[64,80] parameter(1)
  p = f32[48,80] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
  low = f32[] constant(-inf)
  zero = f32[] constant(0)
  m = f32[48] reduce(p, low), dimensions={1}, to_apply=max
  mb = f32[48,80] broadcast(m), dimensions={0}
  d = f32[48,80] subtract(p, mb)
  n = f32[48,80] exponential(d)
  s = f32[48] reduce(n, zero), dimensions={1}, to_apply=sum
  sb = f32[48,80] broadcast(s), dimensions={0}
  ROOT r = f32[48,80] divide(n, sb)
}
)";

std::string NewDatabase(const std::string& name) {
  const std::string path = TestFolder() + "/" + name + ".sqlite";
  for (const char* end : {"", "-wal", "-shm"}) unlink((path + end).c_str());
  return path;
}

std::vector<Record> RecordsOf(const std::string& path) {
  std::vector<Record> records;
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadOnly);
  EXPECT_TRUE(database.ok()) << database.status();
  if (!database.ok()) return records;
  const absl::Status status = database->ForEach({}, [&records](const Record& record) {
    records.push_back(record);
    return true;
  });
  EXPECT_TRUE(status.ok()) << status;
  return records;
}

// The best schedule of each kernel, of what --json wrote.
std::multiset<std::string> BestLines(const std::string& path) {
  std::multiset<std::string> lines;
  const nlohmann::json table = nlohmann::json::parse(testing::ReadTestFile(path));
  for (const nlohmann::json& kernel : table["kernels"]) lines.insert(kernel["best_schedule"]);
  return lines;
}

std::vector<std::string> ScheduleLines(const CommandResult& shown) {
  std::vector<std::string> lines;
  for (const absl::string_view line : absl::StrSplit(shown.out, '\n', absl::SkipEmpty()))
    lines.emplace_back(line.substr(line.rfind(": ") + 2));
  return lines;
}

void TuneAndUse(const std::string& target) {
  const std::string program = WriteTestFile("small.hlo", kProgram);
  const std::string database = NewDatabase("small_" + target);
  const std::string json = TestFolder() + "/small.json", log = TestFolder() + "/small.jsonl";
  CommandResult result =
      RunHalyard({"tune", "--no-report", program, "--target=" + target, "--db=" + database,
                  "--trials=5", "--json=" + json, "--log=" + log});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("kernels of one run: "));
  EXPECT_THAT(result.out, HasSubstr("plan: "));
  EXPECT_THAT(testing::ReadTestFile(log), HasSubstr("\"outcome\":\"good\""));

  // The compile's schedules are the records'.
  result = RunHalyard(
      {"show", program, "--stage=schedule", "--target=" + target, "--db=" + database, "--locked"});
  ASSERT_EQ(result.status, 0) << result.err;
  const std::vector<std::string> lines = ScheduleLines(result);
  EXPECT_EQ(std::multiset<std::string>(lines.begin(), lines.end()), BestLines(json));
  result = RunHalyard({"run", program, "--target=" + target, "--random-inputs=3",
                       "--compare=reference", "--db=" + database, "--locked"});
  EXPECT_EQ(result.status, 0) << result.err << result.out;

  // Tuned already: nothing is measured.
  result = RunHalyard({"tune", "--no-report", "--no-program", program, "--target=" + target,
                       "--db=" + database, "--trials=5"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("; 0 trials in "), Not(HasSubstr("plan: "))));
}

TEST(Tune, RecordsAreUsedOnX86) { TuneAndUse("x86"); }

TEST(Tune, RecordsAreUsedOnVulkan) {
  if (RunHalyard(
          {"run", WriteTestFile("chain.hlo", kChain), "--target=vulkan", "--random-inputs=1"})
          .status != 0) {
    GTEST_SKIP() << "no Vulkan device";
  }
  TuneAndUse("vulkan");
}

TEST(Tune, LockedWithoutARecordSaysWhatToRun) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const CommandResult result = RunHalyard({"run", program, "--target=x86", "--random-inputs=1",
                                           "--db=" + NewDatabase("none"), "--locked"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("no record of it for "));
  EXPECT_THAT(result.err,
              HasSubstr(absl::StrCat("run `halyard tune ", program, " --target=x86 --kernel=")));
  EXPECT_EQ(RunHalyard({"run", program, "--locked", "--no-tuning"}).status, 2);
}

// The command that --locked suggests, as a shell would run it.
CommandResult RunSuggested(const CommandResult& locked) {
  const size_t begin = locked.err.find("run `halyard tune") + 5;
  std::string command = locked.err.substr(begin, locked.err.find('`', begin) - begin);
  command = HALYARD_BIN_DIR "/" + command + " --no-report --trials=1";
  return testing::RunProgram({"sh", "-c", command});
}

TEST(Tune, WhatLockedSuggestsTunesIntoTheSameDatabase) {
  const std::string program =
      WriteTestFile("dynamic.mlir",
                    "func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> "
                    "{\n  %0 = stablehlo.add %x, %y : tensor<?x2xf32>\n"
                    "  return %0 : tensor<?x2xf32>\n}\n");
  const std::vector<std::string> run = {"run",
                                        program,
                                        "--target=x86",
                                        "--random-inputs=1",
                                        "--arg-shapes=f32[30,2];f32[30,2]",
                                        "--db=" + NewDatabase("suggested"),
                                        "--threads=2",
                                        "--locked"};
  const CommandResult locked = RunHalyard(run);
  EXPECT_EQ(locked.status, 1);
  EXPECT_THAT(locked.err, HasSubstr("--arg-shapes=\"f32[30,2];f32[30,2]\""));
  const CommandResult tuned = RunSuggested(locked);
  EXPECT_EQ(tuned.status, 0) << locked.err << tuned.err;
  EXPECT_EQ(RunHalyard(run).status, 0);
}

// Nothing is tuned, and there is no database afterwards.
void ExpectRefused(const std::vector<std::string>& arguments, int status,
                   const std::string& message) {
  const std::string path = NewDatabase("refused");
  std::vector<std::string> command = {"tune", WriteTestFile("chain.hlo", kChain), "--trials=1",
                                      "--db=" + path};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const CommandResult result = RunHalyard(command);
  EXPECT_EQ(result.status, status) << ::testing::PrintToString(arguments) << result.out;
  EXPECT_THAT(result.err, HasSubstr(message)) << ::testing::PrintToString(arguments);
  EXPECT_NE(access(path.c_str(), F_OK), 0) << ::testing::PrintToString(arguments);
}

TEST(Tune, TheReferenceHasNothingToTune) {
  const std::string message = "reference evaluates programs as they are";
  ExpectRefused({"--target=reference"}, 2, message);
  ExpectRefused({"--target=reference", "--plan", "-o", TestFolder() + "/none.bundle"}, 2, message);
}

TEST(Tune, OptionsThatWouldBeIgnoredAreRefused) {
  const std::string bundle = TestFolder() + "/none.bundle", file = TestFolder() + "/none";
  ExpectRefused({"--target=x86", "-o", bundle}, 2, "--plan");
  for (const std::string& option : {"--report=" + file, "--json=" + file, "--log=" + file,
                                    std::string("--minutes=1"), std::string("--cold")}) {
    ExpectRefused({"--target=x86", "--plan", "-o", bundle, option}, 2,
                  option.substr(0, option.find('=')));
  }
  ExpectRefused({"--target=x86", "--no-report", "--report=" + file}, 2, "--no-report");
  if (RunHalyard(
          {"run", WriteTestFile("chain.hlo", kChain), "--target=vulkan", "--random-inputs=1"})
          .status == 0) {
    ExpectRefused({"--target=vulkan", "--cold", "--no-report"}, 2, "--cold");
  }
}

TEST(Tune, FilesThatCannotBeWrittenAreFoundBeforeTuning) {
  const std::string nowhere = TestFolder() + "/no/such/folder";
  ExpectRefused({"--target=x86", "--report=" + nowhere}, 1, nowhere);
  ExpectRefused({"--target=x86", "--report=" + TestFolder()}, 1, "directory");
  ExpectRefused({"--target=x86", "--no-report", "--json=" + nowhere}, 1, nowhere);
  ExpectRefused({"--target=x86", "--no-report", "--log=" + nowhere}, 1, nowhere);
  // The report's own place, where no one may write.
  const CommandResult here = testing::RunProgram(
      {"env", "-C", "/proc", HALYARD_BIN_DIR "/halyard", "tune", WriteTestFile("chain.hlo", kChain),
       "--target=x86", "--db=" + NewDatabase("refused")});
  EXPECT_EQ(here.status, 1);
  EXPECT_THAT(here.err, AllOf(HasSubstr("chain.tuning.html"), HasSubstr("--report=FILE")));
  // A refusal leaves nothing, and harms nothing.
  const std::string json = WriteTestFile("kept.json", "kept"), page = TestFolder() + "/new.html";
  ExpectRefused({"--target=x86", "--json=" + json, "--report=" + page, "--log=" + nowhere}, 1,
                nowhere);
  EXPECT_EQ(testing::ReadTestFile(json), "kept");
  EXPECT_NE(access(page.c_str(), F_OK), 0);
}

TEST(Tune, WhatCannotBeWrittenAtTheEndKeepsNothingElse) {
  const std::string path = NewDatabase("full"), page = TestFolder() + "/full.html";
  const CommandResult result = RunHalyard(
      {"tune", WriteTestFile("chain.hlo", kChain), "--target=x86", "--db=" + path, "--no-program",
       "--trials=2", "--json=/dev/full", "--log=/dev/full", "--report=" + page});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err,
              AllOf(HasSubstr("cannot write /dev/full: No space left on device\n"),
                    HasSubstr("cannot write /dev/full: No space left on device; it has 0 of ")));
  EXPECT_THAT(result.out, HasSubstr("the report is in " + page));
  EXPECT_THAT(testing::ReadTestFile(page), HasSubstr("</html>"));
  EXPECT_GE(RecordsOf(path).size(), 2u);
}

TEST(Tune, NumbersAreAboveZero) {
  for (const char* option : {"--trials", "--minutes"}) {
    for (const char* value : {"0", "-1", "abc", "nan", "inf"}) {
      const CommandResult result = RunHalyard(
          {"tune", WriteTestFile("chain.hlo", kChain), absl::StrCat(option, "=", value)});
      EXPECT_EQ(result.status, 2) << value;
      EXPECT_THAT(result.err,
                  HasSubstr(absl::StrCat(option, ": must be a number above 0, not `", value, "`")));
    }
  }
}

// What `halyard ARGUMENT…` writes to a terminal of so many columns, its standard error.
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

// A database of one record of kChain's kernel, with this schedule and version, and the fastest.
std::string DatabaseWith(const std::string& name, const std::string& schedule,
                         const std::string& version) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = NewDatabase(name);
  const CommandResult tuned = RunHalyard({"tune", "--no-report", "--no-program", program,
                                          "--target=x86", "--db=" + path, "--trials=1"});
  EXPECT_EQ(tuned.status, 0) << tuned.err;
  const std::vector<Record> records = RecordsOf(path);
  absl::StatusOr<Database> database = Database::Open(path, Database::Mode::kReadWrite);
  if (records.empty() || !database.ok()) return path;
  Record record = records[0];
  const std::vector<std::string> none = {"no version"};
  EXPECT_TRUE(database->Prune(1, none).ok());
  record.schedule = schedule.empty() ? record.schedule : schedule;
  if (!version.empty()) record.version = version;
  record.seconds /= 2;
  EXPECT_TRUE(database->Put({record}).ok());
  return path;
}

TEST(Tune, RecordsOfAnotherVersionAreIgnoredAndSaidSo) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = DatabaseWith("old", "", "elementwise 0 halide 1.0");
  CommandResult result =
      RunHalyard({"run", program, "--target=x86", "--random-inputs=1", "--db=" + path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("\"elementwise 0 halide 1.0\""));
  EXPECT_THAT(result.err, HasSubstr("no longer count"));
  result =
      RunHalyard({"run", program, "--target=x86", "--random-inputs=1", "--db=" + path, "--locked"});
  EXPECT_EQ(result.status, 1);
}

TEST(Tune, ARecordThatNoLongerCompilesGivesWayToTheDefault) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = DatabaseWith("broken", "elementwise vec=7 grain=11", "");
  CommandResult result = RunHalyard(
      {"run", program, "--target=x86", "--random-inputs=1", "--compare=reference", "--db=" + path});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("warning: the record's schedule \"elementwise vec=7 grain=11\" "
                                    "no longer compiles, and the default is used"));
  result = RunHalyard(
      {"run", program, "--target=x86", "--random-inputs=1", "--db=" + path, "--no-tuning"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.err, Not(HasSubstr("no longer compiles")));
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

TEST(Tune, AnUnknownKernelIsAnErrorThatNamesThoseThereAre) {
  const CommandResult result =
      RunHalyard({"tune", "--no-report", WriteTestFile("chain.hlo", kChain), "--target=x86",
                  "--db=" + NewDatabase("names"), "--kernel=nothing"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("the program has no kernel nothing; it has "));
}

// `halyard tune …` in the background, silent.
// What it says goes to `said`.
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
  // Once there is something to keep.
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
