// For files that XLA wrote (tests/data/fixtures/export.py, with_xla.py here), the module must be
// that of the text files beside them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/str_split.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"

namespace halyard::hlo_proto {
namespace {

std::string Contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Returns the lines in any order, because XLA's text follows its own schedule.
std::vector<std::string> Lines(const hlo::Module& module) {
  std::vector<std::string> lines = absl::StrSplit(hlo_text::Print(module), '\n');
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Compares the message with the text beside it, whose name lacks ".pb".
void CheckFile(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  std::string bytes = Contents(path);
  EXPECT_TRUE(IsHloProto(bytes, "")) << name;
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = ParseHloProto(bytes, name);
  ASSERT_TRUE(module.ok()) << module.status().message();
  std::filesystem::path text = path;
  text.replace_extension();
  absl::StatusOr<std::unique_ptr<hlo::Module>> wanted =
      hlo_text::ParseModule(Contents(text), text.filename().string());
  ASSERT_TRUE(wanted.ok()) << wanted.status().message();
  EXPECT_EQ(Lines(**module), Lines(**wanted)) << name;
  // Writes the module as a message again.
  absl::StatusOr<std::string> written = ToHloProto(**wanted);
  ASSERT_TRUE(written.ok());
  absl::StatusOr<std::unique_ptr<hlo::Module>> again = ParseHloProto(*written, name);
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(hlo_text::Print(**again), hlo_text::Print(**wanted)) << name;
}

int CheckFolder(const char* folder) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".pb") continue;
    ++count;
    CheckFile(entry.path());
  }
  return count;
}

TEST(XlaFiles, Fixtures) { EXPECT_GE(CheckFolder(HALYARD_SOURCE_DIR "/tests/data/fixtures"), 31); }

// Covers each op that XLA has, with its attributes (the lines of
// tests/frontend/hlo_text/op_lines.h), and each way to write groups of devices.
TEST(XlaFiles, EveryOpAndDeviceGroups) {
  EXPECT_EQ(CheckFolder(HALYARD_SOURCE_DIR "/tests/frontend/hlo_proto/testdata"), 2);
}

}  // namespace
}  // namespace halyard::hlo_proto
