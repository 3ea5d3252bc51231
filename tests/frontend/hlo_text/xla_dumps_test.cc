// Texts that XLA wrote (testdata/export.py) must load and round-trip.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"

namespace halyard::hlo_text {
namespace {

TEST(XlaDumps, LoadAndRoundTrip) {
  std::filesystem::path folder =
      std::filesystem::path(HALYARD_SOURCE_DIR) / "tests/frontend/hlo_text/testdata";
  int files = 0, with_user_places = 0;
  std::set<hlo::Opcode> opcodes;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".hlo") continue;
    SCOPED_TRACE(entry.path().filename());
    std::ifstream stream(entry.path());
    std::stringstream text;
    text << stream.rdbuf();
    absl::StatusOr<std::unique_ptr<hlo::Module>> module =
        ParseModule(text.str(), entry.path().filename().string());
    ASSERT_TRUE(module.ok()) << module.status().message();
    for (const PrintOptions& options : {PrintOptions{}, PrintOptions{.canonical = true}}) {
      std::string printed = Print(**module, options);
      absl::StatusOr<std::unique_ptr<hlo::Module>> again = ParseModule(printed, "printed.hlo");
      ASSERT_TRUE(again.ok()) << again.status().message();
      EXPECT_EQ(Print(**again, options), printed);
    }
    bool user_place = false;
    for (const auto& computation : (*module)->computations()) {
      for (const auto& inst : computation->instructions()) {
        opcodes.insert(inst->opcode);
        user_place = user_place || inst->provenance.locations.size() > 1;
      }
    }
    ++files;
    with_user_places += user_place;
  }
  EXPECT_GE(files, 30);
  EXPECT_GE(with_user_places, 10);
  EXPECT_GE(opcodes.size(), 55u);
}

}  // namespace
}  // namespace halyard::hlo_text
