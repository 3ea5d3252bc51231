// For every program in the tests, text → bytecode → text must give the same as text → text.
#include "frontend/mlir/parser.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "frontend/stablehlo/vhlo/vhlo.h"
#include "frontend/stablehlo/write/explicit_defaults.h"
#include "tests/frontend/stablehlo/programs.h"

namespace halyard::stablehlo {
namespace {

std::string Print(mlir::Document& document, bool generic) {
  MakeDefaultsExplicit(document);
  return PrintStableHlo(document, {.generic = generic});
}

// Compares text → bytecode → text with text → text. Returns 1 if it has compared them, or 0 if the
// program cannot be parsed or the test fails before.
int Compare(const TestProgram& program) {
  auto document = mlir::ParseMlir(program.text, program.name, StableHloSyntax());
  if (!document.ok()) return 0;
  MakeDefaultsExplicit(**document);
  auto bytes = WriteBytecode(**document, kNewestVersion);
  EXPECT_TRUE(bytes.ok()) << program.name << ": " << bytes.status();
  if (!bytes.ok()) return 0;
  auto read = ReadBytecode(*bytes, program.name);
  EXPECT_TRUE(read.ok()) << program.name << ": " << read.status();
  if (!read.ok()) return 0;
  EXPECT_EQ(Print(**read, false), Print(**document, false)) << program.name;
  EXPECT_EQ(Print(**read, true), Print(**document, true)) << program.name;
  return 1;
}

TEST(RoundTrip, Fixtures) {
  int compared = 0;
  for (const char* folder : {"tests/data/fixtures", "examples"}) {
    for (const std::string& path : Files(folder, ".mlir")) {
      compared += Compare({BaseName(path), ReadFile(path)});
    }
  }
  EXPECT_GE(compared, 25);
}

// JAX omits no defaults, so its programs must stay unchanged.
TEST(RoundTrip, FixturesAreExplicit) {
  for (const std::string& path : Files("tests/data/fixtures", ".mlir")) {
    const std::string text = ReadFile(path);
    if (text.find("loc(") != std::string::npos) continue;
    auto document = mlir::ParseMlir(text, path, StableHloSyntax());
    ASSERT_TRUE(document.ok()) << document.status();
    EXPECT_EQ(Print(**document, false), text) << path;
  }
}

TEST(RoundTrip, ConstraintPrograms) {
  for (const TestProgram& program : ConstraintPrograms()) Compare(program);
}

TEST(RoundTrip, Vectors) {
  for (const Vector& vector : Vectors()) {
    Compare({absl::StrCat(vector.place, " ", vector.id), vector.program});
  }
}

// Without dimensions, no field of these structures says anything, and bytecode has none of them.
TEST(RoundTrip, DimensionNumbersOfScalars) {
  const std::string body = R"(
    %0 = "stablehlo.scatter"(%x, %i, %x) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<f32>, tensor<0xi32>, tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<>, indices_are_sorted = false, slice_sizes = array<i64>}> : (tensor<f32>, tensor<0xi32>) -> tensor<f32>
    %3 = "stablehlo.dynamic_gather"(%1, %i, %i) <{dimension_numbers = #stablehlo.gather<>, indices_are_sorted = false}> : (tensor<f32>, tensor<0xi32>, tensor<0xi32>) -> tensor<f32>
    %4 = stablehlo.dot_general %3, %x, contracting_dims = [] x [] : (tensor<f32>, tensor<f32>) -> tensor<f32>
)";
  EXPECT_EQ(Compare({"scalars.mlir", absl::StrCat("func.func @main(%x: tensor<f32>, %i: ",
                                                  "tensor<0xi32>) -> tensor<f32> {", body,
                                                  "return %4 : tensor<f32>\n}\n")}),
            1);
}

}  // namespace
}  // namespace halyard::stablehlo
