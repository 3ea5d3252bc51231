// Tests ahead-of-time programs whose sizes are chosen when they run, and libraries with several
// entries: applications link them by themselves, without a compiler, and get what the evaluator
// computes for each size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::ReadTestFile;
using testing::RunGcc;
using testing::RunHalyard;
using testing::RunProgram;
using testing::TestFolder;
using testing::WriteTestFile;

// Products, softmax of rows, and over all rows a mean, a sort and the positions of the greatest.
constexpr char kNet[] = R"(module @net {
  func.func @main(%x: tensor<?x8xf32>) -> (tensor<?x4xf32> {jax.result_info = "result['scores']"}, tensor<4xf32> {jax.result_info = "result['mean']"}, tensor<?x4xf32> {jax.result_info = "result['sorted']"}, tensor<4xi32> {jax.result_info = "result['best']"}) {
    %w = stablehlo.constant dense<[[0.5, -0.25, 0.125, 1.0], [0.25, 0.75, -0.5, 0.0], [-1.0, 0.5, 0.25, 0.375], [0.125, 0.0, 0.625, -0.75], [0.3, -0.2, 0.1, 0.7], [-0.6, 0.4, 0.9, -0.1], [0.8, 0.05, -0.35, 0.45], [0.15, -0.55, 0.65, 0.2]]> : tensor<8x4xf32>
    %bias = stablehlo.constant dense<[0.1, -0.2, 0.3, 0.05]> : tensor<4xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %zi = stablehlo.constant dense<0> : tensor<i32>
    %four = stablehlo.constant dense<4> : tensor<1xi32>
    %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xf32>) -> tensor<i32>
    %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
    %shape = stablehlo.concatenate %n1, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x8xf32>, tensor<8x4xf32>) -> tensor<?x4xf32>
    %bb = stablehlo.dynamic_broadcast_in_dim %bias, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %y = stablehlo.add %d, %bb : tensor<?x4xf32>
    %m = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %mb = stablehlo.dynamic_broadcast_in_dim %m, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %s = stablehlo.subtract %y, %mb : tensor<?x4xf32>
    %e = stablehlo.exponential %s : tensor<?x4xf32>
    %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
    %tb = stablehlo.dynamic_broadcast_in_dim %t, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x4xf32>
    %p = stablehlo.divide %e, %tb : tensor<?x4xf32>
    %sum = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<?x4xf32>, tensor<f32>) -> tensor<4xf32>
    %nf = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
    %nb = stablehlo.broadcast_in_dim %nf, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %mean = stablehlo.divide %sum, %nb : tensor<4xf32>
    %sorted = "stablehlo.sort"(%y) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %lt = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    }) : (tensor<?x4xf32>) -> tensor<?x4xf32>
    %i = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x4xi32>
    %r:2 = "stablehlo.reduce"(%y, %i, %low, %zi) <{dimensions = array<i64: 0>}> ({
    ^bb0(%a: tensor<f32>, %j: tensor<i32>, %b: tensor<f32>, %k: tensor<i32>):
      %gt = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %eq = stablehlo.compare EQ, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %lt = stablehlo.compare LT, %j, %k : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %both = stablehlo.and %eq, %lt : tensor<i1>
      %keep = stablehlo.or %gt, %both : tensor<i1>
      %v = stablehlo.select %keep, %a, %b : tensor<i1>, tensor<f32>
      %w1 = stablehlo.select %keep, %j, %k : tensor<i1>, tensor<i32>
      stablehlo.return %v, %w1 : tensor<f32>, tensor<i32>
    }) : (tensor<?x4xf32>, tensor<?x4xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    return %p, %mean, %sorted, %r#1 : tensor<?x4xf32>, tensor<4xf32>, tensor<?x4xf32>, tensor<4xi32>
  }
}
)";

// Runs every STEP-th size from LOW to HIGH, and writes the results of all of them. Each array is a
// block of its own.
constexpr char kNetApp[] = R"(#include "net.h"
#include <stdio.h>
#include <stdlib.h>
static void* block(int64_t bytes, int aligned) {
  void* memory = NULL;
  if (!aligned) return (char*)malloc((size_t)bytes + 4) + 4;
  return posix_memalign(&memory, NET_ALIGNMENT, (size_t)bytes) == 0 ? memory : NULL;
}
int main(int argc, char** argv) {
  net_model* model = NULL;
  FILE* out = fopen(argv[1], "wb");
  const int low = atoi(argv[2]), high = atoi(argv[3]), step = atoi(argv[4]);
  int n, i;
  hy_status status = net_create(1, &model);
  for (n = low; n <= high && status == NULL; n += step) {
    float* x = block(NET_X_BYTES(n), n % 2);
    float* scores = block(NET_SCORES_BYTES(n), n % 2);
    float* sorted = block(NET_SORTED_COUNT(n) * 4, n % 3);
    float mean[NET_MEAN_COUNT];
    int32_t best[NET_BEST_COUNT];
    for (i = 0; i < NET_X_COUNT(n); i++) x[i] = (float)((i * 37 + n * 11) % 101) / 25 - 2;
    status = net_run(model, n, x, scores, mean, sorted, best);
    fwrite(scores, 4, (size_t)NET_SCORES_COUNT(n), out);
    fwrite(mean, 4, NET_MEAN_COUNT, out);
    fwrite(sorted, 4, (size_t)NET_SORTED_COUNT(n), out);
    fwrite(best, 4, NET_BEST_COUNT, out);
  }
  fclose(out);
  if (status != NULL) {
    printf("error %d: %s\n", hy_status_code(status), hy_status_message(status));
    return 1;
  }
  printf("%s\n", net_chosen(model));
  net_destroy(model);
  return argc == 5 ? 0 : 1;
}
)";

std::unique_ptr<hlo::Module> Parsed(const std::string& text) {
  absl::StatusOr<std::unique_ptr<hlo::Module>> module = stablehlo::ParseStableHlo(text, "p.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  return *std::move(module);
}

Literal NetArgument(int64_t n) {
  Literal x(hlo::Shape::Array(ElementType::kF32, {n, 8}));
  for (int64_t i = 0; i < n * 8; ++i)
    x.SetFloat(i, static_cast<float>((i * 37 + n * 11) % 101) / 25 - 2);
  return x;
}

// Compiles and links with gcc, and returns the application's path.
std::string Build(const std::string& name, const std::string& program, const std::string& app,
                  std::vector<std::string> options) {
  const std::string folder = TestFolder() + "/" + name;
  std::vector<std::string> command = {"compile", WriteTestFile(name + ".mlir", program), "-o",
                                      folder, "--name=" + name};
  command.insert(command.end(), options.begin(), options.end());
  const CommandResult compiled = RunHalyard(command);
  EXPECT_EQ(compiled.status, 0) << compiled.err;
  const std::string binary = folder + "/app";
  const CommandResult built =
      RunGcc({"-std=c99", "-D_POSIX_C_SOURCE=200112L", "-Wall", "-Wextra", "-Werror", "-I" + folder,
              WriteTestFile(name + "_app.c", app), folder + "/lib" + name + ".a", "-lm",
              "-lpthread", "-o", binary});
  EXPECT_EQ(built.status, 0) << built.err;
  return binary;
}

bool HasVulkan() { return RunHalyard({"devices"}).out.find("vulkan") != std::string::npos; }

class Net : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string targets = "--target=x86:v3,cuda:sm_90";
    if (HasVulkan()) targets += ",vulkan";
    app_ = new std::string(Build("net", kNet, kNetApp, {targets, "--dim=batch=x.0:1..257@32,257"}));
  }
  static void TearDownTestSuite() { delete app_; }

  // Runs every `step`-th size from `low` to `high` and compares them with the evaluator.
  static void Compare(int low, int high, int step, const std::string& target,
                      std::vector<std::string> variables) {
    const std::string file = TestFolder() + "/results.bin";
    // There is no compiler: the application finds no commands.
    std::vector<std::string> command = {"env", "-i", "HALYARD_TARGET=" + target};
    command.insert(command.end(), variables.begin(), variables.end());
    if (testing::kSanitized) command.push_back("ASAN_OPTIONS=detect_leaks=0");  // the application's
    command.insert(command.end(),
                   {*app_, file, std::to_string(low), std::to_string(high), std::to_string(step)});
    const CommandResult run = RunProgram(command);
    ASSERT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, ::testing::StartsWith(target));
    const std::string bytes = ReadTestFile(file);
    const std::unique_ptr<hlo::Module> module = Parsed(kNet);
    size_t at = 0;
    for (int64_t n = low; n <= high; n += step) {
      hlo::Evaluator evaluator;
      absl::StatusOr<Literal> want = evaluator.Run(*module, {NetArgument(n)});
      ASSERT_TRUE(want.ok()) << want.status();
      for (const Literal& result : want->elements()) {
        ASSERT_LE(at + result.bytes().size(), bytes.size());
        Literal got(result.shape());
        memcpy(got.mutable_bytes().data(), bytes.data() + at, result.bytes().size());
        at += result.bytes().size();
        const absl::StatusOr<hlo::Difference> difference = hlo::Compare(got, result, 2e-5, 2e-6);
        ASSERT_TRUE(difference.ok());
        ASSERT_TRUE(difference->within)
            << "size " << n << ": " << difference->got << ", not " << difference->want;
      }
    }
    EXPECT_EQ(at, bytes.size());
  }

  static std::string* app_;
};
std::string* Net::app_ = nullptr;

TEST_F(Net, EverySizeOnX86) { Compare(1, 257, 1, "x86:v3", {}); }

// The software device takes long for small kernels.
TEST_F(Net, SizesOnVulkan) {
  if (!HasVulkan()) GTEST_SKIP() << "no Vulkan device";
  Compare(1, 257, getenv("HALYARD_NIGHTLY") != nullptr ? 1 : 16, "vulkan", {});
}

// The fake driver interprets PTX.
TEST_F(Net, SizesOnCuda) {
  Compare(1, 3, 1, "cuda:sm_90",
          {std::string("HALYARD_LIBCUDA=") + HALYARD_FAKE_LIBCUDA, "HALYARD_FAKE_CUDA=interpret"});
}

TEST_F(Net, WrongSizesAreErrors) {
  const std::string file = TestFolder() + "/results.bin";
  EXPECT_THAT(RunProgram({"env", "HALYARD_TARGET=x86", *app_, file, "0", "0", "1"}).out,
              HasSubstr("error 3: net: batch is 0; it is in 1..257"));
  EXPECT_THAT(RunProgram({"env", "HALYARD_TARGET=x86", *app_, file, "258", "258", "1"}).out,
              HasSubstr("error 3: net: batch is 258; it is in 1..257"));
}

constexpr char kTwo[] = R"(module @coder {
  func.func public @encode(%x: tensor<?x32xf32> loc("x")) -> (tensor<?x32xf32> {jax.result_info = "result['code']"}) {
    %i = stablehlo.constant dense<0.5> : tensor<32x32xf32>
    %j = stablehlo.iota dim = 0 : tensor<32x32xf32>
    %w = stablehlo.multiply %i, %j : tensor<32x32xf32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x32xf32>, tensor<32x32xf32>) -> tensor<?x32xf32>
    return %0 : tensor<?x32xf32>
  }
  func.func public @decode(%code: tensor<32xf32>) -> tensor<f32> {
    %i = stablehlo.constant dense<0.5> : tensor<32x32xf32>
    %j = stablehlo.iota dim = 0 : tensor<32x32xf32>
    %w = stablehlo.multiply %i, %j : tensor<32x32xf32>
    %0 = stablehlo.dot_general %w, %code, contracting_dims = [1] x [0] : (tensor<32x32xf32>, tensor<32xf32>) -> tensor<32xf32>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<32xf32>, tensor<f32>) -> tensor<f32>
    return %1 : tensor<f32>
  }
})";
constexpr char kTwoApp[] = R"(#include "coder.h"
#include <stdio.h>
int main(void) {
  coder_model* model = NULL;
  hy_program* other = NULL;
  float x[CODER_ENCODE_X_MAX_COUNT], code[CODER_ENCODE_CODE_MAX_COUNT], sum;
  hy_status status = coder_create(1, &model);
  int i;
  for (i = 0; i < CODER_ENCODE_X_COUNT(2); i++) x[i] = i < 32 ? 1 : 2;
  if (status == NULL) status = coder_encode_run(model, 2, x, code);
  if (status == NULL) status = coder_decode_run(model, code, &sum);
  if (status != NULL) {
    printf("error: %s\n", hy_status_message(status));
    return 1;
  }
  printf("%g %g %g %d\n", code[0], code[32], sum, CODER_DECODE_CODE_DIM_0);
  status = hy_program_entry(model, "decod", &other);
  printf("%d: %s\n", hy_status_code(status), hy_status_message(status));
  hy_status_free(status);
  coder_destroy(model);
  return 0;
}
)";

TEST(Entries, AreFunctionsOfOneLibrary) {
  const std::string app = Build("coder", kTwo, kTwoApp,
                                {"--target=x86:v3", "--entry=encode,decode", "--dim=x.0:1..4@4"});
  // The sum of 0.5 i is 248; each element of the code is that, and the sum of 0.5 i times 32 of
  // them.
  const CommandResult run = RunProgram({app});
  EXPECT_EQ(run.out,
            "248 496 1.96813e+06 32\n"
            "5: coder: it has no entry 'decod'; it has encode, decode\n");
  EXPECT_EQ(run.status, 0);
  // Both have the weights, 4 KiB, for each size and each entry: with a file of their own, that is
  // what it holds, and a little more.
  const CommandResult compiled = RunHalyard(
      {"compile", TestFolder() + "/coder.mlir", "--target=x86:v3", "-o", TestFolder() + "/weights",
       "--name=coder", "--entry=encode,decode", "--dim=x.0:1..4@4", "--weights=file"});
  ASSERT_EQ(compiled.status, 0) << compiled.err;
  const auto weights = std::filesystem::file_size(TestFolder() + "/weights/coder.weights");
  EXPECT_GE(weights, 4 << 10);
  EXPECT_LT(weights, 9 << 10);
}

TEST(Entries, WrongNamesAreErrors) {
  const std::string program = WriteTestFile("coder.mlir", kTwo);
  const auto error = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"compile", program, "-o", TestFolder(), "--name=coder"});
    const CommandResult result = RunHalyard(options);
    EXPECT_EQ(result.status, 1);
    return result.err;
  };
  EXPECT_THAT(error({"--entry=decod"}),
              HasSubstr("no function @decod; its public functions are @encode, @decode"));
  EXPECT_THAT(error({"--entry=encode"}), HasSubstr("--arg-shapes"));
  EXPECT_THAT(error({"--entry=encode,decode"}),
              HasSubstr("the size x.0 (dimension 0 of x) is not declared: add --dim=x.0:1..256"));
  EXPECT_THAT(error({"--entry=encode,decode", "--dim=batch:1..4"}),
              HasSubstr("the size x.0 (dimension 0 of x) is not declared"));
  EXPECT_THAT(error({"--entry=encode", "--dim=x.0:4..1"}), HasSubstr("'4..1' is no range"));
  const CommandResult split = RunHalyard({"compile", program, "-o", TestFolder(), "--name=coder",
                                          "--entry=encode", "--dim=x.0:1..4", "--emit=split"});
  EXPECT_EQ(split.status, 2);
  EXPECT_THAT(split.err, HasSubstr("--emit=split: several entries and variable sizes are for"));
  EXPECT_THAT(error({"--entry=decode", "--dim=x.0:1..4"}),
              HasSubstr("--dim=x.0: the program has no such size"));
  for (const std::string place : {"nosuch.7", "x.1", "code.0"}) {
    EXPECT_THAT(
        error({"--entry=encode,decode", "--dim=rows=x.0=" + place + ":1..4@4"}),
        HasSubstr("--dim=rows=" + place + ": no argument has that dimension, or it is not one"));
  }
  const std::string hlo =
      WriteTestFile("one.hlo", "HloModule one\nENTRY e {\n  ROOT x = f32[2] parameter(0)\n}\n");
  const CommandResult result = RunHalyard(
      {"compile", hlo, "-o", TestFolder(), "--name=one", "--entry=a,b", "--emit=bundle"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("--entry=a: a program in HLO has one entry"));
}

}  // namespace
}  // namespace halyard
