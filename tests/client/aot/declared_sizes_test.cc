// Tests how sizes are declared, and how they are found in programs.
#include "client/aot/declared_sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/stablehlo/stablehlo.h"

namespace halyard {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<int64_t> BoundsOf(const std::string& text) {
  absl::StatusOr<DeclaredSize> size = ParseDeclaredSize(text);
  EXPECT_TRUE(size.ok()) << size.status();
  return size.ok() ? size->bounds : std::vector<int64_t>();
}

TEST(ParseDeclaredSize, BoundsArePowersOfTwo) {
  EXPECT_THAT(BoundsOf("n:1..20"), ElementsAre(1, 2, 4, 8, 16, 20));
  EXPECT_THAT(BoundsOf("n:0..4"), ElementsAre(0, 1, 2, 4));
  EXPECT_THAT(BoundsOf("n:5..9"), ElementsAre(8, 9));
  EXPECT_THAT(BoundsOf("n:7..7"), ElementsAre(7));
}

TEST(ParseDeclaredSize, BoundsAreThoseGivenAndTheEnds) {
  EXPECT_THAT(BoundsOf("n:1..64@16"), ElementsAre(1, 16, 64));
  EXPECT_THAT(BoundsOf("n:3..64@64,16"), ElementsAre(16, 64));
}

TEST(ParseDeclaredSize, ListsAreExact) {
  absl::StatusOr<DeclaredSize> size = ParseDeclaredSize("batch=x.0=y.1:8,1,64");
  ASSERT_TRUE(size.ok()) << size.status();
  EXPECT_TRUE(size->exact);
  EXPECT_EQ(size->name, "batch");
  EXPECT_THAT(size->places, ElementsAre("x.0", "y.1"));
  EXPECT_THAT(size->bounds, ElementsAre(1, 8, 64));
}

TEST(ParseDeclaredSize, WrongTextsAreErrors) {
  for (const char* text : {"n", "n:", "n:a", "n:4..1", "n:1..", "n:..4", "n:1..8@9", "n:1..8@",
                           "n:-1..4", ":1..4", "n=:1..4", "n o:1,2", "n:1..3000000000"}) {
    EXPECT_THAT(ParseDeclaredSize(text).status().ToString(), HasSubstr("--dim=")) << text;
  }
}

std::string SizesOf(const std::string& type, const std::vector<std::string>& declarations) {
  std::vector<DeclaredSize> declared;
  for (const std::string& text : declarations) declared.push_back(*ParseDeclaredSize(text));
  auto module = stablehlo::ParseStableHlo("func.func @main(%a: tensor<" + type +
                                              ">, %b: tensor<?xf32>) -> tensor<?xf32> {\n  return "
                                              "%b : tensor<?xf32>\n}",
                                          "p.mlir");
  if (!module.ok()) return module.status().ToString();
  absl::StatusOr<ArgumentSizes> sizes = FindArgumentSizes(**module, declared);
  if (!sizes.ok()) return std::string(sizes.status().message());
  std::vector<int64_t> values;
  for (size_t i = 0; i < sizes->variables.size(); ++i)
    values.push_back(static_cast<int64_t>(3 + i));
  std::string text;
  for (const hlo::Shape& shape : sizes->Shapes(**module, values)) text += shape.ToString();
  return text;
}

TEST(FindArgumentSizes, ByPlace) {
  EXPECT_EQ(SizesOf("?x4xf32", {"n=arg0.0=arg1.0:1..4"}), "f32[3,4]f32[3]");
  EXPECT_EQ(SizesOf("?x4xf32", {"arg0.0:1..4", "arg1.0:1..9"}), "f32[3,4]f32[4]");
  EXPECT_THAT(SizesOf("?x4xf32", {"arg0.0:1..4"}), HasSubstr("is not declared: add --dim="));
  EXPECT_THAT(SizesOf("4x4xf32", {}), HasSubstr("is not declared: add --dim="));
}

TEST(FindArgumentSizes, PlacesAreThoseThatRunsChoose) {
  const auto module = stablehlo::ParseStableHlo(
      "func.func @main(%a: tensor<?x4xf32>) -> tensor<?x4xf32> {\n  return %a : tensor<?x4xf32>\n}",
      "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto sizes = FindArgumentSizes(**module, {*ParseDeclaredSize("n=arg0.0=a.0=a.1=b.0:1..4")});
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  EXPECT_THAT(sizes->places, ElementsAre("a.0", "arg0.0"));
}

// JAX states symbols in what it asserts of shapes.
TEST(FindArgumentSizes, NegativeOnesAreErrors) {
  constexpr char kText[] =
      R"(func.func @main(%a: tensor<?x2xf32>, %b: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %t = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.custom_call @shape_assertion(%t) {error_message = "Input shapes do not match the polymorphic shapes specification. Using the following polymorphic shapes specifications: args[0].shape = (n, 2),args[1].shape = (n - 2, 2). Obtained dimension variables: 'n' = 3", has_side_effect = true} : (tensor<i1>) -> ()
  return %b : tensor<?x2xf32>
})";
  const auto module = stablehlo::ParseStableHlo(kText, "p.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const auto found = [&](const char* declared) {
    return FindArgumentSizes(**module, {*ParseDeclaredSize(declared)}).status();
  };
  EXPECT_TRUE(found("n:2..8").ok()) << found("n:2..8");
  EXPECT_EQ(found("n:1..8").message(),
            "dimension 0 of argument b, n - 2, is -1 with n=1: declare sizes with which it is not "
            "negative");
}

}  // namespace
}  // namespace halyard
