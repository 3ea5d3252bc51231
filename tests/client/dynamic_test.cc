// Programs with dynamic sizes on every target. They are specialized for each call, and run step by
// step where sizes depend on values.
#include <stdlib.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "client/api/client.h"
#include "client/api/dynamic_executable.h"
#include "frontend/hlo/dynamic/specialize.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/client/dynamic_programs.h"

namespace halyard {
namespace {

using hlo::ElementType;
using hlo::Literal;
using hlo::Shape;
using testing::Floats;
using ::testing::HasSubstr;
using testing::Ints32;
using testing::kAdd;
using testing::kBranch;
using testing::kLoop;
using testing::kPositive;
using testing::kShrink;
using testing::Parse;
using testing::TextOf;

class DynamicTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<Client>> client = Client::Create({.target = GetParam()});
    if (!client.ok()) GTEST_SKIP() << client.status();
    client_ = *std::move(client);
  }
  std::unique_ptr<Executable> Compile(const std::string& text, const CompileOptions& options = {}) {
    absl::StatusOr<std::unique_ptr<Executable>> executable =
        client_->Compile(*Parse(text), options);
    EXPECT_TRUE(executable.ok()) << executable.status();
    return executable.ok() ? *std::move(executable) : nullptr;
  }
  // Returns the text of the results, or the error of compiling or running.
  std::string Run(const std::string& text, const std::vector<Literal>& arguments) {
    absl::StatusOr<std::unique_ptr<Executable>> executable = client_->Compile(*Parse(text));
    if (!executable.ok()) return std::string(executable.status().message());
    return TextOf((*executable)->RunLiterals(arguments));
  }
  std::unique_ptr<Client> client_;
};

TEST_P(DynamicTest, OneExecutableTakesAllSizes) {
  std::unique_ptr<Executable> add = Compile(kAdd);
  EXPECT_EQ(add->parameter_shapes()[0].ToString(), "f32[?,2]");
  EXPECT_EQ(TextOf(add->RunLiterals({Floats({1, 2}, {1, 2}), Floats({1, 2}, {3, 4})})),
            "f32[1,2]{ {4, 6} }");
  EXPECT_EQ(TextOf(add->RunLiterals({Floats({2, 2}, {1, 2, 3, 4}), Floats({2, 2}, {1, 1, 1, 1})})),
            "f32[2,2]{ {2, 3}, {4, 5} }");
  EXPECT_EQ(TextOf(add->RunLiterals({Floats({0, 2}, {}), Floats({0, 2}, {})})).substr(0, 8),
            "f32[0,2]");
}

// The caller's function may refer to what ends with the call.
TEST_P(DynamicTest, ProgressEndsWithCompile) {
  // With an empty cache, so that the call compiles a kernel.
  std::string folder = ::testing::TempDir() + "/halyard-dynamic-XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  client_ = *Client::Create({.target = GetParam(), .cache_dir = folder});
  bool compiling = true;
  int late = 0;
  CompileOptions options;
  options.progress = [&](int, int) { late += compiling ? 0 : 1; };
  std::unique_ptr<Executable> add = Compile(kAdd, options);
  compiling = false;
  EXPECT_EQ(TextOf(add->RunLiterals({Floats({1, 2}, {1, 2}), Floats({1, 2}, {3, 4})})),
            "f32[1,2]{ {4, 6} }");
  EXPECT_EQ(late, 0);
  std::filesystem::remove_all(folder);
}

TEST_P(DynamicTest, WrongSizesAreErrorsWithTheirPlace) {
  std::unique_ptr<Executable> add = Compile(kAdd);
  const std::string differ =
      TextOf(add->RunLiterals({Floats({1, 2}, {1, 2}), Floats({2, 2}, {1, 2, 3, 4})}));
  EXPECT_THAT(differ, HasSubstr("p.mlir:2:"));
  EXPECT_THAT(differ, HasSubstr("C1"));
  EXPECT_THAT(TextOf(add->RunLiterals({Floats({1, 3}, {1, 2, 3}), Floats({1, 2}, {1, 2})})),
              HasSubstr("f32[1,3]; the program takes f32[?,2]"));
  EXPECT_THAT(TextOf(add->RunLiterals({Floats({2}, {1, 2}), Floats({1, 2}, {1, 2})})),
              HasSubstr("f32[2]; the program takes f32[?,2]"));
  EXPECT_THAT(TextOf(add->RunLiterals({Floats({1, 2}, {1, 2})})), HasSubstr("takes 2 arrays"));
}

TEST_P(DynamicTest, ArgumentShapesCanBeGivenWhenCompiling) {
  CompileOptions options;
  options.argument_shapes = {Shape::Array(ElementType::kF32, {3, 2}),
                             Shape::Array(ElementType::kF32, {3, 2})};
  std::unique_ptr<Executable> add = Compile(kAdd, options);
  EXPECT_EQ(add->parameter_shapes()[0].ToString(), "f32[3,2]");
  EXPECT_EQ(add->result_shapes()[0].ToString(), "f32[3,2]");
}

// set_dimension_size, and ops whose sizes depend on it.
constexpr char kSet[] = R"(HloModule m

add {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] add(a, b)
}
multiply {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  ROOT c = s32[] multiply(a, b)
}

ENTRY e {
  x = s32[10] parameter(0)
  n = s32[] parameter(1)
  v = s32[<=10] set-dimension-size(x, n), dimensions={0}
  zero = s32[] constant(0)
  one = s32[] constant(1)
  sum = s32[] reduce(v, zero), dimensions={0}, to_apply=add
  product = s32[] reduce(v, one), dimensions={0}, to_apply=multiply
  size = s32[] get-dimension-size(v), dimensions={0}
  ROOT r = (s32[], s32[], s32[], s32[<=10]) tuple(sum, product, size, v)
}
)";

TEST_P(DynamicTest, SetSizes) {
  std::unique_ptr<Executable> set = Compile(kSet);
  const Literal x = Ints32({10}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(TextOf(set->RunLiterals({x, Ints32({}, {5})})),
            "s32[]15 s32[]120 s32[]5 s32[5]{1, 2, 3, 4, 5}");
  EXPECT_EQ(TextOf(set->RunLiterals({x, Ints32({}, {6})})).substr(0, 17), "s32[]21 s32[]720 ");
  EXPECT_THAT(TextOf(set->RunLiterals({x, Ints32({}, {11})})),
              HasSubstr("the size 11 of dimension 0 is not in [0, 10]"));
}

// Bounded arguments.
TEST_P(DynamicTest, Bounds) {
  constexpr char kText[] = R"(HloModule m
ENTRY e {
  x = f32[<=4,2] parameter(0)
  y = f32[<=4,2] negate(x)
  ROOT s = f32[<=4,1] slice(y), slice={[0:4], [1:2]}
}
)";
  EXPECT_EQ(Run(kText, {Floats({3, 2}, {1, 2, 3, 4, 5, 6})}), "f32[3,1]{ {-2}, {-4}, {-6} }");
  EXPECT_THAT(Run(kText, {Floats({5, 2}, std::vector<double>(10, 1))}),
              HasSubstr("f32[5,2]; the program takes f32[<=4,2]"));
}

TEST_P(DynamicTest, SizesThatFollowFromValues) {
  std::unique_ptr<Executable> positive = Compile(kPositive);
  EXPECT_EQ(TextOf(positive->RunLiterals({Floats({5}, {-1, 2, 0, 4, 1})})),
            "f32[3]{4, 8, 2} s64[3]{1, 3, 4}");
  EXPECT_EQ(TextOf(positive->RunLiterals({Floats({5}, {1, -2, 0, 4, -1})})),
            "f32[2]{2, 8} s64[2]{0, 3}");
  EXPECT_EQ(TextOf(positive->RunLiterals({Floats({2}, {-1, -2})})), "f32[0]{} s64[0]{}");
}

TEST_P(DynamicTest, LoopsWhoseSizesChange) {
  std::unique_ptr<Executable> shrink = Compile(kShrink);
  EXPECT_EQ(TextOf(shrink->RunLiterals({Ints32({9}, {1, 2, 3, 4, 5, 6, 7, 8, 9})})),
            "s32[4]{-1, -2, -3, -4} s32[]1");
  EXPECT_EQ(TextOf(shrink->RunLiterals({Ints32({4}, {9, 9, 9, 9})})), "s32[1]{-9} s32[]2");
  EXPECT_EQ(TextOf(shrink->RunLiterals({Ints32({1}, {3})})), "s32[1]{-3} s32[]0");
}

TEST_P(DynamicTest, LoopsOfFixedSizes) {
  EXPECT_EQ(Run(kLoop, {Floats({3}, {5, 5, 5}), Ints32({}, {4})}), "f32[3]{5, 9, 13}");
  const std::unique_ptr<hlo::Module> module = Parse(kLoop);
  EXPECT_TRUE(hlo::SpecializeForShapes(
                  *module, {Shape::Array(ElementType::kF32, {3}), Shape::Scalar(ElementType::kS32)})
                  .ok());
}

TEST_P(DynamicTest, BranchesOfDifferentSizes) {
  std::unique_ptr<Executable> branch = Compile(kBranch);
  const Literal yes = Literal::FromValues<int64_t>(ElementType::kPred, {}, std::vector<int64_t>{1});
  const Literal no = Literal::FromValues<int64_t>(ElementType::kPred, {}, std::vector<int64_t>{0});
  EXPECT_EQ(TextOf(branch->RunLiterals({yes, Floats({2}, {1, 2})})), "f32[4]{2, 4, 2, 4}");
  EXPECT_EQ(TextOf(branch->RunLiterals({no, Floats({2}, {1, 2})})), "f32[2]{-2, -4}");
}

// Shape operands that contradict the types.
TEST_P(DynamicTest, ShapeOperandsAgainstTypes) {
  constexpr char kIota[] = R"(func.func @main(%s: tensor<2xi32>) -> tensor<3x4xi64> {
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi32>) -> tensor<3x4xi64>
  return %0 : tensor<3x4xi64>
})";
  EXPECT_EQ(Run(kIota, {Ints32({2}, {3, 4})}),
            "s64[3,4]{ {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3} }");
  const std::string error = Run(kIota, {Ints32({2}, {4, 3})});
  EXPECT_THAT(error, HasSubstr("p.mlir:2:"));
  EXPECT_THAT(error, HasSubstr("{4,3}"));
  EXPECT_THAT(error, HasSubstr("s64[3,4]"));
  constexpr char kFill[] = R"(func.func @main(%s: tensor<2xi64>) -> tensor<?x?xf32> {
  %z = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.dynamic_broadcast_in_dim %z, %s, dims = [] : (tensor<f32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
})";
  auto longs = [](std::vector<int64_t> values) {
    return Literal::FromValues<int64_t>(ElementType::kS64, {2}, values);
  };
  EXPECT_EQ(Run(kFill, {longs({1, 2})}), "f32[1,2]{ {1, 1} }");
  EXPECT_THAT(Run(kFill, {longs({-1, 2})}), HasSubstr("has a negative size"));
  EXPECT_THAT(Run(kFill, {longs({INT64_MAX, 2})}), HasSubstr("does not fit 64 bits"));
}

// An assertion may depend on values that are not sizes.
TEST_P(DynamicTest, AssertionsOnValues) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<?xf32>, %y: tensor<f32>) -> tensor<?xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %ok = stablehlo.compare GE, %y, %z : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %y) {error_message = "y is {0}", has_side_effect = true} : (tensor<i1>, tensor<f32>) -> ()
  return %x : tensor<?xf32>
})";
  EXPECT_EQ(Run(kText, {Floats({2}, {1, 2}), Floats({}, {3})}), "f32[2]{1, 2}");
  const std::string error = Run(kText, {Floats({2}, {1, 2}), Floats({}, {-3})});
  EXPECT_THAT(error, HasSubstr("p.mlir:4:"));
  EXPECT_THAT(error, HasSubstr("y is -3"));
}

TEST_P(DynamicTest, StaticTypesWithConstantShapesAreCompiledAtOnce) {
  constexpr char kText[] = R"(func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %s = stablehlo.constant dense<[3, 2]> : tensor<2xi64>
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
})";
  EXPECT_EQ(Run(kText, {Floats({2, 3}, {1, 2, 3, 4, 5, 6})}), "f32[3,2]{ {1, 2}, {3, 4}, {5, 6} }");
}

// Custom calls that JAX exports where StableHLO has no op for symbolic sizes.
TEST_P(DynamicTest, CallsWhoseSizesAreOperands) {
  constexpr char kTopK[] = R"(func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xi32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %i = stablehlo.dynamic_iota %n1, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %none = stablehlo.constant dense<-1> : tensor<i32>
  %k = stablehlo.add %n, %none : tensor<i32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_approx_top_k(%x, %i, %least, %none, %k) {called_computations = [@gt], mhlo.backend_config = {reduction_dim = 0 : i64}} : (tensor<?xf32>, tensor<?xi32>, tensor<f32>, tensor<i32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  return %r#0, %r#1 : tensor<?xf32>, tensor<?xi32>
}
func.func private @gt(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<i32>, %d: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %0 : tensor<i1>
})";
  EXPECT_EQ(Run(kTopK, {Floats({3}, {2, 9, 4})}), "f32[2]{9, 4} s32[2]{1, 2}");
  EXPECT_EQ(Run(kTopK, {Floats({4}, {-1, -1, -2, 0})}), "f32[3]{0, -1, -1} s32[3]{3, 0, 1}");
  EXPECT_THAT(Run(kTopK, {Floats({0}, {})}), HasSubstr("p.mlir:8:"));

  constexpr char kBits[] = R"(func.func @main(%x: tensor<?xf32>) -> tensor<?xui32> {
  %key = stablehlo.constant dense<[42, 43]> : tensor<2xui64>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %r:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%key, %n1) {rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<1xi32>) -> (tensor<2xui64>, tensor<?xui32>)
  return %r#1 : tensor<?xui32>
})";
  constexpr char kFixed[] = R"(func.func @main() -> tensor<5xui32> {
  %key = stablehlo.constant dense<[42, 43]> : tensor<2xui64>
  %s, %r = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui32>)
  return %r : tensor<5xui32>
})";
  const std::string want = Run(kFixed, {});
  EXPECT_THAT(want, HasSubstr("u32[5]{"));
  EXPECT_EQ(Run(kBits, {Floats({5}, {0, 0, 0, 0, 0})}), want);
}

TEST_P(DynamicTest, ManyThreadsAndSizes) {
  std::unique_ptr<Executable> add = Compile(kAdd);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 6; ++i) {
        const int64_t n = 1 + (i + t) % 3;
        const Literal x = Floats({n, 2}, std::vector<double>(2 * n, t + 1));
        absl::StatusOr<std::vector<Literal>> sum = add->RunLiterals({x, x});
        const Literal want = Floats({n, 2}, std::vector<double>(2 * n, 2 * (t + 1)));
        if (!sum.ok() || !(*sum)[0].BitwiseEqual(want)) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, DynamicTest, ::testing::Values("reference", "x86", "vulkan"));

}  // namespace
}  // namespace halyard
