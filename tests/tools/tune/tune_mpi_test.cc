// Tests `mpirun -n N halyard tune` with real processes, which are killed.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "autotuner/records/database.h"
#include "autotuner/report/run_log.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace halyard::tools {
namespace {

using autotuner::Database;
using autotuner::LoggedTrial;
using autotuner::Record;

using ::testing::HasSubstr;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

constexpr char kProduct[] = R"(HloModule product

ENTRY e {
  x = f32[48,40] parameter(0)
  y = f32[40,64] parameter(1)
  ROOT r = f32[48,64] dot(x, y), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)";

class MpiTest : public ::testing::Test {
 protected:
  MpiTest()
      : folder_(::testing::TempDir() + "/tune_mpi_test_" + std::to_string(getpid())),
        database_(folder_ + "/records.sqlite"),
        output_(folder_ + "/output"),
        log_(folder_ + "/log"),
        program_(folder_ + "/product.hlo") {
    std::filesystem::create_directories(folder_);
    std::ofstream(program_) << kProduct;
    // MPI leaks memory, for which we are not responsible.
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1);
  }
  ~MpiTest() override {
    for (const auto& [pid, rank] : Ranks()) kill(pid, SIGKILL);
    if (job_ > 0) {
      kill(job_, SIGKILL);
      waitpid(job_, nullptr, 0);
    }
    std::filesystem::remove_all(folder_);
  }

  void Start(std::vector<std::string> command) {
    std::filesystem::remove(output_);
    std::filesystem::remove(log_);
    std::vector<char*> argv;
    for (std::string& argument : command) argv.push_back(argument.data());
    argv.push_back(nullptr);
    job_ = fork();
    if (job_ != 0) return;
    dup2(open(output_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600), STDOUT_FILENO);
    dup2(STDOUT_FILENO, STDERR_FILENO);
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  std::vector<std::string> TuneCommand(int trials) const {
    return {HALYARD_BIN_DIR "/halyard",
            "tune",
            program_,
            "--target=x86",
            "--no-report",
            "--db=" + database_,
            "--log=" + log_,
            "--trials=" + std::to_string(trials)};
  }
  void StartRanks(int count, int trials) {
    std::vector<std::string> command = {
        HALYARD_MPIEXEC,      "--enable-recovery", "--allow-run-as-root", "--oversubscribe", "-n",
        std::to_string(count)};
    for (std::string& word : TuneCommand(trials)) command.push_back(std::move(word));
    Start(std::move(command));
  }
  int Wait() {
    int status = 0;
    waitpid(job_, &status, 0);
    job_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  // Returns the job's processes that tune this database, and their ranks.
  std::map<pid_t, int> Ranks() const {
    std::map<pid_t, int> ranks;
    DIR* folder = opendir("/proc");
    while (const dirent* entry = folder == nullptr ? nullptr : readdir(folder)) {
      const pid_t pid = atoi(entry->d_name);
      const std::string proc = std::string("/proc/") + entry->d_name;
      if (pid <= 0 || ReadAll(proc + "/cmdline").find(database_) == std::string::npos) continue;
      const std::string environment = ReadAll(proc + "/environ"), name = "OMPI_COMM_WORLD_RANK=";
      const size_t at = environment.find(name);
      if (at != std::string::npos) ranks[pid] = atoi(environment.c_str() + at + name.size());
    }
    if (folder != nullptr) closedir(folder);
    return ranks;
  }
  // Returns the trials that rank 0 has reported. The database has their records.
  std::set<std::string> Told() const {
    std::set<std::string> told;
    std::istringstream lines(ReadAll(log_));
    for (std::string line; std::getline(lines, line);) {
      const absl::StatusOr<LoggedTrial> trial = autotuner::LoggedTrialFromJson(line);
      if (trial.ok() && !trial->confirming) told.insert(trial->schedule);
    }
    return told;
  }
  static bool Until(double seconds, const std::function<bool()>& done) {
    for (double waited = 0; waited < seconds; waited += 0.02) {
      if (done()) return true;
      usleep(20000);
    }
    return false;
  }
  bool UntilTold(size_t count) {
    return Until(120, [&] { return Told().size() >= count; });
  }
  std::set<std::string> Recorded() const {
    std::set<std::string> schedules;
    absl::StatusOr<Database> database = Database::Open(database_, Database::Mode::kReadOnly);
    EXPECT_TRUE(database.ok()) << database.status();
    if (!database.ok()) return schedules;
    const absl::Status status = database->ForEach({}, [&](const Record& record) {
      EXPECT_EQ(record.error.find("lost"), std::string::npos) << record.error;
      schedules.insert(record.schedule);
      return true;
    });
    EXPECT_TRUE(status.ok()) << status;
    return schedules;
  }

  const std::string folder_, database_, output_, log_, program_;
  pid_t job_ = -1;
};

TEST_F(MpiTest, AllIsKilledThenARunIsResumedAndLosesARank) {
  StartRanks(4, 14);
  ASSERT_TRUE(UntilTold(3)) << ReadAll(output_);
  // A process that a rank has just created for a worker looks like the rank until it runs.
  std::set<int> ranks;
  for (const auto& [pid, rank] : Ranks()) ranks.insert(rank);
  EXPECT_EQ(ranks.size(), 4u);
  kill(job_, SIGKILL);
  for (const auto& [pid, rank] : Ranks()) kill(pid, SIGKILL);
  Wait();
  const std::set<std::string> first = Told();
  EXPECT_THAT(Recorded(), ::testing::IsSupersetOf(first));

  StartRanks(4, 18);
  ASSERT_TRUE(UntilTold(4)) << ReadAll(output_);
  pid_t killed = 0;
  for (const auto& [pid, rank] : Ranks()) {
    if (rank == 2) killed = pid;
  }
  ASSERT_NE(killed, 0);
  kill(killed, SIGKILL);
  EXPECT_EQ(Wait(), 0) << ReadAll(output_);
  EXPECT_THAT(ReadAll(output_), HasSubstr("rank 2"));
  EXPECT_THAT(ReadAll(output_), HasSubstr("lost: it has ended"));
  EXPECT_THAT(ReadAll(output_), HasSubstr("records are in"));
  const std::set<std::string> all = Recorded();
  EXPECT_GE(all.size(), 18u);
  EXPECT_THAT(all, ::testing::IsSupersetOf(first));
  EXPECT_THAT(all, ::testing::IsSupersetOf(Told()));
  for (const std::string& line : Told()) EXPECT_EQ(first.count(line), 0u) << line;
}

TEST_F(MpiTest, TheOthersEndWithRankZero) {
  StartRanks(3, 100);
  ASSERT_TRUE(UntilTold(2)) << ReadAll(output_);
  for (const auto& [pid, rank] : Ranks()) {
    if (rank == 0) kill(pid, SIGKILL);
  }
  EXPECT_TRUE(Until(5, [this] { return Ranks().empty(); }));
  Wait();
  EXPECT_THAT(ReadAll(output_), HasSubstr("rank 1: ends, as rank 0 has"));
  EXPECT_THAT(Recorded(), ::testing::IsSupersetOf(Told()));
}

// Returns all CPUs that a process may use, as the kernel writes them.
std::string CpusOf(const std::string& process) {
  const std::string status = ReadAll("/proc/" + process + "/status");
  const size_t at = status.find("Cpus_allowed_list:");
  return at == std::string::npos ? "" : status.substr(at, status.find('\n', at) - at);
}

// mpirun binds each of two processes to a core, so candidates would be measured on one core.
TEST_F(MpiTest, TheRanksUseAllCpusAndEndWithMpirun) {
  StartRanks(2, 100);
  ASSERT_TRUE(UntilTold(1)) << ReadAll(output_);
  for (const auto& [pid, rank] : Ranks()) EXPECT_EQ(CpusOf(std::to_string(pid)), CpusOf("self"));
  kill(job_, SIGKILL);
  Wait();
  // Rank 0 ends as after Ctrl-C, once it has compiled the present batch.
  EXPECT_TRUE(Until(60, [this] { return Ranks().empty(); }));
}

// What one of several processes says if it cannot work with the others. It does not tune alone.
class MpiErrorTest : public MpiTest {
 protected:
  std::string Error(const std::vector<std::string>& environment) {
    std::vector<std::string> command = {"env", "-u", "OMPI_COMM_WORLD_SIZE"};
    command.insert(command.end(), environment.begin(), environment.end());
    for (std::string& word : TuneCommand(4)) command.push_back(std::move(word));
    Start(command);
    EXPECT_EQ(Wait(), 1);
    EXPECT_FALSE(std::filesystem::exists(database_));
    return ReadAll(output_);
  }
};

TEST_F(MpiErrorTest, WithoutThePluginItSaysWhatToInstall) {
  const std::string error =
      Error({"OMPI_COMM_WORLD_SIZE=2", "HALYARD_MPI=/nowhere/libhalyard_mpi.so"});
  EXPECT_THAT(error, HasSubstr("one of 2 processes"));
  EXPECT_THAT(error, HasSubstr("libopenmpi-dev"));
  EXPECT_THAT(error, HasSubstr("/nowhere/libhalyard_mpi.so"));
}

TEST_F(MpiErrorTest, AnotherMpisLauncherIsNoticed) {
  EXPECT_THAT(Error({"PMI_SIZE=3"}), HasSubstr("one of 3 processes, but its MPI knows of 1"));
}

}  // namespace
}  // namespace halyard::tools
