// Printed text must equal jaxlib's, and must read as the program that was printed.
#include "frontend/hlo_text/printer.h"
#include "frontend/mlir/parser.h"
#include "frontend/stablehlo/stablehlo.h"
#include "frontend/stablehlo/syntax/print_stablehlo.h"
#include "frontend/stablehlo/syntax/syntax.h"
#include "tests/frontend/stablehlo/programs.h"

namespace halyard::stablehlo {
namespace {

// Returns the printed program, or the error of reading it.
std::string Printed(const std::string& text, const mlir::PrintOptions& options = {}) {
  auto document = mlir::ParseMlir(text, "p.mlir", StableHloSyntax());
  if (!document.ok()) return std::string(document.status().message());
  return PrintStableHlo(**document, options);
}

// Returns the HLO module without names and places, or "" if the program cannot be read.
std::string Meaning(const std::string& text) {
  auto module = ParseStableHlo(text, "p.mlir");
  if (!module.ok()) return "";
  return hlo_text::Print(**module, {.canonical = true});
}

// JAX's text must be reproduced byte for byte.
TEST(Print, FixturesAsJaxPrintedThem) {
  int compared = 0;
  for (const TestProgram& program : Fixtures()) {
    if (program.text.find("loc(") != std::string::npos) continue;
    const bool generic = program.text.find("\"func.func\"") != std::string::npos;
    if (generic || program.text.rfind("module @", 0) != 0) continue;
    ++compared;
    EXPECT_EQ(Printed(program.text), program.text) << program.name;
  }
  EXPECT_GE(compared, 20);
}

void ExpectStable(const TestProgram& program) {
  const std::string pretty = Printed(program.text);
  const std::string generic = Printed(program.text, {.generic = true});
  EXPECT_EQ(Printed(pretty), pretty) << program.name;
  EXPECT_EQ(Printed(generic, {.generic = true}), generic) << program.name;
  // Each form must hold everything that the other does.
  EXPECT_EQ(Printed(generic), pretty) << program.name;
  const std::string located = Printed(program.text, {.locations = true});
  EXPECT_EQ(Printed(located, {.locations = true}), located) << program.name;
  EXPECT_EQ(Printed(located), pretty) << program.name;
  const std::string meaning = Meaning(program.text);
  EXPECT_EQ(Meaning(pretty), meaning) << program.name;
  EXPECT_EQ(Meaning(generic), meaning) << program.name;
}

TEST(Print, FixturesReadAsThemselves) {
  for (const TestProgram& program : Fixtures()) ExpectStable(program);
}

TEST(Print, ConstraintProgramsReadAsThemselves) {
  for (const TestProgram& program : ConstraintPrograms()) ExpectStable(program);
}

TEST(Print, VectorsReadAsThemselves) {
  for (const Vector& vector : Vectors()) {
    ExpectStable({absl::StrCat(vector.place, " ", vector.id), vector.program});
  }
}

// jaxlib printed each of these files.
TEST(Print, PrettyFormsOfJaxlib) {
  for (const std::string& path : Files("tests/frontend/stablehlo/testdata/pretty", ".mlir")) {
    const std::string text = ReadFile(path);
    EXPECT_EQ(Printed(text), text) << path;
    const std::string generic = Printed(text, {.generic = true});
    std::filesystem::path twin = path;
    twin.replace_extension(".generic");
    EXPECT_EQ(generic, ReadFile(twin)) << path;
    EXPECT_EQ(Printed(generic), text) << path;
  }
}

// Everything that is read can be printed, and reads as the program that was printed.
TEST(Print, DamagedProgramsReadAsThemselves) {
  std::mt19937 random(5);
  int readable = 0;
  for (const std::string& path : Files("tests/frontend/stablehlo/testdata/pretty", ".mlir")) {
    for (const bool generic : {false, true}) {
      const std::string text = Printed(ReadFile(path), {.generic = generic});
      for (int i = 0; i < 400; ++i) {
        std::string damaged = text;
        const size_t at = random() % damaged.size();
        const absl::string_view kinds = "0123456789abx%@#\"<>{}[]():,.- ?";
        damaged[at] = kinds[random() % kinds.size()];
        auto document = mlir::ParseMlir(damaged, "p.mlir", StableHloSyntax());
        if (!document.ok()) continue;
        ++readable;
        for (const bool pretty : {true, false}) {
          const mlir::PrintOptions options{.generic = !pretty};
          const std::string printed = PrintStableHlo(**document, options);
          ASSERT_EQ(Printed(printed, options), printed) << "damaged at " << at << " of " << path;
        }
      }
    }
  }
  EXPECT_GE(readable, 100);
}

TEST(Print, Resources) {
  const std::string text = R"(module {
  func.func @main() -> tensor<3xi32> {
    %c = stablehlo.constant dense_resource<blob> : tensor<3xi32>
    return %c : tensor<3xi32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      blob: "0x04000000010000000200000003000000"
    }
  }
#-}
)";
  EXPECT_EQ(Printed(text), text);
}

TEST(Print, WhatIsNoPrettyFormIsGeneric) {
  // An add with a wrong number of operands is still printed, and can be read again.
  const std::string text = R"(module {
  func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
    %0 = "stablehlo.slice"(%arg0, %arg0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %1 = "other.op"(%0) {value = 1 : i64} : (tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
}
)";
  EXPECT_EQ(Printed(text), text);
}

}  // namespace
}  // namespace halyard::stablehlo
