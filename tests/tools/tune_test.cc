// halyard tune, and what run, show and compile make of its records.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
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
#include "autotuner/database.h"
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

// A database of one record of kChain's kernel, with this schedule and version, and the fastest.
std::string DatabaseWith(const std::string& name, const std::string& schedule,
                         const std::string& version) {
  const std::string program = WriteTestFile("chain.hlo", kChain);
  const std::string path = NewDatabase(name);
  const CommandResult tuned =
      RunHalyard({"tune", "--no-report", "--no-program", program, "--target=x86", "--db=" + path,
                  "--trials=1"});
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
  const CommandResult result = RunHalyard(
      {"tune", "--no-report", WriteTestFile("chain.hlo", kChain), "--target=x86", "--db=" + path,
       "--trials=30"});
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
pid_t StartTuner(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {HALYARD_BIN_DIR "/halyard", "tune", "--no-report"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
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
                                  "--db=" + path, minutes, "--log=" + TestFolder() + "/first"});
  const pid_t second = StartTuner({WriteTestFile("chain.hlo", kChain), "--target=x86",
                                   "--db=" + path, minutes, "--log=" + TestFolder() + "/second"});
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
  EXPECT_EQ(StatusOf(first), 0);
  EXPECT_EQ(StatusOf(second), 0);
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
