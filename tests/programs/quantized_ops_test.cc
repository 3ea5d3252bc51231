#include <gtest/gtest.h>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "client/api/program_compiler.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo/values/quantized.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/programs/quantized_programs.h"

namespace halyard {
namespace {

std::vector<Case> Elementwise(const std::string& storage, const std::string& expressed) {
  const std::string in = Tensor("37", Q(absl::StrCat(storage, ":", expressed, ", 0.125:3")));
  const std::string other = Tensor("37", Q(absl::StrCat(storage, ":", expressed, ", 0.25:1")));
  const std::string out = Tensor("37", Q(absl::StrCat(storage, ":", expressed, ", 0.1:2")));
  const std::string pred = Tensor("37", "i1");
  std::vector<Case> cases;
  for (const char* op :
       {"abs", "negate", "sign", "ceil", "floor", "round_nearest_afz", "round_nearest_even"}) {
    cases.push_back(Op(op, {in}, out));
  }
  for (const char* op : {"exponential", "exponential_minus_one", "log", "log_plus_one", "logistic",
                         "tanh", "sqrt", "rsqrt", "cbrt", "sine", "cosine", "tan"}) {
    cases.push_back(Op(op, {in}, out, 1));
  }
  for (const char* op :
       {"add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum"}) {
    cases.push_back(Op(op, {in, other}, out));
  }
  for (const char* op : {"power", "atan2"}) cases.push_back(Op(op, {in, other}, out, 1));
  for (const char* op : {"maximum", "minimum"}) cases.push_back(Op(op, {in, in}, in));
  for (const std::string& rhs : {in, other}) {
    for (const char* direction : {"EQ", "GE", "LT"}) {
      cases.push_back(Op("compare", {in, rhs}, pred, 0,
                         absl::StrCat("{comparison_direction = #stablehlo<comparison_direction ",
                                      direction, ">}")));
    }
    cases.push_back(Op("select", {pred, in, rhs}, rhs == in ? in : out));
    cases.push_back(Op("clamp", {in, rhs, in}, rhs));
  }
  cases.push_back(Op("is_finite", {in}, pred));
  cases.push_back(
      Op("reduce_precision", {in}, out, 0, "{exponent_bits = 5 : i32, mantissa_bits = 2 : i32}"));
  cases.push_back(Op("uniform_quantize", {Tensor("37", expressed)}, out));
  cases.push_back(Op("uniform_quantize", {in}, out));
  cases.push_back(Op("uniform_dequantize", {in}, Tensor("37", expressed)));
  cases.push_back(Op("iota", {}, out, 0, "{iota_dimension = 0 : i64}"));
  return cases;
}

TEST(Quantized, ElementwiseOps) {
  for (const char* target : kTargets) Check(target, Elementwise("i8", "f32"), 1);
}

// Returns ops whose results are exact for every type.
std::vector<Case> Exact(const std::string& storage, const std::string& expressed) {
  std::vector<Case> few;
  for (const Case& c : Elementwise(storage, expressed)) {
    for (const char* op : {"divide", "maximum", "uniform", "compare"}) {
      if (absl::StrContains(c.body, absl::StrCat("stablehlo.", op))) few.push_back(c);
    }
  }
  // Zero points must be in the range of i2, which is -2 to 1.
  if (storage != "i2") return few;
  for (Case& c : few) {
    for (std::string* text : {&c.body, &c.result}) {
      *text = absl::StrReplaceAll(*text, {{":3>", ">"}, {":2>", ">"}});
    }
    for (std::string& a : c.arguments) a = absl::StrReplaceAll(a, {{":3>", ">"}});
  }
  return few;
}

TEST(Quantized, StorageTypes) {
  std::vector<Case> cases;
  for (const char* storage : {"i2", "u4", "i8<-127:127>", "u8", "i16", "u32"}) {
    for (const Case& c : Exact(storage, "f32")) cases.push_back(c);
  }
  for (const char* target : kTargets) Check(target, cases, 2);
}

TEST(Quantized, ExpressedTypes) {
  std::vector<Case> cases;
  for (const char* expressed : {"f16", "bf16", "f64"}) {
    for (const Case& c : Exact("i8", expressed)) cases.push_back(c);
  }
  for (const char* target : kTargets) Check(target, cases, 3);
}

// Returns a region of one op on two scalars.
std::string Body(const std::string& op, const std::string& type, const std::string& result,
                 const std::string& attributes = "") {
  const std::string scalar = Tensor("", type);
  return absl::StrCat("{ ^bb0(%a: ", scalar, ", %b: ", scalar, "):\n    %s = \"stablehlo.", op,
                      "\"(%a, %b) ", attributes, " : (", scalar, ", ", scalar, ") -> ", result,
                      "\n    stablehlo.return %s : ", result, "\n  }");
}

std::vector<Case> MovesAndFolds() {
  const std::string q = Q("i8:f32, 0.125:3"), wide = Q("i16:f32, 0.0625:-5");
  const std::string in = Tensor("4x6", q), scalar = Tensor("", q);
  const std::string ge = "{comparison_direction = #stablehlo<comparison_direction GE>}";
  const std::string lt = "{comparison_direction = #stablehlo<comparison_direction LT>}";
  std::vector<Case> cases = {
      Op("reverse", {in}, in, 0, "{dimensions = array<i64: 1>}"),
      Op("slice", {in}, Tensor("2x3", q), 0,
         "{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 3, 6>, strides = "
         "array<i64: 1, 2>}"),
      Op("concatenate", {in, in}, Tensor("8x6", q), 0, "{dimension = 0 : i64}"),
      Op("pad", {in, scalar}, Tensor("5x12", q), 0,
         "{edge_padding_low = array<i64: 1, 0>, edge_padding_high = array<i64: 0, 1>, "
         "interior_padding = array<i64: 0, 1>}"),
      Op("dynamic_slice", {in, "tensor<i32>", "tensor<i32>"}, Tensor("2x2", q), 0,
         "{slice_sizes = array<i64: 2, 2>}"),
      Op("dynamic_update_slice", {in, Tensor("2x2", q), "tensor<i32>", "tensor<i32>"}, in),
      Op("gather", {in, "tensor<3x1xi32>"}, Tensor("3x6", q), 0,
         "{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], "
         "start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}"),
      Op("transpose", {in}, Tensor("6x4", q), 0, "{permutation = array<i64: 1, 0>}"),
      Op("reshape", {in}, Tensor("24", q)),
      Op("broadcast_in_dim", {Tensor("1x6", q)}, in, 0,
         "{broadcast_dimensions = array<i64: 0, 1>}"),
      Op("bitcast_convert", {in}, Tensor("4x6", "ui8")),
      Op("bitcast_convert", {Tensor("4x6", "i8")}, in),
      Op("optimization_barrier", {in}, in),
      Op("collective_permute", {in}, in, 0,
         "{source_target_pairs = dense<> : tensor<0x2xi64>, channel_handle = "
         "#stablehlo.channel_handle<handle = 0, type = 0>}"),
      Op("get_dimension_size", {in}, "tensor<i32>", 0, "{dimension = 1 : i64}"),
  };
  auto fold = [&](const std::string& op, const std::vector<std::string>& arguments,
                  const std::string& result, const std::string& attributes,
                  const std::string& regions) {
    Case c = Op(op, arguments, result, 0, attributes);
    c.body.insert(c.body.find(") ") + 1, absl::StrCat(" (", regions, ")"));
    cases.push_back(c);
  };
  for (const std::string& to : {q, wide}) {
    const std::string of = Tensor("", to);
    fold("reduce", {in, scalar}, Tensor("4", to), "{dimensions = array<i64: 1>}",
         Body("add", to, of));
    fold("reduce", {in, scalar}, Tensor("6", to), "{dimensions = array<i64: 0>}",
         Body("maximum", to, of));
    fold("reduce_window", {in, scalar}, Tensor("3x5", to), "{window_dimensions = array<i64: 2, 2>}",
         Body("add", to, of));
    fold("scatter", {in, "tensor<3x1xi32>", Tensor("3x6", q)}, Tensor("4x6", to),
         "{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], "
         "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}",
         Body("add", to, of));
    fold("select_and_scatter", {in, Tensor("2x3", q), scalar}, Tensor("4x6", to),
         "{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}",
         absl::StrCat(Body("compare", q, "tensor<i1>", ge), ", ", Body("add", to, of)));
    fold("all_reduce", {in}, Tensor("4x6", to), "{replica_groups = dense<0> : tensor<1x1xi64>}",
         Body("add", to, of));
  }
  fold("sort", {in}, in, "{dimension = 1 : i64, is_stable = true}",
       Body("compare", q, "tensor<i1>", lt));
  fold("map", {in, in}, in, "{dimensions = array<i64: 0, 1>}", Body("multiply", q, scalar));
  return cases;
}

TEST(Quantized, MovesAndFolds) {
  for (const char* target : kTargets) Check(target, MovesAndFolds(), 3);
}

// Returns products. `of` has the quantizations of both factors and of the result.
std::vector<Case> Products(const std::string& storage) {
  auto q = [&](const std::string& rest) { return Q(absl::StrCat(storage, ":f32", rest)); };
  const std::string lhs = q(", 0.05:7"), rhs = q(", 0.02"), out = q(", 0.3:-4");
  const std::string axis1 = q(":1, {0.02,0.01,0.03,0.04,0.05}");
  const std::string axis0 = q(":0, {0.02:1,0.01:-2,0.03,0.04,0.05:3}");
  const std::string out1 = q(":1, {0.2,0.3:5,0.4,0.5,0.6:-7}");
  const std::string dot =
      "{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
      "[1], rhs_contracting_dimensions = [0]>}";
  const std::string batched =
      "{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], "
      "rhs_batching_dimensions = [2], lhs_contracting_dimensions = [1], "
      "rhs_contracting_dimensions = [0]>}";
  const std::string conv =
      "{window_strides = array<i64: 2>, padding = dense<[[1, 2]]> : tensor<1x2xi64>, "
      "dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, "
      "feature_group_count = 1 : i64, batch_group_count = 1 : i64}";
  const std::string sums = Q("i32:f32, 0.001");
  std::vector<Case> cases = {
      Op("dot_general", {Tensor("7x33", lhs), Tensor("33x5", rhs)}, Tensor("7x5", out), 1, dot),
      Op("dot_general", {Tensor("7x33", lhs), Tensor("33x5", axis1)}, Tensor("7x5", out), 1, dot),
      Op("dot_general", {Tensor("7x33", lhs), Tensor("33x5", axis1)}, Tensor("7x5", out1), 1, dot),
      Op("dot_general",
         {Tensor("5x9", q(", 0.02")), Tensor("9x6x5", q(":2, {0.02,0.01,0.03,0.04,"
                                                        "0.05}"))},
         Tensor("5x6", q(":0, {0.2,0.3:5,0.4,0.5,0.6:-7}")), 1, batched),
      Op("dot_general", {Tensor("7x33", "f32"), Tensor("33x5", axis1)}, "tensor<7x5xf32>", 10, dot),
      Op("convolution", {Tensor("2x4x9", lhs), Tensor("5x4x3", q(", 0.02:2"))},
         Tensor("2x5x5", out), 1, conv),
      Op("convolution", {Tensor("2x4x9", lhs), Tensor("5x4x3", axis0)}, Tensor("2x5x5", out1), 1,
         conv),
      Op("convolution", {Tensor("2x4x9", "f32"), Tensor("5x4x3", axis0)}, "tensor<2x5x5xf32>", 10,
         conv),
  };
  return cases;
}

TEST(Quantized, Products) {
  std::vector<Case> all;
  for (const char* storage : {"i8", "u8<0:200>", "i16"}) {
    std::vector<Case> cases = Products(storage);
    if (storage[0] == 'u') {  // there are no negative zero points
      for (Case& c : cases) {
        const std::vector<std::pair<std::string, std::string>> plus = {{":-", ":"}};
        c.body = absl::StrReplaceAll(c.body, plus);
        c.result = absl::StrReplaceAll(c.result, plus);
        for (std::string& a : c.arguments) a = absl::StrReplaceAll(a, plus);
      }
    }
    all.insert(all.end(), cases.begin(), cases.end());
  }
  for (const char* target : kTargets) Check(target, all, 11);
}

TEST(Quantized, CudaProductsCompile) {
  if (std::string(HALYARD_PTXAS).empty()) GTEST_SKIP() << "no ptxas";
  auto target = ParseTarget("cuda:sm_80");
  ASSERT_TRUE(target.ok()) << target.status();
  auto module = stablehlo::ParseStableHlo(ProgramOf(Products("i8")), "test.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const absl::Status status = ProgramCompiler().Compile(**module, *target).status();
  EXPECT_TRUE(status.ok()) << status;
}

// Sums that lose nothing: the quanta of the result are products of those of the factors.
TEST(Quantized, ExactSums) {
  const std::string dot =
      "{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = "
      "[1], rhs_contracting_dimensions = [0]>}";
  const std::vector<Case> cases = {
      Op("dot_general", {Tensor("3x1000", Q("i8:f32, 0.5:9")), Tensor("1000x4", Q("i8:f32, 0.25"))},
         Tensor("3x4", Q("i32:f32, 0.125")), 0, dot),
      Op("dot_general", {Tensor("3x10", Q("i8:f32, 0.5:9")), Tensor("10x4", Q("i8:f32, 0.25"))},
         Tensor("3x4", Q("u16:f32, 0.125:30000")), 0, dot),
  };
  for (const char* target : kTargets) Check(target, cases, 5);
}

// These are large enough for packed panels, whose terms x86 takes in pairs. There are odd numbers
// of rows and columns, batches, strides and padding.
TEST(Quantized, LargeProducts) {
  auto dot = [](const std::string& numbers) {
    return absl::StrCat("{dot_dimension_numbers = #stablehlo.dot<", numbers, ">}");
  };
  auto conv = [](int stride, int pad, int groups) {
    return absl::StrCat("{window_strides = array<i64: ", stride, ", ", stride,
                        ">, padding = dense<", pad,
                        "> : tensor<2x2xi64>, dimension_numbers = "
                        "#stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
                        "feature_group_count = ",
                        groups, " : i64, batch_group_count = 1 : i64}");
  };
  const std::string lhs = Q("i8:f32, 0.05:7"), rhs = Q("i8:f32, 0.02"), out = Q("i8:f32, 0.5:-4");
  const std::string unsigned_lhs = Q("u8:f32, 0.05:90"), unsigned_rhs = Q("u8:f32, 0.02");
  const std::string symmetric = Q("i8:f32, 0.05"), sums = Q("i32:f32, 0.001");
  const std::vector<Case> cases = {
      Op("dot_general", {Tensor("61x64", lhs), Tensor("64x37", rhs)}, Tensor("61x37", out), 1,
         dot("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]")),
      Op("dot_general", {Tensor("61x64", symmetric), Tensor("64x37", rhs)}, Tensor("61x37", sums),
         0, dot("lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]")),
      Op("dot_general", {Tensor("64x61", unsigned_lhs), Tensor("37x64", unsigned_rhs)},
         Tensor("61x37", Q("u8:f32, 0.5:100")), 1,
         dot("lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]")),
      Op("dot_general", {Tensor("3x50x6x2", lhs), Tensor("3x6x35x2", rhs)}, Tensor("3x50x35", out),
         1,
         dot("lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], "
             "lhs_contracting_dimensions = [2, 3], rhs_contracting_dimensions = [1, 3]")),
      Op("convolution", {Tensor("2x13x15x8", lhs), Tensor("3x3x8x36", rhs)},
         Tensor("2x13x15x36", out), 1, conv(1, 1, 1)),
      Op("convolution", {Tensor("2x13x15x8", lhs), Tensor("3x3x8x36", rhs)},
         Tensor("2x6x7x36", out), 1, conv(2, 0, 1)),
      Op("convolution", {Tensor("2x13x15x8", symmetric), Tensor("1x1x8x36", rhs)},
         Tensor("2x13x15x36", out), 1, conv(1, 0, 1)),
      Op("convolution", {Tensor("2x13x15x8", lhs), Tensor("3x3x4x36", Q("i8:f32, 0.02:3"))},
         Tensor("2x13x15x36", out), 1, conv(1, 1, 2)),
  };
  for (const char* target : {"x86", "x86:v3", "vulkan"}) Check(target, cases, 9);
}

}  // namespace
}  // namespace halyard
