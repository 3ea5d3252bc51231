// Tests wrong programs, files, arrays and options: each gives one clear error with its place, and
// the exit status that says whose fault it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/arrays/npz.h"
#include "tests/tools/located_error.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

struct WrongProgram {
  const char* name;
  const char* line;     // where the error is: "5", or "5|6" for several that would do
  const char* message;  // a part of it
  std::string text;
};

// Expects one line on stderr, `file:line:col: error: message`.
void ExpectLocated(const CommandResult& result, const std::string& file, const std::string& line,
                   const std::string& message) {
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_EQ(result.out, "");
  const std::string name = file.substr(file.rfind('/') + 1);
  const std::regex form(absl::StrCat(".*", absl::StrReplaceAll(name, {{".", "\\."}}), ":(?:", line,
                                     "):[0-9]+: error: [^\n]*\n"));
  EXPECT_TRUE(std::regex_match(result.err, form)) << result.err;
  EXPECT_THAT(result.err, HasSubstr(message));
}

// Returns an entry with x: f32[4], y: f32[5], i: s32[4] and these lines, the first of which is line
// 7.
std::string Hlo(const std::string& lines) {
  return absl::StrCat(
      "HloModule m\n\n"
      "ENTRY %e (x: f32[4], y: f32[5], i: s32[4]) -> f32[4] {\n"
      "  %x = f32[4] parameter(0)\n  %y = f32[5] parameter(1)\n  %i = s32[4] parameter(2)\n",
      lines, "\n}\n");
}

// Does the same in MLIR. The first line is line 2.
std::string Mlir(const std::string& lines) {
  return absl::StrCat(
      "func.func @main(%x: tensor<4xf32>, %y: tensor<5xf32>, %i: tensor<4xi32>) -> tensor<4xf32> "
      "{\n",
      lines, "\n}\n");
}

std::vector<WrongProgram> HloPrograms() {
  return {
      {"unknown_op", "7", "frobnicate", Hlo("  ROOT %r = f32[4] frobnicate(%x)")},
      {"undefined_operand", "7", "z", Hlo("  ROOT %r = f32[4] negate(%z)")},
      {"shapes_of_operands", "7", "add", Hlo("  ROOT %r = f32[4] add(%x, %y)")},
      {"types_of_operands", "7", "add", Hlo("  ROOT %r = f32[4] add(%x, %i)")},
      {"result_shape", "7", "f32[5]",
       Hlo("  %r = f32[5] negate(%x)\n  ROOT %s = f32[4] negate(%x)")},
      {"result_type", "7", "s32[4]",
       Hlo("  %r = s32[4] negate(%x)\n  ROOT %s = f32[4] negate(%x)")},
      {"too_many_operands", "7", "negate", Hlo("  ROOT %r = f32[4] negate(%x, %x)")},
      {"too_few_operands", "7", "add", Hlo("  ROOT %r = f32[4] add(%x)")},
      {"no_equals_sign", "7", "=", Hlo("  ROOT %r f32[4] negate(%x)")},
      {"name_twice", "7", "x", Hlo("  ROOT %x = f32[4] negate(%i)")},
      {"no_such_type", "7", "f33", Hlo("  ROOT %r = f33[4] negate(%x)")},
      {"negative_dimension", "7", "-4", Hlo("  ROOT %r = f32[-4] negate(%x)")},
      {"too_large", "7", "",
       Hlo("  ROOT %r = f32[9223372036854775807,8] broadcast(%x), dimensions={}")},
      {"no_dimensions", "7", "dimensions", Hlo("  ROOT %r = f32[4] transpose(%x)")},
      {"permutation", "7", "", Hlo("  ROOT %r = f32[4] transpose(%x), dimensions={1}")},
      {"reshape", "7", "reshape", Hlo("  %r = f32[5] reshape(%x)\n  ROOT %s = f32[4] negate(%x)")},
      {"slice_bounds", "7", "slice", Hlo("  ROOT %r = f32[4] slice(%x), slice={[2:6]}")},
      {"concatenate", "7", "concatenate",
       Hlo("  %r = f32[8] concatenate(%x, %i), dimensions={0}\n  ROOT %s = f32[4] negate(%x)")},
      {"dot_sizes", "7", "dot",
       Hlo("  %r = f32[] dot(%x, %y), lhs_contracting_dims={0}, rhs_contracting_dims={0}\n  ROOT "
           "%s = f32[4] negate(%x)")},
      {"unknown_attribute", "7", "colour", Hlo("  ROOT %r = f32[4] negate(%x), colour=red")},
      {"unknown_computation", "8", "sum",
       Hlo("  %c = f32[] constant(0)\n  ROOT %r = f32[] reduce(%x, %c), dimensions={0}, "
           "to_apply=%sum")},
      {"constant_elements", "7", "", Hlo("  ROOT %r = f32[4] constant({1, 2, 3})")},
      {"constant_text", "7", "", Hlo("  ROOT %r = f32[4] constant({1, 2, three, 4})")},
      {"constant_elided", "7", "...", Hlo("  ROOT %r = f32[4] constant({...})")},
      {"parameter_numbers", "5", "",
       "HloModule m\n\nENTRY %e (x: f32[4], y: f32[4]) -> f32[4] {\n  %x = f32[4] parameter(0)\n"
       "  %y = f32[4] parameter(0)\n  ROOT %r = f32[4] add(%x, %y)\n}\n"},
      {"result_of_signature", "3", "f32[5]",
       "HloModule m\n\nENTRY %e (x: f32[4]) -> f32[5] {\n  ROOT %x = f32[4] parameter(0)\n}\n"},
      {"nothing_but_a_header", "[0-9]+", "", "HloModule m\n"},
      {"not_closed", "[0-9]+", "",
       "HloModule m\n\nENTRY %e (x: f32[4]) -> f32[4] {\n  ROOT %x = f32[4] parameter(0)\n"},
      {"cut_inside_a_shape", "4", "",
       "HloModule m\n\nENTRY %e (x: f32[4]) -> f32[4] {\n  ROOT %x = f32[4"},
  };
}

std::vector<WrongProgram> MlirPrograms() {
  const std::string end = "\n  return %r : tensor<4xf32>";
  return {
      {"unknown_op", "2", "frobnicate",
       Mlir("  %r = stablehlo.frobnicate %x : tensor<4xf32>" + end)},
      {"unknown_op_in_quotes", "2", "frobnicate",
       Mlir("  %r = \"stablehlo.frobnicate\"(%x) : (tensor<4xf32>) -> tensor<4xf32>" + end)},
      {"unknown_dialect", "2", "tosa.add",
       Mlir("  %r = \"tosa.add\"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>" + end)},
      {"undefined_value", "2", "%z", Mlir("  %r = stablehlo.negate %z : tensor<4xf32>" + end)},
      {"shapes_of_operands", "2", "", Mlir("  %r = stablehlo.add %x, %y : tensor<4xf32>" + end)},
      {"types_of_operands", "2", "", Mlir("  %r = stablehlo.add %x, %i : tensor<4xf32>" + end)},
      {"result_shape", "2", "",
       Mlir("  %r = \"stablehlo.negate\"(%x) : (tensor<4xf32>) -> tensor<5xf32>\n"
            "  return %x : tensor<4xf32>")},
      {"result_type", "2", "",
       Mlir("  %r = \"stablehlo.negate\"(%x) : (tensor<4xf32>) -> tensor<4xi32>\n"
            "  return %x : tensor<4xf32>")},
      {"too_many_operands", "2", "",
       Mlir("  %r = \"stablehlo.negate\"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> "
            "tensor<4xf32>" +
            end)},
      {"no_type", "2|3", "", Mlir("  %r = stablehlo.negate %x" + end)},
      {"no_such_type", "2", "f33", Mlir("  %r = stablehlo.negate %x : tensor<4xf33>" + end)},
      {"value_twice", "3", "%r",
       Mlir("  %r = stablehlo.negate %x : tensor<4xf32>\n"
            "  %r = stablehlo.negate %x : tensor<4xf32>" +
            end)},
      {"dynamic_dimension", "2", "C1",
       "func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x3xf32>) -> tensor<?x2xf32> {\n"
       "  %r = \"stablehlo.add\"(%x, %y) : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x2xf32>\n"
       "  return %r : tensor<?x2xf32>\n}\n"},
      {"transpose", "2", "",
       Mlir("  %r = stablehlo.transpose %x, dims = [1] : (tensor<4xf32>) -> tensor<4xf32>" + end)},
      {"reshape", "2", "",
       Mlir("  %r = stablehlo.reshape %y : (tensor<5xf32>) -> tensor<4xf32>" + end)},
      {"slice_bounds", "2", "",
       Mlir("  %r = stablehlo.slice %x [2:6] : (tensor<4xf32>) -> tensor<4xf32>" + end)},
      {"concatenate", "2", "",
       Mlir("  %r = stablehlo.concatenate %x, %i, dim = 0 : (tensor<4xf32>, tensor<4xi32>) -> "
            "tensor<8xf32>\n  return %x : tensor<4xf32>")},
      {"dot_sizes", "2", "",
       Mlir("  %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<4xf32>, "
            "tensor<5xf32>) -> tensor<f32>\n  return %x : tensor<4xf32>")},
      {"broadcast", "2", "",
       Mlir("  %r = stablehlo.broadcast_in_dim %y, dims = [0] : (tensor<5xf32>) -> tensor<4xf32>" +
            end)},
      {"constant_elements", "2", "",
       Mlir("  %r = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<4xf32>" + end)},
      {"constant_text", "2", "",
       Mlir("  %r = stablehlo.constant dense<[1.0, two, 3.0, 4.0]> : tensor<4xf32>" + end)},
      {"returned_type", "2", "", Mlir("  return %y : tensor<5xf32>")},
      {"returned_count", "2", "", Mlir("  return %x, %x : tensor<4xf32>, tensor<4xf32>")},
      {"unknown_function", "2", "other",
       Mlir("  %r = func.call @other(%x) : (tensor<4xf32>) -> tensor<4xf32>" + end)},
      {"comparison", "2", "ALMOST",
       Mlir("  %r = stablehlo.compare ALMOST, %x, %x : (tensor<4xf32>, tensor<4xf32>) -> "
            "tensor<4xi1>\n  return %x : tensor<4xf32>")},
      {"no_return", "[0-9]+", "", Mlir("  %r = stablehlo.negate %x : tensor<4xf32>")},
      {"not_closed", "[0-9]+", "",
       "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n"},
      {"cut_inside_a_type", "2", "",
       "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %r = stablehlo.negate %x : "
       "tensor<4x"},
  };
}

class WrongHlo : public ::testing::TestWithParam<WrongProgram> {};
class WrongMlir : public ::testing::TestWithParam<WrongProgram> {};

void Check(const WrongProgram& program, const std::string& extension) {
  const std::string file = WriteTestFile(program.name + extension, program.text);
  ExpectLocated(RunHalyard({"verify", file}), file, program.line, program.message);
  ExpectLocated(RunHalyard({"run", file, "--target=x86", "--random-inputs=1"}), file, program.line,
                program.message);
}

TEST_P(WrongHlo, IsOneLocatedError) { Check(GetParam(), ".hlo"); }
TEST_P(WrongMlir, IsOneLocatedError) { Check(GetParam(), ".mlir"); }
std::string NameOf(const ::testing::TestParamInfo<WrongProgram>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(Programs, WrongHlo, ::testing::ValuesIn(HloPrograms()), NameOf);
INSTANTIATE_TEST_SUITE_P(Programs, WrongMlir, ::testing::ValuesIn(MlirPrograms()), NameOf);

TEST(WrongFiles, RealProgramsThatAreCut) {
  for (const std::string extension : {".mlir", ".hlo"}) {
    const std::string whole =
        testing::ReadTestFile(HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp" + extension);
    ASSERT_GT(whole.size(), 1000u);
    for (int part = 1; part < 8; ++part) {
      const std::string file =
          WriteTestFile("cut" + extension, whole.substr(0, whole.size() * part / 8));
      ExpectLocated(RunHalyard({"verify", file}), file, "[0-9]+", "");
    }
  }
}

TEST(WrongFiles, AreNotPrograms) {
  ExpectError(RunHalyard({"verify", "/no/such/file.mlir"}), 1,
              {"/no/such/file.mlir", "No such file"});
  ExpectError(RunHalyard({"run", "/no/such/file.mlir"}), 1, {"/no/such/file.mlir", "No such file"});
  ExpectError(RunHalyard({"bench", "/no/such/file.mlir"}), 1,
              {"/no/such/file.mlir", "No such file"});
  ExpectError(RunHalyard({"verify", TestFolder()}), 1, {TestFolder(), "directory"});
  ExpectError(RunHalyard({"verify", WriteTestFile("empty.mlir", "")}), 1,
              {"empty.mlir:1:1: error"});
  ExpectError(RunHalyard({"verify", WriteTestFile("prose.txt", "Call me Ishmael.\n")}), 1,
              {"prose.txt:1:1: error", "neither"});
  ExpectError(RunHalyard({"verify", WriteTestFile("zeros.bin", std::string(4096, '\0'))}), 1,
              {"zeros.bin"});
}

TEST(WrongFiles, EachOfSeveralIsNamed) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  const CommandResult result = RunHalyard({"verify", good, "/no/a", good, "/no/b"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("/no/a"));
  EXPECT_THAT(result.err, HasSubstr("/no/b"));
  EXPECT_EQ(result.err.find("mlp"), std::string::npos);
}

}  // namespace
}  // namespace halyard
