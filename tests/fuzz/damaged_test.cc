// Damaged programs give an error with a place or a module, and must not cause a crash or a hang.
// Each kind is tried 500 times (damage.h). damaged_formats_test.cc has other formats.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "client/check/check.h"
#include "client/devices/device_file.h"
#include "lowering/plan/fuse/choices.h"
#include "tests/fuzz/damage.h"
#include "tests/fuzz/mutator.h"

namespace halyard {
namespace {

// Reads and verifies damaged programs. Prints how many can still be read, and how many are correct.
void ReadDamagedPrograms(const char* what, std::vector<std::string> sources, bool text) {
  ASSERT_FALSE(sources.empty());
  for (const std::string& source : sources) {
    auto program = check::Program::Read(source, "p");
    ASSERT_TRUE(program.ok()) << program.status();
  }
  const Seeds seeds = Seeds::Wanted();
  Mutator mutator(std::move(sources), text);
  Watchdog watchdog(what);
  int64_t right = 0, read = 0;
  for (uint64_t seed = seeds.first; seed < seeds.end; ++seed) {
    SCOPED_TRACE(absl::StrCat("HALYARD_FUZZ_SEED=", seed));
    const std::string bytes = mutator.Damaged(seed);
    watchdog.Begin(seed);
    auto program = check::Program::Read(bytes, "p");
    absl::Status status = program.status();
    if (program.ok()) status = (*program)->Verify();
    read += program.ok();
    right += status.ok();
    if (status.ok()) continue;
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), "error: ")) << status;
  }
  printf("%s: %lld of %lld could be read, %lld are right\n", what, static_cast<long long>(read),
         static_cast<long long>(seeds.count()), static_cast<long long>(right));
  // If all damage were found at the first word, the test would try nothing.
  if (seeds.count() >= 500) {
    EXPECT_GT(read, static_cast<int64_t>(seeds.count()) / 50);
  }
}

TEST(Damaged, Bytecode) {
  ReadDamagedPrograms("bytecode",
                      Sources({"data/fixtures", "frontend/stablehlo/testdata/bytecode"}, ".mlirbc"),
                      false);
}

TEST(Damaged, Text) {
  std::vector<std::string> programs;
  for (const std::string& source : Sources({"data/fixtures", "data/check"}, ".mlir")) {
    for (std::string& program : check::SplitPrograms(source))
      programs.push_back(std::move(program));
  }
  ReadDamagedPrograms("text", std::move(programs), true);
}

TEST(DamagedForms, Choices) {
  ReadDamaged({"choices",
               {"store v12\noutput c3.v4\n# a comment\nrepeat v1\n",
                "attention v40 on; store v1; attention v9 off"},
               true,
               [](const std::string& bytes) { return lowering::ParseChoices(bytes).status(); }});
}

TEST(DamagedForms, DeviceFiles) {
  ReadDamaged({"device files", Sources({"../client/devices"}, ".device"), true,
               [](const std::string& bytes) { return ParseDeviceFile(bytes, "p").status(); }});
}

}  // namespace
}  // namespace halyard
