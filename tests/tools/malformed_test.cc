// Wrong programs, files, arrays and options: one clear error each, with its place, and the exit
// status that says whose fault it is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/arrays/npz.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::CommandResult;
using ::testing::HasSubstr;
using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

struct WrongProgram {
  const char* name;
  const char* line;     // where the error is: "5", or "5|6" for several that would do
  const char* message;  // a part of it
  std::string text;
};

// One line on stderr, `file:line:col: error: message`.
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

// A message on stderr that holds `parts`, with one "error:".
void ExpectError(const CommandResult& result, int status, const std::vector<std::string>& parts) {
  EXPECT_EQ(result.status, status) << result.err;
  for (const std::string& part : parts) EXPECT_THAT(result.err, HasSubstr(part));
  const size_t first = result.err.find("error:");
  ASSERT_NE(first, std::string::npos) << result.err;
  EXPECT_EQ(result.err.find("error:", first + 1), std::string::npos) << result.err;
}

// Entry of x: f32[4], y: f32[5], i: s32[4] and these lines, of which the first is line 7.
std::string Hlo(const std::string& lines) {
  return absl::StrCat(
      "HloModule m\n\n"
      "ENTRY %e (x: f32[4], y: f32[5], i: s32[4]) -> f32[4] {\n"
      "  %x = f32[4] parameter(0)\n  %y = f32[5] parameter(1)\n  %i = s32[4] parameter(2)\n",
      lines, "\n}\n");
}

// The same; the first line is line 2.
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

class WrongArrays : public ::testing::Test {
 protected:
  using Arrays = std::vector<std::pair<std::string, hlo::Literal>>;
  static hlo::Literal Zeros(hlo::ElementType type, std::vector<int64_t> dims) {
    return hlo::Literal(hlo::Shape::Array(type, std::move(dims)));
  }
  std::string Npz(const std::string& name, const Arrays& arrays) {
    const std::string path = TestFolder() + "/" + name;
    EXPECT_TRUE(WriteNpz(path, arrays).ok());
    return path;
  }
  CommandResult RunWith(const std::string& inputs) {
    return RunHalyard({"run", program_, "--target=reference", "--inputs=" + inputs});
  }
  const hlo::ElementType f32_ = hlo::ElementType::kF32;
  const std::string program_ = WriteTestFile(
      "two.mlir",
      "func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {\n"
      "  %0 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>\n"
      "  %1 = stablehlo.add %a, %0 : tensor<2x3xf32>\n  return %1 : tensor<2x3xf32>\n}\n");
};

TEST_F(WrongArrays, OfInputs) {
  const hlo::Literal a = Zeros(f32_, {2, 3}), b = Zeros(f32_, {3});
  ExpectError(RunWith(Npz("shape.npz", {{"arg0", Zeros(f32_, {3, 2})}, {"arg1", b}})), 1,
              {"shape.npz", "arg0", "wrong shape", "f32[3,2]", "f32[2,3]"});
  ExpectError(RunWith(Npz("rank.npz", {{"arg0", a}, {"arg1", Zeros(f32_, {3, 1})}})), 1,
              {"rank.npz", "arg1", "wrong shape", "f32[3,1]", "f32[3]"});
  ExpectError(RunWith(Npz("type.npz", {{"arg0", a}, {"arg1", Zeros(hlo::ElementType::kF64, {3})}})),
              1, {"type.npz", "arg1", "wrong type", "f64[3]", "f32[3]"});
  ExpectError(RunWith(Npz("missing.npz", {{"arg0", a}})), 1, {"missing.npz", "arg1", "f32[3]"});
  ExpectError(RunWith(Npz("extra.npz", {{"arg0", a}, {"arg1", b}, {"arg2", b}})), 1,
              {"extra.npz", "arg2", "2 parameters"});
  ExpectError(RunWith(WriteTestFile("junk.npz", "this is not a zip archive")), 1, {"junk.npz"});
  ExpectError(RunWith(WriteTestFile("nothing.npz", "")), 1, {"nothing.npz"});
  const std::string whole = testing::ReadTestFile(Npz("whole.npz", {{"arg0", a}, {"arg1", b}}));
  EXPECT_EQ(RunWith(TestFolder() + "/whole.npz").status, 0);
  ExpectError(RunWith(WriteTestFile("half.npz", whole.substr(0, whole.size() / 2))), 1,
              {"half.npz"});
  ExpectError(RunWith("/no/such/in.npz"), 1, {"/no/such/in.npz"});
  ExpectError(RunHalyard({"run", program_, "--target=reference"}), 1,
              {"two.mlir", "arg0: f32[2,3], arg1: f32[3]", "--inputs", "--random-inputs"});
}

TEST_F(WrongArrays, OfResults) {
  const std::vector<std::string> run = {"run", program_, "--target=reference", "--random-inputs=1"};
  auto with = [&run](const std::string& option) {
    std::vector<std::string> all = run;
    all.push_back(option);
    return RunHalyard(all);
  };
  ExpectError(with("--outputs=/no/such/folder/out.npz"), 1, {"/no/such/folder/out.npz"});
  ExpectError(with("--expect=/no/such/want.npz"), 1, {"/no/such/want.npz"});
  ExpectError(with("--expect=" + Npz("w0.npz", {{"out0", Zeros(f32_, {2, 3})}})), 1,
              {"two.mlir", "not those of"});
  EXPECT_THAT(with("--expect=" + TestFolder() + "/w0.npz").out,
              ::testing::AllOf(HasSubstr("out0: NOT as expected, largest difference"),
                               HasSubstr("6 of 6 elements")));
  ExpectError(with("--expect=" + Npz("w1.npz", {{"out0", Zeros(f32_, {3, 2})}})), 1,
              {"w1.npz", "out0", "f32[3,2]", "f32[2,3]"});
  ExpectError(with("--expect=" + Npz("w2.npz", {{"x", Zeros(f32_, {2, 3})}})), 1,
              {"w2.npz", "out0"});
}

TEST_F(WrongArrays, Schedules) {
  auto with = [this](const std::string& schedules) {
    return RunHalyard(
        {"run", program_, "--target=x86", "--random-inputs=1", "--schedules=" + schedules});
  };
  const CommandResult shown = RunHalyard({"show", program_, "--target=x86", "--stage=schedule"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  const std::string kernel = shown.out.substr(0, shown.out.find(": "));
  EXPECT_EQ(with(WriteTestFile("right", shown.out)).status, 0);
  ExpectError(with("/no/such/schedules"), 1, {"/no/such/schedules"});
  ExpectError(with(WriteTestFile("s0", "what is this\n")), 1, {"line 1"});
  ExpectError(with(WriteTestFile("s1", "no_such_kernel: elementwise\n")), 1, {"no_such_kernel"});
  ExpectError(with(WriteTestFile("s2", kernel + ": no_such_template\n")), 1, {"no_such_template"});
  ExpectError(with(WriteTestFile("s3", shown.out.substr(0, shown.out.size() - 1) + " knob=3\n")), 1,
              {"knob"});
}

TEST(WrongUsage, IsExitStatusTwo) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  const std::vector<std::vector<std::string>> commands = {
      {},
      {"frobnicate"},
      {"check"},
      {"run"},
      {"run", good, "--colour=red"},
      {"run", good, "--target=abacus"},
      {"run", good, "--target=x86:v9"},
      {"run", good, "--target=x86", "--device=one"},
      {"run", good, "--compare=luck"},
      {"run", good, "--repeat=0"},
      {"run", good, "--rtol=-1"},
      {"run", good, "--inputs=a.npz", "--random-inputs=1"},
      {"bench", good, "--target=x86,abacus"},
      {"bench", good, "--min-time=soon"},
      {"show", good},
      {"show", good, "--stage=finished"},
      {"show", good, "--stage=asm", "--format=dot"},
      {"show", good, "--stage=program", "--target=reference"},
      {"compile", good, "-o", TestFolder()},
      {"compile", good, "-o", TestFolder(), "--name=not-an-identifier"},
      {"compile", good, "-o", TestFolder(), "--name=m", "--target=reference"},
      {"compile", good, "-o", TestFolder(), "--name=m", "--target=x86:v2,x86:v3"},
      {"verify"},
      {"devices", "--describe=abacus"},
  };
  for (const std::vector<std::string>& command : commands) {
    const CommandResult result = RunHalyard(command);
    EXPECT_EQ(result.status, 2) << ::testing::PrintToString(command) << result.err;
    EXPECT_NE(result.err, "") << ::testing::PrintToString(command);
  }
}

TEST(WrongUse, IsNamed) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  const std::string commands = "; commands: run, bench, check, ";
  ExpectError(RunHalyard({"foo"}), 2, {"halyard: error: unknown command `foo`" + commands});
  ExpectError(RunHalyard({"--foo"}), 2, {"unknown option `--foo`" + commands});
  ExpectError(RunHalyard({}), 2, {"a command is missing" + commands});
  ExpectError(RunHalyard({"db", "foo"}), 2,
              {"unknown command `foo`; commands of db: list, show, "});
  ExpectError(RunHalyard({"db"}), 2, {"a command is missing; commands of db: list, "});
  EXPECT_THAT(RunHalyard({"run", good, "--repeat=0"}).err,
              HasSubstr("--repeat: must be a number above 0, not `0`"));
  EXPECT_THAT(RunHalyard({"run", good, "--rtol=nan"}).err,
              HasSubstr("--rtol: must be a number that is 0 or more, not `nan`"));
}

TEST(WrongUse, OfTheRuntimeCommand) {
  const std::string command = HALYARD_BIN_DIR "/halyard-rt";
  ExpectError(testing::RunProgram({command, "foo"}), 2,
              {"halyard-rt: error: unknown command `foo`; commands: worker, measure"});
  for (const std::vector<std::string>& wrong : {std::vector<std::string>{},
                                                {"measure"},
                                                {"worker", "--foo"},
                                                {"worker", "--threads=-1"},
                                                {"worker", "--target=abacus"}}) {
    std::vector<std::string> line = wrong;
    line.insert(line.begin(), command);
    const CommandResult result = testing::RunProgram(line);
    EXPECT_EQ(result.status, 2) << ::testing::PrintToString(line);
    EXPECT_NE(result.err, "") << ::testing::PrintToString(line);
  }
  EXPECT_EQ(testing::RunProgram({command, "--help"}).status, 0);
}

TEST(WrongPlaces, ThatCannotBeWritten) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  ExpectError(RunHalyard({"compile", good, "--target=x86:v2", "--name=m", "-o", "/dev/null/m"}), 1,
              {"/dev/null/m"});
  ExpectError(RunHalyard({"run", good, "--target=x86", "--random-inputs=1", "--dump=/dev/null/d"}),
              1, {"/dev/null/d"});
  ExpectError(RunHalyard({"bench", good, "--target=reference", "--repeat=1", "--json=/no/such/j"}),
              1, {"/no/such/j"});
  const CommandResult full = testing::RunProgram(
      {"sh", "-c", HALYARD_BIN_DIR "/halyard show " + good + " --stage=hlo >/dev/full"});
  ExpectError(full, 1, {"standard output"});
}

// Before anything is compiled: nothing is run that could not be kept.
TEST(WrongPlaces, AreFoundBeforeTheRun) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  for (const char* option : {"--profile=/no/such/p", "--profile-json=/no/such/p",
                             "--outputs=/no/such/p"}) {
    const CommandResult result =
        RunHalyard({"run", good, "--target=x86", "--random-inputs=1", option});
    ExpectError(result, 1, {"/no/such/p: No such file or directory"});
    EXPECT_EQ(result.out, "") << option;
  }
  // A program that is not there is found later.
  ExpectError(RunHalyard({"bench", "/no/such.hlo", "--target=reference", "--json=/no/such/j"}), 1,
              {"/no/such/j: No such file or directory"});
  const std::string file = TestFolder() + "/profile.json";
  ExpectError(RunHalyard({"run", good, "--target=x86", "--random-inputs=1", "--profile=" + file,
                          "--profile-json=" + TestFolder() + "/./profile.json"}),
              1, {"--profile and --profile-json name the same file"});
}

TEST(WrongUse, OptionsThatWouldDoNothing) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  for (const char* option : {"--profile-table", "--profile=p", "--profile-json=p"}) {
    ExpectError(RunHalyard({"run", good, "--target=reference", "--replicas=2", "--random-inputs=1",
                            option}),
                1, {"do not go with --replicas and --partitions"});
  }
  const std::string program = WriteTestFile(
      "static.hlo",
      "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] negate(x) }\n");
  for (const char* target : {"--target=x86", "--target=reference"}) {
    // From the cache too.
    EXPECT_EQ(RunHalyard({"run", program, target, "--random-inputs=1"}).status, 0);
    for (const char* shapes : {"f32[4]", "s32[8]", "f32[8];f32[8]"}) {
      ExpectError(RunHalyard({"run", program, target, "--random-inputs=1",
                              absl::StrCat("--arg-shapes=", shapes)}),
                  1, {"the program takes"});
    }
    EXPECT_EQ(
        RunHalyard({"run", program, target, "--random-inputs=1", "--arg-shapes=f32[8]"}).status, 0);
  }
}

TEST(WrongPlaces, ADeviceThatIsNotThere) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  ExpectError(RunHalyard({"run", good, "--target=vulkan", "--device=99", "--random-inputs=1"}), 2,
              {"--device=99"});
}

}  // namespace
}  // namespace halyard
