// Tests every option and argument that names a file to read, with files of the wrong kind: a
// folder, an endless device, a pipe, a missing file, and a file without permission. Each gives one
// clear error, soon and with little memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::TestFolder;
using testing::WriteTestFile;

// A place where a command reads FILE.
struct Door {
  const char* name;
  std::vector<std::string> command;  // GOOD stands for a program, FILE for the file to read
  bool pipes = false;                // a pipe is read as a file is
  bool empty = false;                // an empty file is right
  int status = 1;                    // with a file of another kind
  int wrong = 1;                     // with a file that holds something else
};

std::vector<Door> Doors() {
  const std::vector<std::string> show = {"show", "GOOD", "--target=x86", "--stage=schedule"};
  auto with = [](std::vector<std::string> command, const std::string& last) {
    command.push_back(last);
    return command;
  };
  const std::vector<std::string> reference = {"run", "GOOD", "--target=reference"};
  return {
      {"verify", {"verify", "FILE"}, true},
      {"run", {"run", "FILE", "--target=x86", "--random-inputs=1"}, true},
      {"run_reference", {"run", "FILE", "--target=reference", "--random-inputs=1"}, true},
      {"run_replicas",
       {"run", "FILE", "--target=reference", "--replicas=2", "--random-inputs=1"},
       true},
      {"bench", {"bench", "FILE", "--target=reference", "--repeat=1"}, true},
      {"check", {"check", "FILE", "--target=reference"}, true},
      {"show", {"show", "FILE", "--stage=hlo"}, true},
      {"compile", {"compile", "FILE", "-o", TestFolder(), "--name=m", "--target=x86:v2"}, true},
      {"convert", {"convert", "FILE"}, true},
      {"tune", {"tune", "FILE", "--target=x86", "--trials=1"}, true},
      {"inputs", with(reference, "--inputs=FILE")},
      {"expect", {"run", "GOOD", "--target=reference", "--random-inputs=1", "--expect=FILE"}},
      {"load", {"run", "GOOD", "--target=reference", "--random-inputs=1", "--load=FILE"}},
      {"schedules", with(show, "--schedules=FILE"), true, true},
      {"choices", with(show, "--choices=FILE"), true, true},
      {"device", {"show", "GOOD", "--stage=program", "--target=vulkan:FILE"}, true, false, 1, 2},
      {"database", with(show, "--db=FILE"), false, true, 0},
      {"database_locked",
       {"run", "GOOD", "--target=x86", "--random-inputs=1", "--locked", "--db=FILE"}},
      {"db_list", {"db", "list", "--db=FILE"}, false, true},
      {"db_verify", {"db", "verify", "--db=FILE"}, false, true},
      {"db_import", {"db", "import", "FILE", "--db=DATABASE"}, true, true},
      {"db_merge", {"db", "merge", "FILE", "--db=DATABASE"}, false, true},
      {"measure", {"RUNTIME", "measure", "FILE", "-o", "DATABASE.jsonl"}},
  };
}

class Reading : public ::testing::TestWithParam<Door> {
 protected:
  // If a mistake would wait or read forever, or take all memory, `timeout` and `ulimit` end it.
  static CommandResult Run(const std::string& file, const std::string& before = "") {
    static const std::string good = WriteTestFile(
        "good.hlo", "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] negate(x) }\n");
    std::string line = testing::kSanitized
                           ? "export ASAN_OPTIONS=$ASAN_OPTIONS:hard_rss_limit_mb=4000; "
                           : "ulimit -v 4000000; ";
    line += before + " timeout 60 ";
    std::vector<std::string> command = GetParam().command;
    const bool runtime = command[0] == "RUNTIME";
    if (runtime) command.erase(command.begin());
    line += runtime ? HALYARD_BIN_DIR "/halyard-rt" : HALYARD_BIN_DIR "/halyard";
    for (const std::string& word : command) {
      line += " " +
              absl::StrReplaceAll(
                  word, {{"GOOD", good}, {"FILE", file}, {"DATABASE", TestFolder() + "/records"}});
    }
    return testing::RunProgram({"sh", "-c", line});
  }
  // `file` is of the wrong kind, so there is an error (or a warning) that names it.
  static void ExpectRefused(const std::string& file, const CommandResult& result) {
    EXPECT_EQ(result.status, GetParam().status) << result.err;
    EXPECT_THAT(result.err + result.out, HasSubstr(file));
    if (GetParam().status != 0) return;
    EXPECT_THAT(result.err, HasSubstr("halyard: warning: "));
    EXPECT_THAT(result.err, HasSubstr("--no-tuning"));
  }
};

TEST_P(Reading, ADeviceWithoutAnEnd) { ExpectRefused("/dev/zero", Run("/dev/zero")); }

TEST_P(Reading, AFolder) {
  const std::string folder = TestFolder() + "/a.folder";
  std::filesystem::create_directory(folder);
  ExpectRefused(folder, Run(folder));
}

TEST_P(Reading, APipe) {
  const std::string pipe = TestFolder() + "/a.pipe";
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  if (!GetParam().pipes) {
    // Nobody writes to the pipe.
    ExpectRefused(pipe, Run(pipe));
    return;
  }
  // The pipe acts as an empty file.
  const CommandResult result = Run(pipe, ": >" + pipe + " & ");
  EXPECT_EQ(result.status, GetParam().empty ? 0 : GetParam().wrong) << result.err;
}

TEST_P(Reading, AnEmptyFile) {
  const std::string empty = WriteTestFile("an.empty", "");
  const CommandResult result = Run(empty);
  if (GetParam().empty) {
    EXPECT_LE(result.status, 1) << result.err;
  } else {
    EXPECT_EQ(result.status, GetParam().wrong) << result.err;
    EXPECT_THAT(result.err + result.out, HasSubstr(empty));
  }
}

TEST_P(Reading, WhatIsNotThere) {
  // this is right: there are no records yet
  if (std::string(GetParam().name) == "database") return;
  const std::string none = TestFolder() + "/is/not.there";
  ExpectRefused(none, Run(none));
}

// Root may read everything, so another user reads.
TEST_P(Reading, WhatMayNotBeRead) {
  const std::string secret = WriteTestFile("a.secret", "HloModule m\n");
  ASSERT_EQ(chmod(secret.c_str(), 0), 0);
  if (geteuid() != 0) {
    ExpectRefused(secret, Run(secret));
    return;
  }
  ASSERT_EQ(chmod(TestFolder().c_str(), 0755), 0);
  const std::string cache = TestFolder() + "/other.cache";
  std::filesystem::create_directory(cache);
  ASSERT_EQ(chmod(cache.c_str(), 0700), 0);
  ASSERT_EQ(chown(cache.c_str(), 65534, 65534), 0);
  const std::string other = "HOME=/nonexistent HALYARD_CACHE_DIR=" + cache +
                            " setpriv --reuid=65534 --regid=65534 --clear-groups";
  // the other user may not write to TestFolder
  if (std::string(GetParam().name) == "compile") return;
  // Below a root folder of root's own, as in some chroots, another user cannot run anything.
  const CommandResult able = testing::RunProgram({"sh", "-c", other + " timeout 60 true"});
  if (able.status != 0) GTEST_SKIP() << "another user can run no program here: " << able.err;
  const CommandResult result = Run(secret, other);
  ExpectRefused(secret, result);
}

// Nobody writes to these pipes, so the entries are made again.
TEST(CacheEntries, ThatArePipes) {
  const std::string program = WriteTestFile(
      "cached.hlo", "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] negate(x) }\n");
  const std::string cache = TestFolder() + "/cache";
  for (const std::string target : {"x86", "vulkan"}) {
    const std::vector<std::string> run = {
        "env",   "HALYARD_CACHE_DIR=" + cache, "timeout",
        "60",    HALYARD_BIN_DIR "/halyard",   "run",
        program, "--target=" + target,         "--random-inputs=1"};
    const CommandResult first = testing::RunProgram(run);
    ASSERT_EQ(first.status, 0) << first.err;
    int pipes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(cache)) {
      std::filesystem::remove(entry.path());
      ASSERT_EQ(mkfifo(entry.path().c_str(), 0600), 0);
      ++pipes;
    }
    EXPECT_GE(pipes, 2);  // a kernel and a program
    const CommandResult second = testing::RunProgram(run);
    EXPECT_EQ(second.status, 0) << second.err;
    EXPECT_EQ(second.out, first.out);
    std::filesystem::remove_all(cache);
  }
}

INSTANTIATE_TEST_SUITE_P(Doors, Reading, ::testing::ValuesIn(Doors()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace halyard
