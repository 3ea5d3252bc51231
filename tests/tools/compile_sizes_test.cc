// Tests ahead-of-time programs whose sizes are chosen when they run, and libraries with several
// entries: applications link them by themselves, without a compiler, and get what the evaluator
// computes for each size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "runtime/c_api/halyard_rt.h"
#include "tests/tools/run_command.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using ::testing::AllOf;
using testing::CommandResult;
using ::testing::HasSubstr;
using testing::ReadTestFile;
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

// Runs sizes LOW to HIGH, and writes the results of all of them. Each array is a block of its own.
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
  const int low = atoi(argv[2]), high = atoi(argv[3]);
  int n, i;
  hy_status status = net_create(1, &model);
  for (n = low; n <= high && status == NULL; n++) {
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
  return argc == 4 ? 0 : 1;
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
      RunProgram({"gcc", "-std=c99", "-D_POSIX_C_SOURCE=200112L", "-Wall", "-Wextra", "-Werror",
                  "-I" + folder, WriteTestFile(name + "_app.c", app), folder + "/lib" + name + ".a",
                  "-lm", "-lpthread", "-o", binary});
  EXPECT_EQ(built.status, 0) << built.err;
  return binary;
}

bool HasVulkan() { return RunHalyard({"devices"}).out.find("vulkan") != std::string::npos; }

class Net : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    std::string targets = "--target=x86:v3,cuda:sm_80";
    if (HasVulkan()) targets += ",vulkan";
    app_ = new std::string(Build("net", kNet, kNetApp, {targets, "--dim=batch=x.0:1..257@32,257"}));
  }
  static void TearDownTestSuite() { delete app_; }

  // Runs sizes from `low` to `high` and compares them with the evaluator.
  static void Compare(int low, int high, const std::string& target,
                      std::vector<std::string> variables) {
    const std::string file = TestFolder() + "/results.bin";
    // There is no compiler: the application finds no commands.
    std::vector<std::string> command = {"env", "-i", "HALYARD_TARGET=" + target};
    command.insert(command.end(), variables.begin(), variables.end());
    command.insert(command.end(), {*app_, file, std::to_string(low), std::to_string(high)});
    const CommandResult run = RunProgram(command);
    ASSERT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, ::testing::StartsWith(target));
    const std::string bytes = ReadTestFile(file);
    const std::unique_ptr<hlo::Module> module = Parsed(kNet);
    size_t at = 0;
    for (int64_t n = low; n <= high; ++n) {
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

TEST_F(Net, EverySizeOnX86) { Compare(1, 257, "x86:v3", {}); }

TEST_F(Net, EverySizeOnVulkan) {
  if (!HasVulkan()) GTEST_SKIP() << "no Vulkan device";
  Compare(1, 257, "vulkan", {});
}

// The fake driver interprets PTX.
TEST_F(Net, SizesOnCuda) {
  Compare(1, 3, "cuda:sm_80",
          {std::string("HALYARD_LIBCUDA=") + HALYARD_FAKE_LIBCUDA, "HALYARD_FAKE_CUDA=interpret"});
}

TEST_F(Net, WrongSizesAreErrors) {
  const std::string file = TestFolder() + "/results.bin";
  EXPECT_THAT(RunProgram({"env", "HALYARD_TARGET=x86", *app_, file, "0", "0"}).out,
              HasSubstr("error 3: net: batch is 0; it is in 1..257"));
  EXPECT_THAT(RunProgram({"env", "HALYARD_TARGET=x86", *app_, file, "258", "258"}).out,
              HasSubstr("error 3: net: batch is 258; it is in 1..257"));
}

// A bundle, and what its functions say.
class SizedBundle : public ::testing::Test {
 protected:
  static std::string Compile(const std::string& name, const std::string& program,
                             std::vector<std::string> options) {
    const std::string folder = TestFolder() + "/" + name;
    std::vector<std::string> command = {"compile",
                                        WriteTestFile(name + ".mlir", program),
                                        "--emit=bundle",
                                        "--target=x86:v3",
                                        "-o",
                                        folder,
                                        "--name=" + name};
    command.insert(command.end(), options.begin(), options.end());
    const CommandResult compiled = RunHalyard(command);
    EXPECT_EQ(compiled.status, 0) << compiled.err;
    return folder + "/" + name + ".hybundle";
  }
  static hy_program* Open(const std::string& path) {
    hy_choose_options options = {};
    options.struct_size = sizeof(options);
    options.threads = 1;
    hy_program* program = nullptr;
    const hy_status status = hy_program_choose_file(path.c_str(), &options, &program);
    EXPECT_EQ(status, nullptr) << hy_status_message(status);
    hy_status_free(status);
    return program;
  }
  static std::string Text(hy_status status) {
    const std::string text =
        status == nullptr ? ""
                          : absl::StrCat(hy_status_code(status), ": ", hy_status_message(status));
    hy_status_free(status);
    return text;
  }
};

constexpr char kHalf[] = R"(func.func @main(%x: tensor<?x3x?xf32>) -> tensor<?x3x?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reverse %x, dims = [2] : tensor<?x3x?xf32>
  %w = "stablehlo.reduce_window"(%r, %z) <{window_dimensions = array<i64: 1, 1, 2>, window_strides = array<i64: 1, 1, 2>, padding = dense<[[0, 0], [0, 0], [0, 1]]> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<?x3x?xf32>, tensor<f32>) -> tensor<?x3x?xf32>
  return %w : tensor<?x3x?xf32>
})";

// Two sizes, of which one is an inner dimension: rows are copied. The result's size is no linear
// function.
TEST_F(SizedBundle, TwoSizes) {
  hy_program* program = Open(Compile("half", kHalf, {"--dim=rows=x.0:1..3@3", "--dim=x.2:2..6@6"}));
  ASSERT_NE(program, nullptr);
  ASSERT_EQ(hy_program_num_sizes(program), 2);
  hy_size size;
  ASSERT_EQ(Text(hy_program_size(program, 0, &size)), "");
  EXPECT_STREQ(size.name, "rows");
  EXPECT_EQ(size.most, 3);
  ASSERT_EQ(Text(hy_program_size(program, 1, &size)), "");
  EXPECT_STREQ(size.name, "x.2");
  EXPECT_EQ(size.least, 2);
  EXPECT_EQ(size.listed, nullptr);
  EXPECT_EQ(hy_program_num_arguments(program), 1);
  const std::unique_ptr<hlo::Module> module = Parsed(kHalf);
  std::mt19937 random(1);
  for (const auto& [rows, length] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 2}, {2, 3}, {3, 6}, {3, 5}, {2, 6}, {1, 4}}) {
    Literal x(hlo::Shape::Array(ElementType::kF32, {rows, 3, length}));
    for (int64_t i = 0; i < rows * 3 * length; ++i) x.SetFloat(i, random() % 16);
    hlo::Evaluator evaluator;
    absl::StatusOr<Literal> want = evaluator.Run(*module, {x});
    ASSERT_TRUE(want.ok()) << want.status();
    const int64_t sizes[] = {rows, length};
    int64_t dims[3];
    ASSERT_EQ(Text(hy_program_result_dims(program, 0, sizes, dims)), "");
    EXPECT_EQ(dims[2], (length + 1) / 2);
    Literal got(want->shape());
    const void* arguments[] = {x.bytes().data()};
    void* results[] = {got.mutable_bytes().data()};
    ASSERT_EQ(Text(hy_run_sized(program, nullptr, sizes, arguments, results)), "");
    EXPECT_TRUE(got.BitwiseEqual(*want)) << got.ToString() << want->ToString();
  }
  const int64_t wrong[] = {1, 7};
  EXPECT_THAT(Text(hy_run_sized(program, nullptr, wrong, nullptr, nullptr)),
              HasSubstr("hy_run_sized: arguments is NULL"));
  int64_t dims[3];
  EXPECT_THAT(Text(hy_program_argument_dims(program, 0, wrong, dims)),
              HasSubstr("x.2 is 7; it is in 2..6"));
  const void* arguments[] = {&dims};
  void* results[] = {&dims};
  EXPECT_THAT(Text(hy_run(program, arguments, results)), HasSubstr("use hy_run_sized"));
  const int64_t fits[] = {1, 2};
  EXPECT_THAT(Text(hy_run_sized(program, nullptr, fits, arguments, results)), HasSubstr("overlap"));
  hy_program_free(program);
}

// Buffers have the sizes of the run, too.
TEST_F(SizedBundle, Buffers) {
  constexpr char kScale[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
})";
  hy_program* program = Open(Compile("scale", kScale, {"--dim=x.0:2..8@4,8"}));
  ASSERT_NE(program, nullptr);
  hy_device* device = hy_program_device(program);
  for (const int64_t n : {2, 4, 7}) {
    std::vector<float> x(n), y(n);
    for (int64_t i = 0; i < n; ++i) x[i] = static_cast<float>(i + n);
    hy_buffer *given = nullptr, *made = nullptr, *again = nullptr;
    ASSERT_EQ(Text(hy_buffer_from_host(device, x.data(), 4 * n, &given)), "");
    ASSERT_EQ(Text(hy_run_buffers_sized(program, nullptr, &n, &given, &made)), "");
    ASSERT_EQ(Text(hy_buffer_new(device, 4 * n, &again)), "");
    hy_buffer* const kept = again;
    ASSERT_EQ(Text(hy_run_buffers_sized(program, nullptr, &n, &made, &again)), "");
    EXPECT_EQ(again, kept);
    ASSERT_EQ(Text(hy_buffer_to_host(again, y.data(), 4 * n)), "");
    for (int64_t i = 0; i < n; ++i) EXPECT_EQ(y[i], 4 * x[i]);
    const int64_t other = n + 1;
    EXPECT_THAT(Text(hy_run_buffers_sized(program, nullptr, &other, &given, &again)),
                HasSubstr("is no buffer of"));
    EXPECT_THAT(Text(hy_run_buffers(program, &given, nullptr, &again)),
                HasSubstr("use hy_run_buffers_sized"));
    for (hy_buffer* buffer : {given, made, again}) hy_buffer_free(buffer);
  }
  hy_program_free(program);
}

// Only the listed sizes are served. There is a program for each, so every op will do.
TEST_F(SizedBundle, ListedSizes) {
  constexpr char kRoot[] = R"(func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = "stablehlo.cholesky"(%x) <{lower = true}> : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})";
  hy_program* program = Open(Compile("root", kRoot, {"--dim=n=x.0=x.1:1,2"}));
  ASSERT_NE(program, nullptr);
  hy_size size;
  ASSERT_EQ(Text(hy_program_size(program, 0, &size)), "");
  ASSERT_EQ(size.num_listed, 2);
  EXPECT_EQ(size.listed[1], 2);
  const float x[] = {4, 2, 2, 5};
  float y[4];
  const void* arguments[] = {x};
  void* results[] = {y};
  int64_t n = 2;
  ASSERT_EQ(Text(hy_run_sized(program, nullptr, &n, arguments, results)), "");
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(y[3], 2);
  n = 3;
  EXPECT_THAT(Text(hy_run_sized(program, nullptr, &n, arguments, results)),
              HasSubstr("n is 3; it is one of 1, 2"));
  hy_program_free(program);
  const CommandResult refused =
      RunHalyard({"compile", WriteTestFile("root.mlir", kRoot), "--emit=bundle", "-o", TestFolder(),
                  "--name=root", "--dim=n=x.0=x.1:1..4"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("root.mlir:2:"), HasSubstr("cholesky"),
                                 HasSubstr("a list, as in --dim=n:1,4, has a program for each")));
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
  EXPECT_THAT(error({"--entry=encode", "--dim=x.0:1..4", "--emit=split"}),
              HasSubstr("--emit=split: several entries and variable sizes are for"));
  EXPECT_THAT(error({"--entry=decode", "--dim=x.0:1..4"}),
              HasSubstr("--dim=x.0: the program has no such size"));
  const std::string hlo =
      WriteTestFile("one.hlo", "HloModule one\nENTRY e {\n  ROOT x = f32[2] parameter(0)\n}\n");
  const CommandResult result = RunHalyard(
      {"compile", hlo, "-o", TestFolder(), "--name=one", "--entry=a,b", "--emit=bundle"});
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, HasSubstr("--entry=a: a program in HLO has one entry"));
}

// Programs that JAX exports with symbolic shapes name their sizes.
TEST_F(SizedBundle, NamesOfJax) {
  const std::string program =
      ReadTestFile(std::string(HALYARD_SOURCE_DIR) + "/tests/data/fixtures/dynamic/top_rows.mlir");
  hy_program* opened = Open(Compile("top", program, {"--dim=n:2..5@5", "--dim=k:1..3@3"}));
  ASSERT_NE(opened, nullptr);
  hy_size size;
  ASSERT_EQ(Text(hy_program_size(opened, 0, &size)), "");
  EXPECT_STREQ(size.name, "n");
  const std::unique_ptr<hlo::Module> module = Parsed(program);
  std::mt19937 random(2);
  for (const auto& [n, k] : std::vector<std::pair<int64_t, int64_t>>{{2, 1}, {4, 2}, {5, 3}}) {
    Literal x(hlo::Shape::Array(ElementType::kF32, {n, 4}));
    for (int64_t i = 0; i < n * 4; ++i) x.SetFloat(i, static_cast<double>(random() % 64) - 32);
    Literal ids(hlo::Shape::Array(ElementType::kS32, {k}));
    for (int64_t i = 0; i < k; ++i) ids.SetInt(i, static_cast<int64_t>(random() % n));
    hlo::Evaluator evaluator;
    absl::StatusOr<Literal> want = evaluator.Run(*module, {x, ids});
    ASSERT_TRUE(want.ok()) << want.status();
    std::vector<Literal> got;
    std::vector<void*> results;
    for (const Literal& result : want->elements()) got.emplace_back(result.shape());
    for (Literal& result : got) results.push_back(result.mutable_bytes().data());
    const void* arguments[] = {x.bytes().data(), ids.bytes().data()};
    const int64_t sizes[] = {n, k};
    ASSERT_EQ(Text(hy_run_sized(opened, nullptr, sizes, arguments, results.data())), "");
    for (size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(got[i].BitwiseEqual(want->elements()[i])) << i << got[i].ToString();
  }
  hy_program_free(opened);
}

// Checksums cover the tables, so damage is an error or changes nothing that is looked at.
TEST_F(SizedBundle, DamagedIsAnErrorOrRuns) {
  const std::string bytes =
      ReadTestFile(Compile("half", kHalf, {"--dim=rows=x.0:1..3@3", "--dim=x.2:2..6@6"}));
  std::mt19937 random(7);
  int errors = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    changed[random() % (random() % 2 == 0 ? bytes.size() : 2048)] = static_cast<char>(random());
    if (i % 3 == 0) changed.resize(random() % bytes.size());
    hy_program* program = nullptr;
    const hy_status status =
        hy_program_choose_file(WriteTestFile("try.hybundle", changed).c_str(), nullptr, &program);
    errors += status != nullptr ? 1 : 0;
    EXPECT_EQ(status == nullptr, program != nullptr);
    hy_status_free(status);
    hy_program_free(program);
  }
  EXPECT_GT(errors, 100);
}

}  // namespace
}  // namespace halyard
