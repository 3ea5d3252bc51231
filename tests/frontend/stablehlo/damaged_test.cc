// Damaged programs: an error or a module, never a crash.
#include <fstream>
#include <random>
#include <sstream>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "frontend/stablehlo/stablehlo.h"
#include "gtest/gtest.h"

namespace halyard::stablehlo {
namespace {

std::string Fixture(const std::string& name) {
  std::ifstream in(absl::StrCat(HALYARD_SOURCE_DIR, "/tests/fixtures/", name, ".mlir"),
                   std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

void ExpectStatusOrModule(const std::string& text) {
  auto module = ParseStableHlo(text, "p.mlir");
  if (module.ok()) return;
  EXPECT_EQ(module.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(absl::StrContains(module.status().message(), "error: ")) << module.status();
}

class Damaged : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { ASSERT_FALSE((text_ = Fixture(GetParam())).empty()); }
  std::string text_;
};

TEST_P(Damaged, FlippedBytes) {
  std::mt19937 random(11);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = text_;
    for (int flips = 1 + i % 3; flips > 0; --flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    ExpectStatusOrModule(damaged);
  }
}

TEST_P(Damaged, SwappedCharacters) {
  // Characters of the language keep more of the text readable.
  const std::string alphabet = "%#!@^\"{}[]()<>:,=-+?x0123456789abcefilo. \n";
  std::mt19937 random(13);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = text_;
    damaged[random() % damaged.size()] = alphabet[random() % alphabet.size()];
    ExpectStatusOrModule(damaged);
  }
}

TEST_P(Damaged, CutAndMoved) {
  std::mt19937 random(17);
  for (int i = 0; i < 200; ++i) {
    ExpectStatusOrModule(text_.substr(0, random() % text_.size()));
    std::string moved = text_;
    size_t from = random() % text_.size();
    moved.insert(random() % moved.size(), text_.substr(from, random() % 60));
    ExpectStatusOrModule(moved);
    std::string cut = text_;
    cut.erase(random() % cut.size(), random() % 20);
    ExpectStatusOrModule(cut);
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, Damaged,
                         testing::Values("collatz", "sort", "conv_net", "pooling", "conversions",
                                         "shapes"));

}  // namespace
}  // namespace halyard::stablehlo
