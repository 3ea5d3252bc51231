// Every op that takes quantized operands, compiled and run, against the evaluator: the same stored
// integers, or, where an op is inexact, integers that differ by 1. Products of quantized factors
// are computed with integers, the evaluator's with floats: they too may differ by 1. Then random
// chains of elementwise ops.
#include "frontend/hlo/values/quantized.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "client/api/client.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/stablehlo/stablehlo.h"
#include "tests/asked_count.h"

namespace halyard {
namespace {

using hlo::Literal;
using hlo::Shape;

// One op, as a function of its own: `%0`, `%1`, … are its arguments, `%r` its result.
struct Case {
  std::vector<std::string> arguments;
  std::string result;
  std::string body;
  int tolerance = 0;  // of stored integers; of floats, 1e-5 times that
};

std::string Tensor(const std::string& dims, const std::string& element) {
  return absl::StrCat("tensor<", dims, dims.empty() ? "" : "x", element, ">");
}

// `uniform(i8:f32, 0.5)` for short.
std::string Q(const std::string& inside) { return absl::StrCat("!quant.uniform<", inside, ">"); }

std::string ProgramOf(const std::vector<Case>& cases) {
  std::vector<std::string> parameters, results, types, body;
  for (size_t i = 0; i < cases.size(); ++i) {
    const std::string prefix = absl::StrCat("%c", i, "_");
    for (size_t a = 0; a < cases[i].arguments.size(); ++a) {
      parameters.push_back(absl::StrCat(prefix, a, ": ", cases[i].arguments[a]));
    }
    body.push_back(absl::StrReplaceAll(cases[i].body, {{"%", prefix}}));
    results.push_back(absl::StrCat(prefix, "r"));
    types.push_back(cases[i].result);
  }
  return absl::StrCat("func.func @main(", absl::StrJoin(parameters, ", "), ") -> (",
                      absl::StrJoin(types, ", "), ") {\n", absl::StrJoin(body, "\n"), "\n  return ",
                      absl::StrJoin(results, ", "), " : ", absl::StrJoin(types, ", "), "\n}\n");
}

Literal RandomLiteral(const Shape& type, std::mt19937_64* random) {
  Literal literal(type);
  for (int64_t i = 0; i < type.NumElements(); ++i) {
    if (const hlo::Quantization* q = type.quantization()) {
      std::uniform_int_distribution<int64_t> values(q->storage_min, q->storage_max);
      literal.SetInt(i, values(*random));
    } else if (hlo::IsFloat(type.element_type())) {
      literal.SetFloat(i, std::normal_distribution<double>(0, 4)(*random));
    } else {
      literal.SetInt(i, static_cast<int64_t>((*random)() % 3));
    }
  }
  return literal;
}

std::vector<Literal> ArgumentsOf(const hlo::Module& module, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Literal> arguments;
  for (const hlo::Instruction* parameter : module.entry()->parameters()) {
    arguments.push_back(RandomLiteral(parameter->shape, &random));
  }
  return arguments;
}

std::string Differs(const Literal& got, const Literal& want, int tolerance) {
  if (!Shape::SameIgnoringLayout(got.shape(), want.shape())) return "shape";
  for (int64_t i = 0; i < want.shape().NumElements(); ++i) {
    const double g = got.GetAsDouble(i), w = want.GetAsDouble(i);
    const bool floats = hlo::IsFloat(want.shape().element_type());
    const double allowed = floats ? 1e-5 * tolerance * (1 + std::abs(w)) : tolerance;
    if (g == w || (std::isnan(g) && std::isnan(w)) || std::abs(g - w) <= allowed) continue;
    return absl::StrCat("element ", i, " is ", g, ", must be ", w);
  }
  return "";
}

void Check(const std::string& target, const std::vector<Case>& cases, uint64_t seed) {
  ClientOptions options;
  options.target = target;
  options.use_cache = false;
  auto client = Client::Create(options);
  if (!client.ok()) GTEST_SKIP() << client.status();
  const std::string text = ProgramOf(cases);
  auto module = stablehlo::ParseStableHlo(text, "test.mlir");
  ASSERT_TRUE(module.ok()) << module.status() << "\n" << text;
  const std::vector<Literal> arguments = ArgumentsOf(**module, seed);
  auto want = hlo::Evaluator().Run(**module, arguments);
  ASSERT_TRUE(want.ok()) << want.status();
  auto executable = (*client)->Compile(**module);
  ASSERT_TRUE(executable.ok()) << executable.status();
  auto got = (*executable)->RunLiterals(arguments);
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_EQ(got->size(), cases.size());
  for (size_t i = 0; i < cases.size(); ++i) {
    const Literal& wanted = cases.size() == 1 ? *want : want->elements()[i];
    EXPECT_EQ(Differs((*got)[i], wanted, cases[i].tolerance), "")
        << target << ", seed " << seed << ": " << cases[i].body << " -> " << cases[i].result;
  }
}

const char* const kTargets[] = {"x86", "vulkan"};

Case Op(const std::string& op, const std::vector<std::string>& arguments, const std::string& result,
        int tolerance = 0, const std::string& attributes = "") {
  std::vector<std::string> names;
  for (size_t i = 0; i < arguments.size(); ++i) names.push_back(absl::StrCat("%", i));
  return {arguments, result,
          absl::StrCat("  %r = \"stablehlo.", op, "\"(", absl::StrJoin(names, ", "), ") ",
                       attributes, " : (", absl::StrJoin(arguments, ", "), ") -> ", result),
          tolerance};
}

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

// Ops whose results are exact on every type.
std::vector<Case> Exact(const std::string& storage, const std::string& expressed) {
  std::vector<Case> few;
  for (const Case& c : Elementwise(storage, expressed)) {
    for (const char* op : {"divide", "maximum", "uniform", "compare"}) {
      if (absl::StrContains(c.body, absl::StrCat("stablehlo.", op))) few.push_back(c);
    }
  }
  // Zero points must be in the range of i2, -2 to 1.
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

// A region of one op on two scalars.
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

// Products. `of` has the quantizations of both factors and of the result.
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
    if (storage[0] == 'u') {  // no negative zero points
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

// Sums of which nothing is lost: quanta of the result are products of those of the factors.
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

// Large enough for packed panels, whose terms x86 takes in pairs; odd numbers of rows and columns,
// batches, strides and padding.
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

// Sizes that are known when it runs.
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

// A chain of elementwise ops whose intermediate results have random types.
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
