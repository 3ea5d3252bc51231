// Tests `mpirun -n N halyard run` of grids with real processes, which are killed and stopped.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "client/arrays/npz.h"
#include "frontend/hlo/values/literal.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/tools/run_command.h"

namespace halyard::testing {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr char kAdd[] =
    "add { a = s32[] parameter(0) b = s32[] parameter(1) ROOT c = s32[] add(a, b) }\n";

// Returns a program that runs until it is ended, and adds arrays of this many elements.
std::string Endless(const std::string& name, int elements = 4) {
  constexpr char kText[] = R"(
body {
  s = (s32[], s32[$N]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = s32[$N] get-tuple-element(s), index=1
  y = s32[$N] all-reduce(x), replica_groups={}, to_apply=add
  zero = s32[] constant(0)
  j = s32[] multiply(i, zero)
  ROOT r = (s32[], s32[$N]) tuple(j, y)
}
cond {
  s = (s32[], s32[$N]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  one = s32[] constant(1)
  ROOT r = pred[] compare(i, one), direction=LT
}
ENTRY e {
  x = s32[$N] parameter(0)
  zero = s32[] constant(0)
  init = (s32[], s32[$N]) tuple(zero, x)
  ROOT loop = (s32[], s32[$N]) while(init), condition=cond, body=body
})";
  return absl::StrCat("HloModule ", name, ", replica_count=4, num_partitions=2\n", kAdd,
                      absl::StrReplaceAll(kText, {{"$N", absl::StrCat(elements)}}));
}

// Arrays of so many elements go through a ring, or through a pool of shared memory.
constexpr int kFew = 4, kMany = 1 << 18;

bool Until(double seconds, const std::function<bool()>& done) {
  for (double waited = 0; waited < seconds; waited += 0.01) {
    if (done()) return true;
    usleep(10000);
  }
  return done();
}

// How ranks reach each other.
struct Way {
  const char *links, *shared_memory;
};
constexpr Way kUsual = {"", ""};            // shared memory, and sockets between machines
constexpr Way kSockets = {"sockets", "0"};  // nothing else
constexpr Way kMpi = {"mpi", "0"};          // MPI alone
constexpr Way kMpiAndMemory = {"mpi", ""};  // shared memory, and MPI between machines
constexpr Way kWays[] = {kUsual, kSockets, kMpi, kMpiAndMemory};

// Sets the environment of ranks.
class Environment {
 public:
  explicit Environment(const Way& way) {
    setenv("HALYARD_RANK_LINKS", way.links, 1);
    setenv("HALYARD_SHARED_MEMORY", way.shared_memory, 1);
  }
  ~Environment() {
    unsetenv("HALYARD_RANK_LINKS");
    unsetenv("HALYARD_SHARED_MEMORY");
  }
};

// An mpirun, whose output lines begin with "[1,RANK]<stderr>:", and its ranks.
class RunRanksTest : public ::testing::Test {
 protected:
  // MPI leaks memory, for which we are not responsible.
  RunRanksTest() { setenv("ASAN_OPTIONS", "detect_leaks=0", 1); }
  ~RunRanksTest() override { End(); }

  static std::vector<std::string> Mpirun(int ranks) {
    return {HALYARD_MPIEXEC,    "--enable-recovery", "--allow-run-as-root",
            "--oversubscribe",  "--tag-output",      "-n",
            absl::StrCat(ranks)};
  }
  static std::vector<std::string> Run(const std::string& program,
                                      const std::vector<std::string>& options) {
    std::vector<std::string> command = {HALYARD_BIN_DIR "/halyard", "run", program, "--target=x86"};
    command.insert(command.end(), options.begin(), options.end());
    return command;
  }
  static std::vector<std::string> Joined(std::vector<std::string> a,
                                         const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }

  void Start(std::vector<std::string> command) {
    output_ = WriteTestFile("output", "");
    std::vector<char*> argv;
    for (std::string& argument : command) argv.push_back(argument.data());
    argv.push_back(nullptr);
    job_ = fork();
    if (job_ != 0) return;
    dup2(open(output_.c_str(), O_WRONLY | O_APPEND), STDOUT_FILENO);
    dup2(STDOUT_FILENO, STDERR_FILENO);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  std::string Output() const { return ReadTestFile(output_); }
  // Returns the ranks' processes, which are mpirun's children.
  std::map<int, pid_t> Ranks() const {
    std::map<int, pid_t> ranks;
    DIR* folder = opendir("/proc");
    while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
      const pid_t pid = atoi(entry->d_name);
      if (pid <= 0) continue;
      const std::string proc = absl::StrCat("/proc/", pid);
      const std::string stat = ReadTestFile(proc + "/stat");
      const size_t name_end = stat.rfind(") ");
      int parent = 0;
      char state = 0;
      if (name_end == std::string::npos ||
          sscanf(stat.c_str() + name_end + 2, "%c %d", &state, &parent) != 2 || parent != job_ ||
          state == 'Z') {
        continue;
      }
      const std::string environment = ReadTestFile(proc + "/environ");
      const std::string name = "OMPI_COMM_WORLD_RANK=";
      const size_t at = environment.find(name);
      if (at != std::string::npos) ranks[atoi(environment.c_str() + at + name.size())] = pid;
    }
    if (folder != nullptr) closedir(folder);
    return ranks;
  }
  void End() {
    if (job_ <= 0) return;
    for (const auto& [rank, pid] : Ranks()) kill(pid, SIGKILL);
    kill(job_, SIGKILL);
    waitpid(job_, nullptr, 0);
    job_ = -1;
  }
  // With --enable-recovery, mpirun's status is always 0.
  void Wait() {
    waitpid(job_, nullptr, 0);
    job_ = -1;
  }
  // Returns what one rank has written to stderr.
  std::string SaidBy(int rank) const {
    std::string said;
    for (const absl::string_view line : absl::StrSplit(Output(), '\n')) {
      if (line.substr(0, 20).find(absl::StrCat("[1,", rank, "]<stderr>")) != line.npos)
        absl::StrAppend(&said, line, "\n");
    }
    return said;
  }
  void StartEndless(const std::string& timeout, int elements, const Way& way) {
    const Environment environment(way);
    const std::string program = WriteTestFile("endless.hlo", Endless("endless", elements));
    Start(Joined(Mpirun(4), Run(program, {"--replicas=4", "--partitions=2", "--random-inputs=1",
                                          "--collective-timeout=" + timeout})));
    ASSERT_TRUE(Until(120, [&] { return Output().find("4 ranks have met") != std::string::npos; }))
        << Output();
  }

  pid_t job_ = -1;
  std::string output_;
};

// The time-out is so long that only the end of its connections shows that a rank is lost.
TEST_F(RunRanksTest, AKilledRankEndsTheOthersWithItsNumber) {
  const int kills = getenv("HALYARD_NIGHTLY") != nullptr ? 100 : 6;
  std::mt19937 random(20260101);
  double longest = 0;
  for (int i = 0; i < kills; ++i) {
    StartEndless("10000", i / 2 % 2 == 0 ? kFew : kMany, kWays[i % 4]);
    usleep(random() % 1500000);
    const int victim = static_cast<int>(random() % 4);
    std::map<int, pid_t> ranks = Ranks();
    ASSERT_EQ(ranks.size(), 4u) << Output();
    ASSERT_EQ(kill(ranks[victim], SIGKILL), 0);
    timespec begin, end;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    ASSERT_TRUE(Until(60, [&] { return Ranks().empty(); })) << Output();
    clock_gettime(CLOCK_MONOTONIC, &end);
    longest = std::max(longest, static_cast<double>(end.tv_sec - begin.tv_sec) +
                                    1e-9 * static_cast<double>(end.tv_nsec - begin.tv_nsec));
    Wait();
    for (int rank = 0; rank < 4; ++rank) {
      if (rank == victim) continue;
      // Before the run has begun, nobody knows the processes of a rank.
      EXPECT_THAT(SaidBy(rank), AnyOf(HasSubstr(absl::StrCat("rank ", victim, ",")),
                                      HasSubstr(absl::StrCat("rank ", victim, " is lost"))))
          << "kill " << i;
      EXPECT_THAT(SaidBy(rank), HasSubstr("is lost: its connection has ended")) << "kill " << i;
    }
  }
  printf("%d kills; the others had ended after at most %.2f s\n", kills, longest);
}

TEST_F(RunRanksTest, AStoppedRankIsLostAfterTheTimeOut) {
  const std::pair<int, Way> kinds[] = {{kFew, kUsual}, {kMany, kUsual}, {kMany, kMpi}};
  for (const auto& [elements, way] : kinds) {
    StartEndless("2", elements, way);
    sleep(1);
    std::map<int, pid_t> ranks = Ranks();
    ASSERT_EQ(ranks.size(), 4u) << Output();
    ASSERT_EQ(kill(ranks[1], SIGSTOP), 0);
    EXPECT_TRUE(Until(60, [&] { return Ranks().size() == 1; })) << Output();
    kill(ranks[1], SIGKILL);
    Wait();
    for (const int rank : {0, 2, 3}) {
      EXPECT_THAT(SaidBy(rank), HasSubstr("rank 1, processes (1, 0) to (1, 1), is lost: nothing "
                                          "has come from it for 2 s; process ("));
      // The process waits for rank 1 itself, or for one that waits for it.
      EXPECT_THAT(SaidBy(rank), HasSubstr(" waits at exchange exchange"));
      EXPECT_THAT(SaidBy(rank), HasSubstr("endless.hlo"));
    }
  }
}

TEST_F(RunRanksTest, RanksOfDifferentProgramsSaySo) {
  const std::string one = WriteTestFile("one.hlo", Endless("one"));
  const std::string two = WriteTestFile("two.hlo", Endless("two"));
  const std::vector<std::string> options = {"--replicas=4", "--partitions=2", "--random-inputs=1"};
  std::vector<std::string> command = Joined(Mpirun(2), Run(one, options));
  Start(Joined(Joined(command, {":", "-n", "1"}), Run(two, options)));
  ASSERT_TRUE(Until(120, [&] { return Ranks().empty() && !Output().empty(); })) << Output();
  Wait();
  for (const int rank : {0, 1, 2}) {
    EXPECT_THAT(SaidBy(rank), HasSubstr(" runs another program ("));
    EXPECT_THAT(SaidBy(rank), HasSubstr("one, 4 x 2 processes"));
    EXPECT_THAT(SaidBy(rank), HasSubstr("two, 4 x 2 processes"));
  }
}

TEST_F(RunRanksTest, ARankThatCannotStartTellsTheOthersWhy) {
  const std::string program = WriteTestFile("endless.hlo", Endless("endless"));
  const std::vector<std::string> options = {"--replicas=4", "--partitions=2"};
  std::vector<std::string> command =
      Joined(Mpirun(2), Run(program, Joined(options, {"--random-inputs=1"})));
  Start(Joined(Joined(command, {":", "-n", "1"}),
               Run(program, Joined(options, {"--inputs=/nowhere/x.npz"}))));
  ASSERT_TRUE(Until(120, [&] { return Ranks().empty() && !Output().empty(); })) << Output();
  Wait();
  for (const int rank : {0, 1}) EXPECT_THAT(SaidBy(rank), HasSubstr("rank 2: /nowhere/x.npz"));
}

// Each process reads its own argument and the infeed, and writes to its outfeed.
TEST_F(RunRanksTest, InputsOutputsAndFeedsAreThoseOfThreads) {
  const std::string program = WriteTestFile("fed.hlo", absl::StrCat("HloModule fed\n", kAdd, R"(
ENTRY e {
  x = s32[2] parameter(0)
  t = token[] after-all()
  f = ((s32[2]), token[]) infeed(t)
  d = (s32[2]) get-tuple-element(f), index=0
  y = s32[2] get-tuple-element(d), index=0
  z = s32[2] add(x, y)
  sum = s32[2] all-reduce(z), replica_groups={}, to_apply=add
  u = token[] get-tuple-element(f), index=1
  o = token[] outfeed(z, u), outfeed_shape=s32[2]
  ROOT r = (s32[2], s32[2]) tuple(sum, z)
})"));
  const auto pair = [](int64_t a, int64_t b) {
    return hlo::Literal::FromValues<int64_t>(hlo::ElementType::kS32, {2},
                                             std::vector<int64_t>{a, b});
  };
  const std::string inputs = TestFolder() + "/inputs.npz", feed = TestFolder() + "/feed.npz";
  std::vector<std::pair<std::string, hlo::Literal>> arrays;
  for (int p = 0; p < 5; ++p)
    arrays.emplace_back(absl::StrCat("process", p, ".arg0"), pair(p, 7 * p));
  ASSERT_TRUE(WriteNpz(inputs, arrays).ok());
  ASSERT_TRUE(WriteNpz(feed, {{"in0", pair(100, 200)}}).ok());
  std::string bytes[5], fed[5], printed[5];
  for (const int way : {0, 1, 2, 3, 4}) {  // threads, and ranks in all ways
    const Environment environment(way == 0 ? kUsual : kWays[way - 1]);
    const std::string out = TestFolder() + "/out.npz", outfeed = TestFolder() + "/outfeed.npz";
    const std::vector<std::string> options = {"--replicas=5", "--inputs=" + inputs,
                                              "--infeed=" + feed, "--outfeed=" + outfeed};
    std::vector<std::string> mpirun = way == 0 ? std::vector<std::string>() : Mpirun(3);
    std::erase(mpirun, "--tag-output");
    const CommandResult written =
        RunProgram(Joined(mpirun, Run(program, Joined(options, {"--outputs=" + out}))));
    ASSERT_EQ(written.status, 0) << written.err;
    const CommandResult shown = RunProgram(Joined(mpirun, Run(program, options)));
    ASSERT_EQ(shown.status, 0) << shown.err;
    bytes[way] = ReadTestFile(out);
    fed[way] = ReadTestFile(outfeed);
    printed[way] = shown.out;
  }
  EXPECT_THAT(printed[0], HasSubstr("process (4, 0)\nout0: s32[2] {510, 1070}\n"));
  EXPECT_FALSE(bytes[0].empty());
  EXPECT_FALSE(fed[0].empty());
  for (const int way : {1, 2, 3, 4}) {
    SCOPED_TRACE(kWays[way - 1].links);
    EXPECT_EQ(printed[way], printed[0]);
    EXPECT_TRUE(bytes[way] == bytes[0]);
    EXPECT_TRUE(fed[way] == fed[0]);
  }
}

TEST_F(RunRanksTest, SharedMemoryIsANumberOfMegabytes) {
  setenv("HALYARD_SHARED_MEMORY", "some", 1);
  const std::string program = WriteTestFile("endless.hlo", Endless("endless"));
  const CommandResult result = RunProgram(
      Joined(Mpirun(2), Run(program, {"--replicas=4", "--partitions=2", "--random-inputs=1"})));
  unsetenv("HALYARD_SHARED_MEMORY");
  EXPECT_THAT(result.err, HasSubstr("$HALYARD_SHARED_MEMORY is the most MiB that each rank shares, "
                                    "not \"some\""));
}

TEST_F(RunRanksTest, LinksAreSocketsOrMpi) {
  const Environment environment({"pigeons", ""});
  const std::string program = WriteTestFile("endless.hlo", Endless("endless"));
  const CommandResult result = RunProgram(
      Joined(Mpirun(2), Run(program, {"--replicas=4", "--partitions=2", "--random-inputs=1"})));
  EXPECT_THAT(result.err, HasSubstr("$HALYARD_RANK_LINKS is sockets or mpi, not \"pigeons\""));
}

TEST_F(RunRanksTest, TheTimeOutIsForRanksOnly) {
  const std::string program = WriteTestFile("endless.hlo", Endless("endless"));
  const CommandResult result =
      RunProgram(Run(program, {"--replicas=4", "--random-inputs=1", "--collective-timeout=5"}));
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("--collective-timeout is for processes that mpirun spreads"));
}

}  // namespace
}  // namespace halyard::testing
