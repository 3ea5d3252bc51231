#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <regex>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/arrays/npz.h"
#include "tests/tools/located_error.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using testing::RunHalyard;
using testing::TestFolder;
using testing::WriteTestFile;

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

// Larger ones would become the nearest that there is, and negative ones would lose their sign.
TEST(WrongUse, NumbersThatDoNotFitIn64Bits) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  const auto expect = [](const CommandResult& result, const std::string& words) {
    EXPECT_EQ(result.status, 2) << words;
    EXPECT_THAT(result.err, HasSubstr(words));
  };
  for (const std::string number : {"18446744073709551616", "99999999999999999999999", "-1"}) {
    expect(RunHalyard({"run", good, "--target=reference", "--random-inputs=" + number}),
           "--random-inputs: must be a number from 0 to 18446744073709551615, not `" + number);
  }
  expect(RunHalyard({"db", "prune", "--db=/no/such.sqlite", "--keep=9223372036854775808"}),
         "--keep: must be a number from -9223372036854775808 to 9223372036854775807, not `");
  expect(testing::RunProgram(
             {HALYARD_BIN_DIR "/halyard-rt", "worker", "--memory=99999999999999999999"}),
         "--memory: must be a number from -9223372036854775808 to ");
  EXPECT_EQ(RunHalyard({"run", good, "--target=reference", "--random-inputs=18446744073709551615"})
                .status,
            0);
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
  ExpectError(
      testing::RunProgram({command, "measure", "/no/such/bundle", "-o", "/no/such/records"}), 1,
      {"halyard-rt: error: /no/such/bundle"});
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

// The error comes before anything is compiled: nothing runs whose results could not be kept.
TEST(WrongPlaces, AreFoundBeforeTheRun) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  for (const char* option :
       {"--profile=/no/such/p", "--profile-json=/no/such/p", "--outputs=/no/such/p"}) {
    const CommandResult result =
        RunHalyard({"run", good, "--target=x86", "--random-inputs=1", option});
    ExpectError(result, 1, {"/no/such/p: No such file or directory"});
    EXPECT_EQ(result.out, "") << option;
  }
  // Another file takes the place of what --outputs names, which must not be a pipe or a device.
  const std::string pipe = TestFolder() + "/pipe.npz";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string option : {"--outputs=/dev/null", "--outfeed=/dev/null"}) {
    const CommandResult result =
        RunHalyard({"run", good, "--target=x86", "--inputs=/no/such.npz", option});
    ExpectError(result, 1, {"cannot write /dev/null: arrays need a regular file"});
  }
  ExpectError(
      RunHalyard({"run", good, "--target=x86", "--inputs=/no/such.npz", "--outputs=" + pipe}), 1,
      {"pipe.npz: arrays need a regular file"});
  // A missing program is only found later.
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
                1, {"there are no kernels to profile"});
  }
  const std::string text = WriteTestFile("nothing", "# none\n");
  for (const std::string& option : {"--choices=" + text, "--schedules=" + text}) {
    ExpectError(RunHalyard({"run", good, "--target=reference", "--random-inputs=1", option}), 1,
                {"there are no kernels for --choices and --schedules"});
  }
  for (const char* option : {"--rtol=1", "--atol=1", "--of-largest=1"}) {
    ExpectError(RunHalyard({"run", good, "--target=x86", "--random-inputs=1", option}), 1,
                {"--rtol, --atol and --of-largest are for --expect and --compare"});
  }
  ExpectError(RunHalyard({"run", good, "--target=x86", "--random-inputs=1", "--devices=2"}), 1,
              {"`halyard run` does not use --devices"});
  for (const char* code : {"ptx", "machine"}) {
    ExpectError(RunHalyard({"compile", good, "--target=x86:v2", "--name=m", "-o", TestFolder(),
                            absl::StrCat("--cuda-code=", code)}),
                2, {"no --target is for CUDA"});
  }
  const std::string program = WriteTestFile(
      "static.hlo", "HloModule m\nENTRY e { x = f32[8] parameter(0) ROOT r = f32[8] negate(x) }\n");
  for (const char* target : {"--target=x86", "--target=reference"}) {
    // It runs from the cache, too.
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

TEST(WrongUse, OptionsWithoutValues) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  // As of `--target=$TARGET` where TARGET is not set: the next word is not the value.
  ExpectError(RunHalyard({"run", good, "--target=", "--random-inputs=1"}), 2,
              {"--target= is followed by no value"});
  ExpectError(RunHalyard({"convert", good, "--to=foo"}), 2,
              {"--to: `foo` is no form; there are stablehlo, bytecode, hlo-text, hlo-proto"});
}

TEST(WrongPlaces, ADeviceThatIsNotThere) {
  const std::string good = HALYARD_SOURCE_DIR "/tests/data/fixtures/mlp.mlir";
  ExpectError(RunHalyard({"run", good, "--target=vulkan", "--device=99", "--random-inputs=1"}), 2,
              {"--device=99"});
  for (const char* targets : {"--target=x86", "--target=x86:v3,x86"}) {
    ExpectError(RunHalyard({"bench", good, targets, "--device=5", "--random-inputs=1"}), 1,
                {"--device=5 is for GPUs; there is one x86 device"});
  }
}

}  // namespace
}  // namespace halyard
