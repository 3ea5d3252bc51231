// Tests the libraries that `halyard compile` writes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <cstdlib>
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

const std::string kFixtures = HALYARD_SOURCE_DIR "/tests/data/fixtures/";

// Arguments that are named by a location, by jax.arg_info, by the text, and not at all.
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

std::string Compiled(const std::string& program, const std::string& folder) {
  const CommandResult result =
      RunHalyard({"compile", program, "--target=x86:v3", "-o", folder, "--name=net"});
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

// Compiles each snippet of the guide in this language with the command, and returns their number.
int CompileSnippets(const std::string& language, const std::string& before,
                    const std::vector<std::string>& command) {
  const std::string guide = ReadTestFile(HALYARD_SOURCE_DIR "/docs/embedding.md") +
                            ReadTestFile(HALYARD_SOURCE_DIR "/docs/host_integration.md");
  const std::string fence = "```" + language + "\n";
  int snippets = 0;
  for (size_t at = guide.find(fence); at != std::string::npos; at = guide.find(fence, at)) {
    at += fence.size();
    const std::string text = guide.substr(at, guide.find("```", at) - at);
    std::vector<std::string> words = command;
    words.push_back(WriteTestFile("snippet." + language, before + text));
    const CommandResult built = RunProgram(words);
    EXPECT_EQ(built.status, 0) << text << built.err;
    ++snippets;
  }
  return snippets;
}

// The snippets of the guide, compiled with the header of its example.
TEST(Compile, SnippetsOfTheGuideCompile) {
  const std::string folder = TestFolder() + "/guide";
  ASSERT_EQ(RunHalyard({"compile", HALYARD_SOURCE_DIR "/examples/digits/digits.mlir",
                        "--target=x86:v3", "-o", folder, "--name=digits"})
                .status,
            0);
  const std::string include = "#include \"digits.h\"\n";
  EXPECT_GE(CompileSnippets("c", include + "#include <stdio.h>\n#include <string.h>\n",
                            {"gcc", "-std=c11", "-pedantic", "-Wall", "-Wextra", "-Werror",
                             "-Wno-unused-function", "-fsyntax-only", "-I" + folder}),
            9);
  EXPECT_GE(CompileSnippets("cpp", include,
                            {"g++", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-pedantic",
                             "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I" + folder}),
            1);
}

// While it lives, this process and its children have only one CPU, if `restricted`.
class OnOneCpu {
 public:
  explicit OnOneCpu(bool restricted) {
    EXPECT_EQ(sched_getaffinity(0, sizeof(all_), &all_), 0);
    if (!restricted) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &all_)) CPU_SET(cpu, &one);
    }
    EXPECT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  }
  ~OnOneCpu() { EXPECT_EQ(sched_setaffinity(0, sizeof(all_), &all_), 0); }

 private:
  cpu_set_t all_;
};

// Another folder, a cold or a warm cache, and another number of CPUs give the same bytes. These
// contain no folder, neither that of the program nor those of its author.
TEST(Compile, IsReproducible) {
  const std::string text =
      "#loc = loc(\"/home/author/model.py\":3:4)\n"
      "func.func @main(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
      "  %w = stablehlo.constant dense<0.5> : tensor<16x16xf32>\n"
      "  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, "
      "tensor<16x16xf32>) -> tensor<8x16xf32> loc(#loc)\n"
      "  %1 = stablehlo.tanh %0 : tensor<8x16xf32> loc(#loc)\n"
      "  return %1 : tensor<8x16xf32>\n}\n";
  std::vector<std::string> libraries, bundles, headers;
  const char* const set = getenv("HALYARD_CACHE_DIR");
  const std::string cache = set == nullptr ? "" : set;
  const std::vector<std::string> caches = {"cold", "cold", "other"};
  for (size_t i = 0; i < caches.size(); ++i) {
    setenv("HALYARD_CACHE_DIR", (TestFolder() + "/" + caches[i]).c_str(), 1);
    const OnOneCpu one_cpu(i == 2);
    const std::string folder = TestFolder() + "/same" + std::to_string(i);
    ASSERT_EQ(RunProgram({"mkdir", "-p", folder}).status, 0);
    const std::string program = WriteTestFile("same" + std::to_string(i) + "/model.mlir", text);
    headers.push_back(Compiled(program, folder));
    libraries.push_back(ReadTestFile(folder + "/libnet.a"));
    const CommandResult result =
        RunHalyard({"compile", program, "--name=net", "-o", folder,
                    "--target=x86:v3,vulkan,cuda:sm_90", "--emit=programs"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const char* target : {"x86-v3", "vulkan", "cuda-sm_90"})
      bundles.push_back(ReadTestFile(folder + "/net." + target + ".hyprog"));
    for (const std::string* bytes :
         {&libraries.back(), &bundles.back(), &bundles.end()[-2], &bundles.end()[-3]}) {
      ASSERT_GT(bytes->size(), 1000u);
      std::vector<std::string> places = {"/home/", "/tmp/", "/work/", "/usr/", "/root/"};
      if (testing::kSanitized) places.clear();
      for (const std::string& place : places)
        EXPECT_EQ(bytes->find(place), std::string::npos) << place << " " << i;
      EXPECT_EQ(bytes->find(TestFolder()), std::string::npos);
      EXPECT_NE(bytes->find("model.py:3:4"), std::string::npos);
    }
    EXPECT_EQ(headers[i], headers[0]);
    EXPECT_TRUE(libraries[i] == libraries[0]) << i;
    for (size_t k = 0; k < 3; ++k) EXPECT_TRUE(bundles[3 * i + k] == bundles[k]) << i << " " << k;
  }
  set == nullptr ? unsetenv("HALYARD_CACHE_DIR") : setenv("HALYARD_CACHE_DIR", cache.c_str(), 1);
  const std::string library = TestFolder() + "/same0/libnet.a";
  for (const char* tool : {"readelf -hsW", "ranlib", "ar t"}) {
    const CommandResult read =
        RunProgram({"sh", "-c", std::string(tool) + " " + library + " > /dev/null"});
    EXPECT_EQ(read.status, 0) << tool;
    EXPECT_EQ(read.err, "") << tool;
  }
}

TEST(Compile, WeightsMayLieInAFile) {
  const std::string folder = TestFolder() + "/weights", program = kFixtures + "mlp.mlir";
  const CommandResult result = RunHalyard(
      {"compile", program, "--target=x86:v3,vulkan", "-o", folder, "--name=mlp", "--weights=file"});
  ASSERT_EQ(result.status, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("mlp.weights"));
  EXPECT_GE(ReadTestFile(folder + "/mlp.weights").size(), 4096u);
  EXPECT_THAT(ReadTestFile(folder + "/mlp.h"), HasSubstr("mlp_create_with_weights"));
  for (const std::string option : {"--target=vulkan", "--emit=bundle"}) {
    const CommandResult refused =
        RunHalyard({"compile", program, option, "-o", folder, "--name=mlp", "--weights=file"});
    EXPECT_EQ(refused.status, 2) << option;
    EXPECT_THAT(refused.err, HasSubstr("--weights=file: that is for libraries")) << option;
  }
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
