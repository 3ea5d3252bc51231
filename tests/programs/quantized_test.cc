// Every op that takes quantized operands, compiled and run, against the evaluator: the same stored
// integers, or, where an op is inexact, integers that differ by 1. Products of quantized factors
// are computed with integers, the evaluator's with floats: they too may differ by 1. Then random
// chains of elementwise ops.
#include "frontend/hlo/values/quantized.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/asked_count.h"
#include "tests/programs/quantized_programs.h"

namespace halyard {
namespace {

TEST(Quantized, PerAxis) {
  const std::string a = Tensor("4x3", Q("i8:f32:1, {0.1:-30,0.5:-20,0.2}"));
  const std::string b = Tensor("4x3", Q("i8:f32, 0.3:5"));
  const std::string c = Tensor("4x3", Q("i8:f32:1, {0.2:3,0.4,0.8:-1}"));
  const std::vector<Case> cases = {
      Op("add", {a, b}, c),
      Op("add", {a, c}, a),
      Op("uniform_quantize", {"tensor<4x3xf32>"}, a),
      Op("uniform_quantize", {a}, b),
      Op("uniform_quantize", {a}, c),
      Op("uniform_dequantize", {a}, "tensor<4x3xf32>"),
      Op("transpose", {a}, Tensor("3x4", Q("i8:f32:0, {0.1:-30,0.5:-20,0.2}")), 0,
         "{permutation = array<i64: 1, 0>}"),
      Op("reshape", {a}, Tensor("2x2x3x1", Q("i8:f32:2, {0.1:-30,0.5:-20,0.2}"))),
      Op("broadcast_in_dim", {a}, Tensor("3x2x4", Q("i8:f32:0, {0.1:-30,0.5:-20,0.2}")), 0,
         "{broadcast_dimensions = array<i64: 2, 0>}"),
      Op("broadcast_in_dim", {Tensor("1x3", Q("i8:f32:0, {0.5:3}"))},
         Tensor("2x3", Q("i8:f32:0, {0.5:3,0.5:3}")), 0,
         "{broadcast_dimensions = array<i64: 0, 1>}"),
      Op("bitcast_convert", {a}, "tensor<4x3xi8>"),
      {{}, a, "  %r = stablehlo.constant() <{value = dense<7> : tensor<4x3xi8>}> : () -> " + a},
  };
  for (const char* target : kTargets) Check(target, cases, 5);
}

// Scales that are almost those of the factors: f32 cannot tell them apart, f64 can.
TEST(Quantized, ProductsOfNearlyTheirScale) {
  const std::string factor = Tensor("1x50000", Q("i8:f64, 1.0"));
  std::vector<Case> cases;
  for (const char* scale : {"1.0", "1.0000001", "0.9999999"}) {
    const std::string out = Tensor("1x1", absl::StrCat("!quant.uniform<i32:f64, ", scale, ">"));
    cases.push_back({{factor},
                     out,
                     absl::StrCat("  %r = stablehlo.dot_general %0, %0, contracting_dims = [1] x "
                                  "[1] : (",
                                  factor, ", ", factor, ") -> ", out),
                     1});
  }
  for (const char* target : kTargets) Check(target, cases, 6);
}

TEST(Quantized, Normalization) {
  const std::string in = Tensor("6x3", Q("i8:f32, 0.1:3")),
                    feature = Tensor("3", Q("i8:f32, 0.05"));
  const std::string out = Tensor("6x3", Q("i8:f32, 0.04:-2"));
  const std::string attrs = "{epsilon = 40.0 : f32, feature_index = 1 : i64}";
  std::vector<Case> cases = {
      Op("batch_norm_inference", {in, feature, feature, feature, feature}, out, 1, attrs),
  };
  const std::string types = absl::StrCat(out, ", ", feature, ", ", feature);
  cases.push_back(
      {{in, feature, feature},
       out,
       absl::StrCat("  %r, %s, %t = \"stablehlo.batch_norm_training\"(%0, %1, %2) ", attrs, " : (",
                    in, ", ", feature, ", ", feature, ") -> (", types, ")"),
       1});
  cases.push_back({{in, feature, feature, feature, in},
                   out,
                   absl::StrCat("  %r, %s, %t = \"stablehlo.batch_norm_grad\"(%0, %1, %2, %3, %4) ",
                                attrs, " : (", in, ", ", feature, ", ", feature, ", ", feature,
                                ", ", in, ") -> (", types, ")"),
                   1});
  const std::string matrix = Tensor("3x3", Q("i8:f32, 0.1"));
  cases.push_back(Op("triangular_solve", {matrix, matrix}, matrix, 1,
                     "{left_side = true, lower = true, unit_diagonal = true, transpose_a = "
                     "#stablehlo<transpose NO_TRANSPOSE>}"));
  for (const char* target : kTargets) Check(target, cases, 4);
}

TEST(Quantized, CommunicationOfOneProcessAndCholesky) {
  const std::string q = Q("i8:f32, 0.125:3"), in = Tensor("4x6", q);
  const std::string groups = "replica_groups = dense<0> : tensor<1x1xi64>";
  std::vector<Case> cases = {
      Op("all_gather", {in}, in, 0, absl::StrCat("{all_gather_dim = 0 : i64, ", groups, "}")),
      Op("all_to_all", {in}, in, 0,
         absl::StrCat("{split_dimension = 0 : i64, concat_dimension = 0 : i64, split_count = 1 : "
                      "i64, ",
                      groups, "}")),
      Op("collective_broadcast", {in}, in, 0, absl::StrCat("{", groups, "}")),
  };
  const std::string matrix = Tensor("3x3", Q("i8:f32, 0.1"));
  cases.push_back({{},
                   matrix,
                   absl::StrCat("  %c = stablehlo.constant() <{value = dense<[[100, 10, 5], [10, "
                                "90, 7], [5, 7, 110]]> : tensor<3x3xi8>}> : () -> ",
                                matrix, "\n  %r = stablehlo.cholesky %c, lower = true : ", matrix),
                   1});
  for (const char* target : kTargets) Check(target, cases, 4);
}

// These sizes are only known at run time.
TEST(Quantized, DynamicSizes) {
  const std::string axes = ":1, {0.02,0.01,0.03,0.04,0.05}>";
  const std::string text =
      absl::StrReplaceAll(R"(
func.func @main(%x: tensor<?x8xQA>, %y: tensor<8x5xQB>, %z: tensor<1x5xQB>, %w: tensor<?x5xf32>)
    -> (tensor<?x5xQA>, tensor<?x5xQB>, tensor<?x5xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x8xQA>) -> tensor<i32>
  %m = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %five = stablehlo.constant dense<5> : tensor<1xi32>
  %s = stablehlo.concatenate %m, %five, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0]
      : (tensor<?x8xQA>, tensor<8x5xQB>) -> tensor<?x5xQA>
  %1 = "stablehlo.dynamic_broadcast_in_dim"(%z, %s) {broadcast_dimensions = array<i64: 0, 1>}
      : (tensor<1x5xQB>, tensor<2xi32>) -> tensor<?x5xQB>
  %q = stablehlo.uniform_quantize %w : (tensor<?x5xf32>) -> tensor<?x5xQB>
  %2 = stablehlo.add %1, %q : tensor<?x5xQB>
  %3 = stablehlo.uniform_dequantize %2 : (tensor<?x5xQB>) -> tensor<?x5xf32>
  %4 = "stablehlo.dynamic_reshape"(%2, %s) : (tensor<?x5xQB>, tensor<2xi32>) -> tensor<?x5xQB>
  return %0, %4, %3 : tensor<?x5xQA>, tensor<?x5xQB>, tensor<?x5xf32>
})",
                          {{"QA", Q("i8:f32, 0.1:3")}, {"QB", "!quant.uniform<i8:f32" + axes}});
  auto module = stablehlo::ParseStableHlo(text, "test.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  std::mt19937_64 random(3);
  std::vector<Literal> arguments;
  for (const hlo::Instruction* parameter : (*module)->entry()->parameters()) {
    std::vector<int64_t> dims = parameter->shape.dims();
    if (dims[0] == Shape::kUnbounded) dims[0] = 3;
    Shape type = parameter->shape.WithDims(dims);
    arguments.push_back(RandomLiteral(type, &random));
  }
  auto want = hlo::Evaluator().Run(**module, arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  for (const char* target : kTargets) {
    ClientOptions options;
    options.target = target;
    options.use_cache = false;
    auto client = Client::Create(options);
    if (!client.ok()) GTEST_SKIP() << client.status();
    auto executable = (*client)->Compile(**module);
    ASSERT_TRUE(executable.ok()) << executable.status();
    auto got = (*executable)->RunLiterals(arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(Differs((*got)[i], want->elements()[i], i == 0 ? 1 : 0), "") << target << " " << i;
    }
  }
}

TEST(Quantized, ControlFlow) {
  const std::string q = Q("i8:f32, 0.125:3"), in = Tensor("5", q);
  const std::string body = absl::StrReplaceAll(R"(  %r = "stablehlo.if"(%0) ({
    %d = stablehlo.add %1, %2 : TYPE
    stablehlo.return %d : TYPE
  }, {
    %e = stablehlo.constant() <{value = dense<[1, 2, 3, 4, -5]> : tensor<5xi8>}> : () -> TYPE
    stablehlo.return %e : TYPE
  }) : (tensor<i1>) -> TYPE)",
                                               {{"TYPE", in}});
  const std::string loop = absl::StrReplaceAll(R"(  %n = stablehlo.constant dense<4> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %l:2 = stablehlo.while(%i = %zero, %x = %0) : tensor<i32>, TYPE
    cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.add %x, %1 : TYPE
      stablehlo.return %j, %y : tensor<i32>, TYPE
    }
  %r = stablehlo.abs %l#1 : TYPE)",
                                               {{"TYPE", in}});
  const std::vector<Case> cases = {{{"tensor<i1>", in, in}, in, body}, {{in, in}, in, loop}};
  for (const char* target : kTargets) Check(target, cases, 4);
}

// Makes a chain of elementwise ops whose intermediate results have random types.
Case Chain(uint64_t seed) {
  std::mt19937_64 random(seed);
  auto pick = [&](const std::vector<std::string>& list) { return list[random() % list.size()]; };
  const std::string storage = pick({"i8", "u8", "i8<-127:127>", "i4", "i16", "u16"});
  auto type = [&] {
    return Tensor("3x17",
                  Q(absl::StrCat(storage, ":f32, ", pick({"0.5", "0.1", "0.0371", "1.25", "3.0"}),
                                 ":", pick({"0", "1", "3", "7"}))));
  };
  std::vector<std::string> names = {"%0", "%1"}, types = {type(), type()};
  Case result{types, "", "", 0};
  const int length = 3 + static_cast<int>(random() % 6);
  for (int i = 0; i < length; ++i) {
    const size_t a = names.size() - 1 - random() % 2, b = random() % names.size();
    const std::string name = i + 1 == length ? "%r" : absl::StrCat("%v", i), to = type();
    if (random() % 3 == 0) {
      absl::StrAppend(&result.body, "  ", name, " = \"stablehlo.",
                      pick({"abs", "negate", "sign", "ceil", "floor", "uniform_quantize"}), "\"(",
                      names[a], ") : (", types[a], ") -> ", to, "\n");
    } else {
      absl::StrAppend(&result.body, "  ", name, " = \"stablehlo.",
                      pick({"add", "subtract", "multiply", "maximum", "minimum", "divide"}), "\"(",
                      names[a], ", ", names[b], ") : (", types[a], ", ", types[b], ") -> ", to,
                      "\n");
    }
    names.push_back(name);
    types.push_back(to);
  }
  result.result = types.back();
  return result;
}

TEST(Quantized, RandomChains) {
  const int count = (testing::AskedCount("HALYARD_RANDOM_PROGRAMS", 10) + 9) / 10;
  uint64_t first = 1;
  if (const char* asked = getenv("HALYARD_RANDOM_SEED")) first = strtoull(asked, nullptr, 10);
  for (const char* target : kTargets) {
    for (int i = 0; i < count; ++i) {
      std::vector<Case> cases;
      for (uint64_t j = 0; j < 10; ++j) cases.push_back(Chain(first + 10 * i + j));
      Check(target, cases, first + i);
    }
  }
}

}  // namespace
}  // namespace halyard
