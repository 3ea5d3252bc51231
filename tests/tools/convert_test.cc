// Tests halyard convert from every form into every other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::ReadTestFile;
using testing::RunHalyard;
using ::testing::StartsWith;
using testing::TestFolder;
using testing::WriteTestFile;

const std::string kFixtures = HALYARD_SOURCE_DIR "/tests/data/fixtures/";

std::string Converted(const std::string& file, const std::vector<std::string>& options,
                      const std::string& output) {
  const std::string path = TestFolder() + "/" + output;
  std::vector<std::string> arguments = {"convert", file, "-o", path};
  arguments.insert(arguments.end(), options.begin(), options.end());
  const CommandResult result = RunHalyard(arguments);
  EXPECT_EQ(result.status, 0) << ::testing::PrintToString(arguments) << result.err;
  EXPECT_EQ(result.err, "");
  return path;
}

CommandResult Refused(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "convert");
  CommandResult result = RunHalyard(arguments);
  EXPECT_NE(result.status, 0);
  EXPECT_EQ(result.out, "");
  return result;
}

TEST(Convert, EveryFormIntoEveryOther) {
  const std::string name = "mlp";
  const std::string text = kFixtures + name + ".mlir";
  const std::string forms[][2] = {
      {"stablehlo", ".mlir"}, {"bytecode", ".mlirbc"}, {"hlo-text", ".hlo"}, {"hlo-proto", ".pb"}};
  for (const auto& from : forms) {
    const std::string file = Converted(text, {"--to=" + from[0]}, "from" + from[1]);
    for (const auto& to : forms) {
      // Chooses the form by --to, or by the file's name alone.
      const std::string made = Converted(file, {"--to=" + to[0]}, "to" + to[1]);
      const std::string named = Converted(file, {}, "named" + to[1]);
      EXPECT_EQ(ReadTestFile(made), ReadTestFile(named)) << from[0] << " to " << to[0];
      const CommandResult run =
          RunHalyard({"run", made, "--target=reference", "--inputs=" + kFixtures + name + ".in.npz",
                      "--expect=" + kFixtures + name + ".out.npz"});
      EXPECT_EQ(run.status, 0) << from[0] << " to " << to[0] << ": " << run.err;
      EXPECT_THAT(run.out, HasSubstr("out0: as expected"));
    }
  }
}

TEST(Convert, StableHloStaysWhatItIs) {
  for (const char* name : {"collatz", "conv_net", "scan_lstm", "sort"}) {
    const std::string text = kFixtures + name + ".mlir";
    const std::string bytecode = Converted(text, {"--to=bytecode"}, "a.mlirbc");
    const std::string back = Converted(bytecode, {"--to=stablehlo"}, "b.mlir");
    EXPECT_EQ(ReadTestFile(back), ReadTestFile(text)) << name;
    const std::string generic = Converted(text, {"--to=stablehlo", "--generic"}, "c.mlir");
    EXPECT_THAT(ReadTestFile(generic), StartsWith("\"builtin.module\"()"));
    EXPECT_EQ(ReadTestFile(Converted(generic, {"--to=stablehlo"}, "d.mlir")), ReadTestFile(text));
    const std::string old =
        Converted(text, {"--to=bytecode", "--stablehlo-version=1.0.0"}, "old.mlirbc");
    EXPECT_THAT(ReadTestFile(old), HasSubstr("StableHLO_v1.0.0"));
    EXPECT_EQ(ReadTestFile(Converted(old, {"--to=stablehlo"}, "e.mlir")), ReadTestFile(text));
  }
}

TEST(Convert, ChecksAndOtherOpsThatHloLacksAreKept) {
  const std::string text = R"(module {
  func.func @main() {
    %cst = stablehlo.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
    check.expect_almost_eq_const %cst, dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, tolerance = 1.000000e-03
    check.expect_eq %cst, %cst : tensor<2xf32>
    check.expect_close %cst, %cst, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
    return
  }
}
)";
  const std::string file = WriteTestFile("checks.mlir", text);
  EXPECT_EQ(ReadTestFile(Converted(file, {}, "checks_out.mlir")), text);
  const std::string generic = Converted(file, {"--generic"}, "checks_generic.mlir");
  EXPECT_EQ(ReadTestFile(Converted(generic, {}, "checks_back.mlir")), text);
}

TEST(Convert, WithLocations) {
  const CommandResult result =
      RunHalyard({"convert", kFixtures + "sort.hlo", "--to=stablehlo", "--locations"});
  EXPECT_EQ(result.status, 0);
  EXPECT_THAT(result.out, HasSubstr("sort.hlo\":"));
}

TEST(Convert, Errors) {
  const std::string mlp = kFixtures + "mlp.mlir";
  EXPECT_THAT(Refused({mlp, "-o", TestFolder() + "/x.unknown"}).err, HasSubstr("say --to"));
  EXPECT_THAT(Refused({mlp, "--to=bytecode", "--stablehlo-version=2.0.0"}).err,
              HasSubstr("0.9.0 to 1.22.0"));
  EXPECT_EQ(Refused({mlp, "--to=nothing"}).status, 2);
  for (const std::string to : {"hlo", "hlo-proto", "stablehlo"}) {
    EXPECT_THAT(Refused({mlp, "--to=" + to, "--stablehlo-version=1.9.0"}).err,
                HasSubstr("--stablehlo-version is for --to=bytecode"));
  }
  for (const std::string to : {"hlo", "hlo-proto", "bytecode"}) {
    for (const std::string option : {"--generic", "--locations"}) {
      EXPECT_THAT(Refused({mlp, "--to=" + to, option}).err,
                  HasSubstr(option + " is for --to=stablehlo"));
    }
  }
  const std::string wrong = WriteTestFile("wrong.mlir", "func.func @main() {\n  %0 = foo.bar\n}\n");
  EXPECT_THAT(Refused({wrong, "--to=stablehlo"}).err,
              HasSubstr("wrong.mlir:2:8: error: unknown operation 'foo.bar'"));
  const std::string smallest =
      WriteTestFile("smallest.hlo",
                    "HloModule m\n\nENTRY e {\n  a = f32[4] parameter(0)\n"
                    "  ROOT t = (f32[2], s32[2]) topk(a), k=2, largest=false\n}\n");
  EXPECT_THAT(Refused({smallest, "--to=stablehlo"}).err,
              HasSubstr("'topk' (t): chlo.top_k gives the largest elements only"));
}

}  // namespace
}  // namespace halyard
