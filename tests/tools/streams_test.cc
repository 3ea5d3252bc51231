// Tests every command with each of its standard streams closed: what was to be written to a closed
// output is an error and is never lost silently, and nothing else changes. Also tests that commands
// that write the same file do not keep each other from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::RunProgram;
using testing::RunWithout;
using testing::TestFolder;
using testing::WriteTestFile;

const char* const kHalyard = HALYARD_BIN_DIR "/halyard";

std::string Program() {
  static const std::string path =
      WriteTestFile("streams.hlo",
                    "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] negate(x) }\n");
  return path;
}

// Returns `halyard ARGUMENT…` with an empty cache.
std::vector<std::string> Cold(std::vector<std::string> arguments) {
  const std::string cache = TestFolder() + "/cold";
  std::filesystem::remove_all(cache);
  std::vector<std::string> command = {"env", "HALYARD_CACHE_DIR=" + cache, kHalyard};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

std::vector<int> Streams(int bits) {
  std::vector<int> closed;
  for (int fd = 0; fd < 3; ++fd) {
    if ((bits >> fd & 1) != 0) closed.push_back(fd);
  }
  return closed;
}

// Compares `command` with the streams of `bits` closed with `whole`, which ran with all streams
// open.
void ExpectTheSame(const std::vector<std::string>& command, const CommandResult& whole, int bits) {
  SCOPED_TRACE(::testing::PrintToString(command) + " without " +
               ::testing::PrintToString(Streams(bits)));
  if (command[0] == "env") std::filesystem::remove_all(TestFolder() + "/cold");
  const CommandResult result = RunWithout(Streams(bits), command);
  const bool no_output = (bits & 2) != 0, no_messages = (bits & 4) != 0;
  if (no_output && !whole.out.empty()) {
    EXPECT_EQ(result.status, 1);
    if (!no_messages) {
      EXPECT_THAT(result.err, HasSubstr("error: standard output cannot be written: it is closed"));
    }
    return;
  }
  EXPECT_EQ(result.status, whole.status) << result.err;
  EXPECT_EQ(result.out, whole.out);
  if (!no_messages) {
    EXPECT_EQ(result.err, whole.err);
  }
}

void ExpectTheSame(const std::vector<std::string>& command, const std::vector<int>& kinds) {
  const CommandResult whole = testing::RunProgram(command);
  for (const int bits : kinds) ExpectTheSame(command, whole, bits);
}

TEST(ClosedStreams, OfCommandsThatCompileNothing) {
  const std::string program = Program(), runtime = HALYARD_BIN_DIR "/halyard-rt";
  const std::vector<std::vector<std::string>> commands = {
      {kHalyard, "--version"},
      {kHalyard, "run", "--help"},
      {kHalyard, "no-such-command"},
      {kHalyard, "verify", program},
      {kHalyard, "verify", "/no/such/file"},
      {kHalyard, "run", program, "--target=reference", "--random-inputs=1"},
      {kHalyard, "convert", program, "--to=stablehlo"},
      {kHalyard, "show", program, "--stage=hlo"},
      {kHalyard, "devices", "--describe=cuda:h100"},
      {runtime, "--help"},
      {runtime, "measure", "/no/such/bundle", "-o", "/no/such/records"},
      {HALYARD_BIN_DIR "/halyard-codegen", "/no/such/request"},
  };
  for (const std::vector<std::string>& command : commands) {
    ExpectTheSame(command, {1, 2, 3, 4, 5, 6, 7});
  }
}

// The socket to the code generator must not become a standard stream.
TEST(ClosedStreams, OfCommandsThatCompile) {
  ExpectTheSame(Cold({"run", Program(), "--target=x86", "--random-inputs=1"}), {2, 4, 5, 7});
  ExpectTheSame(Cold({"show", Program(), "--target=x86", "--stage=schedule"}), {7});
}

TEST(ClosedStreams, FilesAreWrittenAllTheSame) {
  const std::string out = TestFolder() + "/results.npz", hlo = TestFolder() + "/converted.hlo";
  const std::vector<std::string> run = {"run", Program(), "--target=x86", "--random-inputs=1",
                                        "--outputs=" + out};
  const std::vector<std::string> convert = {kHalyard, "convert", Program(), "-o", hlo};
  ASSERT_EQ(testing::RunProgram(Cold(run)).status, 0);
  ASSERT_EQ(testing::RunProgram(convert).status, 0);
  const std::string results = testing::ReadTestFile(out), text = testing::ReadTestFile(hlo);
  ASSERT_FALSE(results.empty() || text.empty());
  for (const int bits : {1, 3, 7}) {
    std::filesystem::remove(out);
    std::filesystem::remove(hlo);
    EXPECT_EQ(RunWithout(Streams(bits), Cold(run)).status, 0) << bits;
    EXPECT_EQ(RunWithout(Streams(bits), convert).status, 0) << bits;
    EXPECT_EQ(testing::ReadTestFile(out), results) << bits;
    EXPECT_EQ(testing::ReadTestFile(hlo), text) << bits;
  }
}

TEST(ClosedStreams, AClosedInputIsNotAnEmptyOne) {
  const std::vector<std::string> import = {kHalyard, "db", "import", "-",
                                           "--db=" + TestFolder() + "/imported.sqlite"};
  EXPECT_EQ(testing::RunProgram(import).status, 0);
  const CommandResult result = RunWithout({0}, import);
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("error: standard input: Bad file descriptor"));
}

// Only a regular file is replaced by another, and it stays where it was, as it was.
TEST(Outputs, OfEveryKind) {
  const auto convert = [](const std::string& path) {
    return RunProgram({kHalyard, "convert", Program(), "--to=hlo", "-o", path});
  };
  const std::string text = RunProgram({kHalyard, "convert", Program()}).out;
  ASSERT_FALSE(text.empty());
  EXPECT_EQ(convert("/dev/stdout").out, text);
  EXPECT_EQ(convert("/dev/null").status, 0);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  const std::string pipe = TestFolder() + "/pipe";
  // `timeout` ends the reader, should nobody write.
  const std::string read = "mkfifo '" + pipe + "'; timeout 60 cat '" + pipe + "' & ";
  const std::string write = std::string(kHalyard) + " convert --to=hlo '" + Program() + "' -o '";
  EXPECT_EQ(RunProgram({"bash", "-c", read + write + pipe + "'; wait"}).out, text);
  const std::string file = testing::WriteTestFile("replaced.hlo", "earlier");
  const std::string link = TestFolder() + "/link.hlo", dangling = TestFolder() + "/dangling.hlo";
  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink(file, link);
  std::filesystem::create_symlink(TestFolder() + "/new.hlo", dangling);
  for (const std::string& path : {link, dangling}) {
    EXPECT_EQ(convert(path).status, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(path));
    EXPECT_EQ(testing::ReadTestFile(path), text);
  }
  EXPECT_EQ(static_cast<int>(std::filesystem::status(file).permissions()), 0600);
}

TEST(Outputs, MayAppearWhileTheyAreChecked) {
  const std::string path = TestFolder() + "/appears.npz";
  std::atomic<bool> over = false;
  std::thread another([&] {
    while (!over) {
      if (FILE* file = fopen(path.c_str(), "wb"); file != nullptr) fclose(file);
      remove(path.c_str());
    }
  });
  for (int i = 0; i < 60; ++i) {
    // The inputs are read after the check.
    const CommandResult result = RunProgram({kHalyard, "run", Program(), "--target=reference",
                                             "--inputs=missing.npz", "--outputs=" + path});
    EXPECT_THAT(result.err, HasSubstr("missing.npz"));
  }
  over = true;
  another.join();
}

}  // namespace
}  // namespace halyard
