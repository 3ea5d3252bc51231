// A sample of the random programs that `scripts/nightly beside_xla` runs, each with what XLA has
// computed: tests/beside_xla/sample, written by tests/beside_xla/store_sample.py.
#include "tests/sample.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "client/api/client.h"
#include "tests/beside_xla/stored_program.h"
#include "tests/source_folder.h"

namespace halyard::testing {
namespace {

constexpr size_t kPrograms = 100;

std::vector<std::string> Stems() {
  const std::string suffix = ".mlir";
  std::vector<std::string> stems;
  for (const auto& entry :
       std::filesystem::directory_iterator(SourceFolder() + "/tests/beside_xla/sample")) {
    const std::string path = entry.path().string();
    if (absl::EndsWith(path, suffix)) stems.push_back(path.substr(0, path.size() - suffix.size()));
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

class Sample : public ::testing::TestWithParam<const char*> {};

TEST_P(Sample, AgreesWithXla) {
  const auto client = Client::Create({.target = GetParam(), .use_tuning = false});
  if (!client.ok()) GTEST_SKIP() << client.status();
  const std::vector<std::string> stems = Stems();
  EXPECT_GE(stems.size(), kPrograms);
  // CUDA's interpreter takes as long as all others together.
  const size_t step = GetParam() == std::string("cuda") && !AllCases() ? 2 : 1;
  for (size_t i = 0; i < stems.size(); i += step) {
    const std::string& stem = stems[i];
    auto program = StoredProgram::Read(stem, /*with_results=*/true);
    ASSERT_TRUE(program.ok()) << program.status();
    const absl::StatusOr<std::string> wrong = program->Compare(**client);
    ASSERT_TRUE(wrong.ok()) << stem << ": " << wrong.status();
    EXPECT_EQ(*wrong, "") << stem;
  }
}

INSTANTIATE_TEST_SUITE_P(All, Sample, ::testing::Values("reference", "x86", "vulkan", "cuda"),
                         [](const auto& info) { return info.param; });

// Tests that a wrong element is noticed, in any of a program's results.
TEST(Agreement, SeesWrongElements) {
  const auto client = Client::Create({.target = "reference"});
  ASSERT_TRUE(client.ok());
  int seen = 0;
  for (const std::string& stem : Stems()) {
    auto program = StoredProgram::Read(stem, /*with_results=*/true);
    ASSERT_TRUE(program.ok()) << program.status();
    auto results = program->Run(**client);
    ASSERT_TRUE(results.ok()) << results.status();
    for (hlo::Literal& result : *results) {
      const int64_t middle = result.shape().NumElements() / 2;
      const hlo::ElementType type = result.shape().element_type();
      if (result.shape().NumElements() == 0) continue;
      const hlo::Literal right = result;
      if (hlo::IsComplex(type)) {
        result.SetComplex(middle, result.GetComplex(middle) + 1e4);
      } else if (hlo::IsFloat(type)) {
        result.SetFloat(middle, result.GetFloat(middle) < 0 ? 0.25 : -0.5);
      } else {
        result.SetBits(middle, result.GetBits(middle) ^ 1);
      }
      const auto wrong = program->Judge(*results, /*flushes=*/false);
      ASSERT_TRUE(wrong.ok()) << wrong.status();
      result = right;
      if (wrong->empty()) continue;
      ++seen;
      break;
    }
  }
  // Some elements may be anything, because noise turns them into NaN, or differences into zeros.
  EXPECT_GE(seen, static_cast<int>(kPrograms) * 9 / 10);
}

}  // namespace
}  // namespace halyard::testing
