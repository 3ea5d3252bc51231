#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "client/arrays/npy.h"
#include "tests/tools/check_programs.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::Check;
using testing::CommandResult;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

TEST(Check, SaysOfEachFunctionWhetherItPasses) {
  const std::string text = R"(
func.func @right() -> tensor<2xi32> {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.add %a, %a : tensor<2xi32>
  check.expect_eq_const %b, dense<[2, 4]> : tensor<2xi32>
  return %b : tensor<2xi32>
}
func.func @wrong() {
  %a = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %b = stablehlo.multiply %a, %a : tensor<1x2xi32>
  check.expect_eq_const %b, dense<[[1, 5]]> : tensor<1x2xi32>
  return
}
// -----
func.func @main() {
  return
}
// -----
// Nothing but words.
)";
  for (const char* target : {"reference", "x86", "vulkan", "reference,x86"}) {
    const CommandResult result = Check("check.mlir", text, {absl::StrCat("--target=", target)});
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_THAT(
        result.out,
        MatchesRegex("PASS right\n"
                     "FAIL wrong: [^\n]*check.mlir:11:3: check.expect_eq_const: element \\[0, 1\\] "
                     "is 4, expected 5 \\(1 of 2 are wrong\\)\n"
                     "PASS main\n"
                     "2 passed, 1 failed\n"));
  }
}

TEST(Check, PassesOnlyIfSomethingRan) {
  EXPECT_EQ(Check("one.mlir", "func.func @f() {\n  return\n}\n").status, 0);
  const CommandResult none = Check("none.mlir", R"(
func.func @takes(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
)");
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(none.out, "0 passed, 0 failed\n");
  EXPECT_EQ(Check("empty.mlir", "").status, 1);
  const CommandResult main = Check("main.mlir", R"(
func.func @main(%x: tensor<2xf32>) {
  return
}
)");
  EXPECT_EQ(main.status, 1);
  EXPECT_THAT(main.out, HasSubstr("FAIL main: "));
  EXPECT_THAT(main.out, HasSubstr("takes arguments"));
  EXPECT_EQ(RunHalyard({"check", "there-is-no-such-file.mlir"}).status, 1);
  EXPECT_EQ(RunHalyard({"check"}).status, 2);
  EXPECT_EQ(Check("one.mlir", "", {"--target=abacus"}).status, 2);
}

TEST(Check, FollowsCalls) {
  const CommandResult result = Check("calls.mlir", R"(
func.func private @inputs() -> tensor<2xf32> {
  %a = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  return %a : tensor<2xf32>
}
func.func private @compare(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  check.expect_eq %x, %y : tensor<2xf32>
  return
}
func.func public @main() -> tensor<2xf32> {
  %a = call @inputs() : () -> tensor<2xf32>
  %b = stablehlo.multiply %a, %a : tensor<2xf32>
  call @compare(%a, %a) : (tensor<2xf32>, tensor<2xf32>) -> ()
  call @compare(%a, %b) : (tensor<2xf32>, tensor<2xf32>) -> ()
  return %b : tensor<2xf32>
}
)",
                                     {"--target=reference,x86"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("FAIL main: on reference: "));
  EXPECT_THAT(result.out, HasSubstr("calls.mlir:7:3: check.expect_eq: element [1] is 2"));
  EXPECT_THAT(result.out, HasSubstr("0 passed, 1 failed"));
}

TEST(Check, OneBadFunctionDoesNotFailOthers) {
  const CommandResult result = Check("some.mlir", R"(
func.func @good() {
  return
}
func.func @in_a_region() {
  %true = stablehlo.constant dense<true> : tensor<i1>
  "stablehlo.if"(%true) ({
    check.expect_eq %true, %true : tensor<i1>
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}
func.func @against_a_constraint() {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %y = stablehlo.slice %x [0:3] : (tensor<2xi32>) -> tensor<3xi32>
  return
}
func.func @good_too() {
  return
}
)");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.out, HasSubstr("PASS good\n"));
  EXPECT_THAT(result.out, MatchesRegex("(.|\n)*FAIL in_a_region: [^\n]*some.mlir:8:5: error: "
                                       "'check.expect_eq': checks in regions(.|\n)*"));
  EXPECT_THAT(result.out, MatchesRegex("(.|\n)*FAIL against_a_constraint: [^\n]*some.mlir:17:8: "
                                       "error: [^\n]*C3: (.|\n)*"));
  EXPECT_THAT(result.out, HasSubstr("PASS good_too\n2 passed, 2 failed\n"));
}

TEST(Check, RefusesWhatGrowsWithoutEnd) {
  std::string deep, wide;
  for (int i = 0; i < 5000; ++i) {
    deep +=
        absl::StrCat("func.func @f", i, "() {\n  call @f", i + 1, "() : () -> ()\n  return\n}\n");
  }
  deep += "func.func @f5000() {\n  return\n}\n";
  EXPECT_THAT(Check("deep.mlir", deep).out, HasSubstr("nested too deeply"));
  for (int i = 0; i < 40; ++i) {
    const std::string call = absl::StrCat("  call @f", i + 1, "() : () -> ()\n");
    wide += absl::StrCat("func.func private @f", i, "() {\n", call, call, "  return\n}\n");
  }
  wide +=
      "func.func private @f40() {\n  %x = stablehlo.constant dense<1> : tensor<i32>\n"
      "  check.expect_eq %x, %x : tensor<i32>\n  return\n}\n"
      "func.func @main() {\n  call @f0() : () -> ()\n  return\n}\n";
  EXPECT_THAT(Check("wide.mlir", wide).out, HasSubstr("too many constants or checks"));
  EXPECT_THAT(Check("few_operands.mlir", R"(
func.func @f() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  %y = "stablehlo.dynamic_pad"(%x) : (tensor<i32>) -> tensor<?xi32>
  return
}
)")
                  .out,
              HasSubstr("few_operands.mlir:4:8: error: "));
  const std::string large = WriteTestFile("large.mlir", R"(
func.func @f(%x: tensor<1000000000000xi8>) {
  check.expect_eq_const %x, dense<1> : tensor<1000000000000xi8>
  return
}
)");
  EXPECT_EQ(RunHalyard({"verify", large}).status, 0);
}

// Kernels compute what is checked: constants of the test program are not constants of the compiled
// program.
TEST(Check, RunsKernels) {
  const std::string dump = TestFolder() + "/dump";
  const CommandResult result = Check("kernels.mlir", R"(
module @jit_f attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main() -> tensor<2xf32> {
    %a = call @inputs() : () -> tensor<2xf32>
    %b = stablehlo.multiply %a, %a : tensor<2xf32>
    check.expect_eq_const %b, dense<[2.25, 4.0]> : tensor<2xf32>
    return %b : tensor<2xf32>
  }
  func.func private @inputs() -> tensor<2xf32> {
    %a = stablehlo.constant dense<[1.5, 2.0]> : tensor<2xf32>
    return %a : tensor<2xf32>
  }
  func.func @other() {
    return
  }
}
)",
                                     {"--target=x86", "--dump=" + dump});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out, "PASS main\nPASS other\n2 passed, 0 failed\n");
  bool multiplies = false;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dump)) {
    if (entry.is_regular_file() && entry.path().extension() == ".hlo" &&
        entry.path().filename().string().find("kernel") != std::string::npos) {
      multiplies = multiplies || ReadTestFile(entry.path()).find("multiply") != std::string::npos;
    }
  }
  EXPECT_TRUE(multiplies);
}

TEST(Check, ReadsSavedArrays) {
  const std::string folder = TestFolder();
  hlo::Literal array = hlo::Literal::FromValues<double>(hlo::ElementType::kF32, {2}, {1.5, 2.0});
  {
    std::ofstream npy(folder + "/p_1.npy", std::ios::binary);
    npy << NpyHeaderFor(array.shape());
    npy.write(reinterpret_cast<const char*>(array.bytes().data()), 8);
    std::ofstream index(folder + "/index.csv");
    index << "other,tensor<2xf32>,none.npy\np,tensor<2xf32>,none.npy\np,tensor<2xf32>,p_1.npy\n";
  }
  const std::string check = "check.expect_serialized_eq %a, probe_id = \"p\", iter = 1 : ";
  auto run = [&](const std::string& a, const std::string& op) {
    return Check("saved.mlir", Function(kF32, a, a, op),
                 {"--target=reference", "--data=" + folder});
  };
  EXPECT_EQ(run("[1.5, 2.0]", check + kF32).status, 0);
  EXPECT_THAT(run("[1.5, 3.0]", check + kF32).out, HasSubstr("element [1] is 3, expected 2"));
  EXPECT_THAT(run("1.0", "check.expect_serialized_eq %a, probe_id = \"p\" : tensor<2xf32>").out,
              HasSubstr("none.npy: No such file"));
  EXPECT_THAT(run("1.0", "check.expect_serialized_eq %a, probe_id = \"q\" : tensor<2xf32>").out,
              HasSubstr("has no 1. array of probe q"));
  EXPECT_THAT(Check("saved.mlir", Function(kF32, "1.0", "1.0", check + kF32)).out,
              HasSubstr("--data=DIR"));
}

TEST(Verify, SaysWhatIsWrongWithEachProgram) {
  const std::string file = WriteTestFile("several.mlir", R"(
func.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  %0 = stablehlo.slice %x [2:5] : (tensor<4xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
func.func @first() {
  return
}
func.func @second() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %x, dense<1> : tensor<i32>
  return
}
// -----
func.func @main() {
  %x = stablehlo.constant dense<1> : tensor<i32>
  check.expect_eq_const %x, dense<1.0> : tensor<f32>
  return
}
// -----
func.func @main() {
  %x = nothing
}
)");
  const CommandResult result = RunHalyard({"verify", file});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_THAT(result.err, MatchesRegex("[^\n]*several.mlir:3:8: error: [^\n]*C3: [^\n]*\n"
                                       "[^\n]*several.mlir:18:3: error: 'check.expect_eq_const': "
                                       "the operand is tensor<i32>, the constant tensor<f32>\n"
                                       "[^\n]*several.mlir:23:8: error: [^\n]*\n"));
}

TEST(Verify, ReadsEveryForm) {
  const std::string fixtures = HALYARD_SOURCE_DIR "/tests/data/fixtures/";
  const CommandResult result =
      RunHalyard({"verify", fixtures + "sort.mlir", fixtures + "sort.mlirbc", fixtures + "sort.hlo",
                  fixtures + "sort.hlo.pb"});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(absl::StrCat(result.out, result.err), "");
}

}  // namespace
}  // namespace halyard
