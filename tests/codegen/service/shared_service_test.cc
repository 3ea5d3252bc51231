// Tests the code generator that several commands share: it is found, started, ended and replaced,
// and gives the same code as one of a command's own.

#include "codegen/service/shared_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "absl/strings/match.h"
#include "codegen/service/kernel_compiler.h"
#include "tests/schedules/kernel_harness.h"

namespace halyard::testing {
namespace {

using ::testing::HasSubstr;

constexpr char kHlo[] =
    "HloModule m\nENTRY e { a = f32[100] parameter(0) ROOT r = f32[100] add(a, a) }";

lowering::KernelRequest Request() {
  lowering::KernelRequest request;
  request.hlo = kHlo;
  request.device = InfoNamed("x86");
  return request;
}

class SharedService : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(::testing::TempDir()) / "s";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directory(folder_);
    setenv("XDG_RUNTIME_DIR", folder_.c_str(), 1);
    setenv("HALYARD_CODEGEN_SERVICE", "60", 1);
  }
  void TearDown() override {
    unsetenv("HALYARD_CODEGEN_SERVICE");
    unsetenv("XDG_RUNTIME_DIR");
    for (const pid_t pid : Services()) kill(pid, SIGKILL);
    EXPECT_TRUE(Until([&] { return Services().empty(); }));
    std::filesystem::remove_all(folder_);
  }

  static std::unique_ptr<lowering::KernelCompiler> Compiler(int jobs = 2) {
    lowering::KernelCompilerOptions options;
    options.codegen_path = std::string(HALYARD_BIN_DIR) + "/halyard-codegen";
    options.jobs = jobs;
    options.seconds_per_kernel = 60;
    return lowering::KernelCompiler::Create(options);
  }

  // The processes of services in this test's folder: each service, and what it has forked.
  std::set<pid_t> Services() const {
    std::set<pid_t> found;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const pid_t pid = atoi(entry.path().filename().c_str());
      if (pid <= 0) continue;
      std::ifstream file(entry.path() / "cmdline");
      std::string line;  // nothing where the process has ended meanwhile
      std::getline(file, line);
      if (line.find("--share=" + folder_.string() + "/") != std::string::npos) found.insert(pid);
    }
    return found;
  }

  // The services themselves, whose standard input is the listening socket. What they fork has that
  // input too for a moment, so their parents decide.
  std::set<pid_t> Roots() const {
    const std::set<pid_t> all = Services();
    std::set<pid_t> roots;
    for (const pid_t pid : all) {
      std::error_code error;
      const auto input =
          std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/fd/0", error);
      if (!error && absl::StartsWith(input.string(), "socket:") && !all.contains(Parent(pid))) {
        roots.insert(pid);
      }
    }
    return roots;
  }

  // 0 where the process has ended.
  static pid_t Parent(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(file, line);) {
      if (absl::StartsWith(line, "PPid:")) return atoi(line.c_str() + 5);
    }
    return 0;
  }

  int Sockets() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "halyard")) {
      count += entry.is_socket() ? 1 : 0;
    }
    return count;
  }

  template <typename Condition>
  static bool Until(const Condition& condition) {
    for (int i = 0; i < 600; ++i) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    return false;
  }

  std::filesystem::path folder_;
};

TEST_F(SharedService, GivesTheCodeOfAServiceOfOnesOwn) {
  const auto first = Compiler()->Compile({Request()});
  const auto second = Compiler()->Compile({Request(), Request()});
  EXPECT_EQ(Roots().size(), 1u);
  unsetenv("HALYARD_CODEGEN_SERVICE");
  const auto own = Compiler()->Compile({Request()});
  ASSERT_TRUE(own[0].ok()) << own[0].status();
  for (const auto* reply : {&first[0], &second[0], &second[1]}) {
    ASSERT_TRUE(reply->ok()) << reply->status();
    EXPECT_EQ((*reply)->Serialize(), own[0]->Serialize());
  }
}

TEST_F(SharedService, IsNoChildAndHoldsNoFileOfTheCommand) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);  // which a process that is started inherits
  ASSERT_TRUE(Compiler()->Compile({Request()})[0].ok());
  EXPECT_FALSE(Roots().empty());
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
  close(ends[1]);
  char byte;
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "somebody still holds the pipe";
  close(ends[0]);
}

TEST_F(SharedService, EndsWhenNobodyNeedsIt) {
  setenv("HALYARD_CODEGEN_SERVICE", "0.3", 1);
  {
    const auto compiler = Compiler();
    ASSERT_TRUE(compiler->Compile({Request()})[0].ok());
    // It stays for who is connected.
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
    EXPECT_EQ(Roots().size(), 1u);
    EXPECT_TRUE(compiler->Compile({Request()})[0].ok());
  }
  EXPECT_TRUE(Until([&] { return Services().empty(); }));
  EXPECT_EQ(Sockets(), 0);
  EXPECT_TRUE(Compiler()->Compile({Request()})[0].ok());
}

TEST_F(SharedService, IsReplacedWhereItWasKilled) {
  ASSERT_TRUE(Compiler()->Compile({Request()})[0].ok());
  const std::set<pid_t> before = Roots();
  for (const pid_t pid : Services()) kill(pid, SIGKILL);
  ASSERT_TRUE(Until([&] { return Services().empty(); }));
  EXPECT_EQ(Sockets(), 1);
  EXPECT_TRUE(Compiler()->Compile({Request()})[0].ok());
  EXPECT_NE(Roots(), before);
}

TEST_F(SharedService, ReplacesAProcessThatWasKilledWhileItWaited) {
  ASSERT_TRUE(Compiler()->Compile({Request()})[0].ok());
  const std::set<pid_t> roots = Roots();
  const std::set<pid_t> all = Services();
  for (const pid_t pid : all) {
    if (!roots.contains(pid)) kill(pid, SIGKILL);
  }
  ASSERT_TRUE(Until([&] {
    const std::set<pid_t> left = Services();
    return std::none_of(all.begin(), all.end(),
                        [&](pid_t pid) { return left.contains(pid) && !roots.contains(pid); });
  }));
  EXPECT_TRUE(Compiler()->Compile({Request()})[0].ok());
  EXPECT_EQ(Roots(), roots);
}

TEST_F(SharedService, IsOneHoweverManyComeAtOnce) {
  std::vector<pid_t> commands;
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = fork();
    if (pid == 0) _exit(Compiler()->Compile({Request()})[0].ok() ? 0 : 1);
    commands.push_back(pid);
  }
  for (const pid_t pid : commands) {
    int status = -1;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(Roots().size(), 1u);
  EXPECT_EQ(Sockets(), 1);
}

TEST_F(SharedService, IsAnotherForOtherCircumstances) {
  ASSERT_TRUE(Compiler()->Compile({Request()})[0].ok());
  ASSERT_TRUE(Compiler(/*jobs=*/1)->Compile({Request()})[0].ok());
  EXPECT_EQ(Roots().size(), 2u);
  setenv("HALYARD_CODEGEN_FAULT", "abort:add", 1);
  const auto reply = Compiler()->Compile({Request()});
  unsetenv("HALYARD_CODEGEN_FAULT");
  EXPECT_THAT(std::string(reply[0].status().message()), HasSubstr("signal 6"));
  EXPECT_EQ(Roots().size(), 3u);
  EXPECT_TRUE(Compiler()->Compile({Request()})[0].ok());
}

TEST_F(SharedService, ItsFolderMustBeTheUsersAlone) {
  std::filesystem::create_directory(folder_ / "halyard");
  chmod((folder_ / "halyard").c_str(), 0755);
  const auto reply = Compiler()->Compile({Request()});
  ASSERT_FALSE(reply[0].ok());
  EXPECT_THAT(std::string(reply[0].status().message()),
              HasSubstr("must be a folder of yours alone (mode 700)"));
  EXPECT_TRUE(Services().empty());
}

TEST_F(SharedService, PathsThatAreTooLongAreRefused) {
  const std::string deep = folder_ / std::string(100, 'd');
  std::filesystem::create_directory(deep);
  setenv("XDG_RUNTIME_DIR", deep.c_str(), 1);
  const auto reply = Compiler()->Compile({Request()});
  ASSERT_FALSE(reply[0].ok());
  EXPECT_THAT(std::string(reply[0].status().message()), HasSubstr("too long"));
}

TEST_F(SharedService, AProgramThatEndsAtOnceIsAnError) {
  const std::string program = folder_ / "program";
  std::ofstream(program) << "#!/bin/sh\nexit 3\n";
  chmod(program.c_str(), 0700);
  lowering::KernelCompilerOptions options;
  options.codegen_path = program;
  const auto reply = lowering::KernelCompiler::Create(options)->Compile({Request()});
  ASSERT_FALSE(reply[0].ok());
  EXPECT_THAT(std::string(reply[0].status().message()), HasSubstr("ends as soon as it is started"));
}

TEST(SharedServiceSeconds, AreANumber) {
  using lowering::SharedServiceSeconds;
  for (const char* none : {static_cast<const char*>(nullptr), "", "0"}) {
    ASSERT_TRUE(SharedServiceSeconds(none).ok());
    EXPECT_FALSE(SharedServiceSeconds(none)->has_value());
  }
  EXPECT_EQ(**SharedServiceSeconds("2.5"), 2.5);
  for (const char* bad : {"yes", "-1", "nan", "inf", "1e400", "5 s"}) {
    EXPECT_FALSE(SharedServiceSeconds(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace halyard::testing
