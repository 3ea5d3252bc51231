// The libraries that `halyard compile` writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::ReadTestFile;
using testing::RunHalyard;
using testing::RunProgram;
using testing::TestFolder;
using testing::WriteTestFile;

// Arguments named by a location, by jax.arg_info, by the text and not at all.
constexpr char kNamed[] =
    "func.func public @main(%arg0: tensor<4x3xf32> loc(\"params['w']\"),\n"
    "    %arg1: tensor<3xf32> {jax.arg_info = \"x\"} loc(\"other\"), %bias: tensor<f32>,\n"
    "    %arg3: tensor<f32>) -> (tensor<4xf32> {jax.result_info = \"result['logits']\"},\n"
    "                            tensor<f32> {jax.result_info = \"int\"}) {\n"
    "  %0 = stablehlo.dot_general %arg0, %arg1, contracting_dims = [1] x [0]\n"
    "      : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4xf32>\n"
    "  %1 = stablehlo.add %bias, %arg3 : tensor<f32>\n"
    "  return %0, %1 : tensor<4xf32>, tensor<f32>\n}\n";
constexpr char kHlo[] =
    "HloModule m\nENTRY main {\n  scale.1 = f32[] parameter(0)\n"
    "  Arg_1.2 = f32[] parameter(1), metadata={op_name=\"state['mu']\"}\n"
    "  Arg_2.3 = f32[] parameter(2)\n  a = f32[] add(scale.1, Arg_1.2)\n"
    "  ROOT r = f32[] add(a, Arg_2.3)\n}\n";

std::string Compiled(const std::string& program, const std::string& folder,
                     std::vector<std::string> options = {}) {
  options.insert(options.begin(),
                 {"compile", program, "--target=x86:v3", "-o", folder, "--name=net"});
  const CommandResult result = RunHalyard(options);
  EXPECT_EQ(result.status, 0) << result.err;
  return ReadTestFile(folder + "/net.h");
}

TEST(Compile, HeadersHaveTheProgramsNames) {
  const std::string folder = TestFolder() + "/named";
  EXPECT_THAT(Compiled(WriteTestFile("named.mlir", kNamed), folder),
              AllOf(HasSubstr("net_run(net_model* model, const float* params_w, const float* x, "
                              "const float* bias, const float* arg3, float* logits, float* int_)"),
                    HasSubstr("#define NET_PARAMS_W_DIM_1 3\n"),
                    HasSubstr("#define NET_LOGITS_BYTES 16\n")));
  EXPECT_THAT(Compiled(WriteTestFile("named.hlo", kHlo), folder),
              HasSubstr("net_run(net_model* model, const float* scale_1, const float* state_mu, "
                        "const float* arg2, float* out0)"));
}

// The snippets in C of the guide, with the header of its example.
TEST(Compile, SnippetsOfTheGuideCompile) {
  const std::string folder = TestFolder() + "/guide";
  ASSERT_EQ(RunHalyard({"compile", HALYARD_SOURCE_DIR "/examples/digits/digits.mlir",
                        "--target=x86:v3", "-o", folder, "--name=digits"})
                .status,
            0);
  const std::string guide = ReadTestFile(HALYARD_SOURCE_DIR "/docs/embedding.md");
  int snippets = 0;
  for (size_t at = guide.find("```c\n"); at != std::string::npos; at = guide.find("```c\n", at)) {
    at += 5;
    const std::string text = guide.substr(at, guide.find("```", at) - at);
    const std::string file = WriteTestFile("snippet.c", "#include \"digits.h\"\n" + text);
    const CommandResult built = RunProgram({"gcc", "-std=c11", "-pedantic", "-Wall", "-Wextra",
                                            "-Werror", "-fsyntax-only", "-I" + folder, file});
    EXPECT_EQ(built.status, 0) << text << built.err;
    ++snippets;
  }
  EXPECT_GT(snippets, 0);
}

TEST(Compile, RefusesNamesThatAreTaken) {
  const std::string program = WriteTestFile("taken.hlo", kHlo);
  for (const char* name : {"hy", "hy_model", "timer", "3d", "a-b"}) {
    const CommandResult result =
        RunHalyard({"compile", program, "-o", TestFolder(), std::string("--name=") + name});
    EXPECT_EQ(result.status, 2) << name;
    EXPECT_THAT(result.err, AllOf(HasSubstr("--name"), HasSubstr(name)));
  }
}

}  // namespace
}  // namespace halyard
