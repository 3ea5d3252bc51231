// Tests that plans compute what their programs do, for the programs exported from JAX, as HLO text
// and as StableHLO, and for the examples.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "absl/strings/match.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/lowering/plan/plan_checks.h"

namespace halyard::lowering {
namespace {

std::vector<std::string> Fixtures() {
  std::vector<std::string> names;
  std::string root = HALYARD_SOURCE_DIR;
  for (const char* folder : {"tests/data/fixtures", "examples/digits", "examples/transformer"}) {
    for (const auto& entry : std::filesystem::directory_iterator(root + "/" + folder)) {
      std::string extension = entry.path().extension();
      if (extension == ".hlo" || extension == ".mlir") {
        names.push_back(std::filesystem::relative(entry.path(), root));
      }
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

class FixturePlan : public testing::TestWithParam<std::string> {};

TEST_P(FixturePlan, ComputesTheSame) {
  std::string path = std::string(HALYARD_SOURCE_DIR) + "/" + GetParam();
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  auto module = absl::EndsWith(path, ".mlir") ? stablehlo::ParseStableHlo(text.str(), path)
                                              : hlo_text::ParseModule(text.str(), path);
  ASSERT_TRUE(module.ok()) << module.status();
  if (std::getenv("HALYARD_SHOW_PLANS") != nullptr) {
    std::cout << DescribePlan(PlanOf(**module, X86Options()));
  }
  ExpectPlanComputesTheSame(**module);
}

INSTANTIATE_TEST_SUITE_P(All, FixturePlan, testing::ValuesIn(Fixtures()), [](const auto& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
  return name;
});

}  // namespace
}  // namespace halyard::lowering
