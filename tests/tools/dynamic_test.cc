// Tests programs with dynamic sizes through the command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "client/arrays/npz.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

constexpr char kProgram[] =
    R"(func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = stablehlo.add %x, %y : tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
})";

hlo::Literal Ones(int64_t rows) {
  return hlo::Literal::FromValues<double>(hlo::ElementType::kF32, {rows, 2},
                                          std::vector<double>(2 * rows, 1));
}

std::string Inputs(int64_t x, int64_t y) {
  const std::string path = absl::StrCat(TestFolder(), "/in_", x, "_", y, ".npz");
  EXPECT_TRUE(WriteNpz(path, {{"arg0", Ones(x)}, {"arg1", Ones(y)}}).ok());
  return path;
}

TEST(DynamicCommand, RunTakesTheShapesOfTheInputs) {
  const std::string file = WriteTestFile("add.mlir", kProgram);
  for (const char* target : {"reference", "x86"}) {
    const std::string on = absl::StrCat("--target=", target);
    CommandResult run = RunHalyard({"run", file, on, "--inputs=" + Inputs(2, 2)});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.out, "out0: f32[2,2] {2, 2, 2, 2}\n");
    run = RunHalyard({"run", file, on, "--inputs=" + Inputs(1, 2)});
    EXPECT_EQ(run.status, 1);
    EXPECT_THAT(run.err, HasSubstr("add.mlir:2:"));
    EXPECT_THAT(run.err, HasSubstr("f32[1,2] and f32[2,2]"));
  }
}

TEST(DynamicCommand, RandomInputsNeedShapes) {
  const std::string file = WriteTestFile("add.mlir", kProgram);
  CommandResult run = RunHalyard({"run", file, "--target=x86", "--random-inputs=1"});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.err, HasSubstr("arg0 is f32[?,2]"));
  EXPECT_THAT(run.err, HasSubstr("--arg-shapes"));
  run = RunHalyard({"run", file, "--target=x86", "--random-inputs=1", "--compare=reference",
                    "--arg-shapes=f32[3,2];f32[3,2]"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("agrees with the reference"));
  for (const char* wrong :
       {"f32[3,2]", "f32[3,2];f32[4,2]", "f32[3,3];f32[3,3]", "f32[3,2];f32[?,2]",
        "f32[3,2];nonsense", "f32[3,2];f32[3,2];f32[3,2]", ";"}) {
    run = RunHalyard(
        {"run", file, "--target=x86", "--random-inputs=1", absl::StrCat("--arg-shapes=", wrong)});
    EXPECT_EQ(run.status, 1) << wrong;
    EXPECT_THAT(run.err, HasSubstr("error")) << wrong;
  }
}

TEST(DynamicCommand, VerifyNeedsNoShapes) {
  const std::string file = WriteTestFile("add.mlir", kProgram);
  EXPECT_EQ(RunHalyard({"verify", file}).status, 0);
  const std::string wrong = WriteTestFile(
      "wrong.mlir",
      "func.func @main(%x: tensor<?x2xf32>, %y: tensor<?x3xf32>) -> tensor<?x2xf32> {\n"
      "  %0 = \"stablehlo.add\"(%x, %y) : (tensor<?x2xf32>, tensor<?x3xf32>) -> tensor<?x2xf32>\n"
      "  return %0 : tensor<?x2xf32>\n}\n");
  CommandResult verify = RunHalyard({"verify", wrong});
  EXPECT_EQ(verify.status, 1);
  EXPECT_THAT(verify.err, HasSubstr("wrong.mlir:2:"));
  EXPECT_THAT(verify.err, HasSubstr("C1"));
}

TEST(DynamicCommand, ShowAndCompileTakeShapes) {
  const std::string file = WriteTestFile("add.mlir", kProgram);
  const std::string shapes = "--arg-shapes=f32[3,2];f32[3,2]";
  CommandResult show = RunHalyard({"show", file, "--stage=program", "--target=x86"});
  EXPECT_EQ(show.status, 1);
  EXPECT_THAT(show.err, HasSubstr("f32[?,2]"));
  const std::string how = "as in --arg-shapes=\"f32[8,2];f32[8,2]\"";
  EXPECT_THAT(show.err, HasSubstr(how));
  CommandResult unsized =
      RunHalyard({"compile", file, "--target=x86", "--name=add0", "-o", TestFolder()});
  EXPECT_EQ(unsized.status, 1);
  EXPECT_THAT(unsized.err, HasSubstr("add.mlir:1:"));
  EXPECT_THAT(unsized.err, HasSubstr(how));
  show = RunHalyard({"show", file, "--stage=program", "--target=x86", shapes});
  EXPECT_EQ(show.status, 0) << show.err;
  EXPECT_THAT(show.out, HasSubstr("f32[3,2]"));
  CommandResult compile =
      RunHalyard({"compile", file, "--target=x86", "--name=add3", "-o", TestFolder(), shapes});
  EXPECT_EQ(compile.status, 0) << compile.err;
  EXPECT_THAT(compile.out, HasSubstr("libadd3.a"));
}

}  // namespace
}  // namespace halyard
