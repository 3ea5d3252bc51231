// Quantized types in text: which are refused and where, their form in HLO text, and the
// specification's examples of their arithmetic.
#include "frontend/hlo/values/quantized.h"

#include <gtest/gtest.h>

#include <limits>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "frontend/hlo/evaluate/evaluator.h"
#include "frontend/hlo_proto/hlo_proto.h"
#include "frontend/hlo_text/parser.h"
#include "frontend/hlo_text/printer.h"
#include "frontend/stablehlo/stablehlo.h"

namespace halyard::stablehlo {
namespace {

using hlo::ElementType;
using hlo::Literal;

std::string ErrorOf(const std::string& text) {
  auto module = ParseStableHlo(text, "test.mlir");
  return module.ok() ? "" : std::string(module.status().message());
}

std::string TypeError(const std::string& type) {
  return ErrorOf(absl::StrCat("func.func @main(%x: ", type, ") -> ", type,
                              " {\n  return %x : ", type, "\n}\n"));
}

std::string Tensor(const std::string& quantized) {
  return absl::StrCat("tensor<2x3x!quant.uniform<", quantized, ">>");
}

TEST(QuantizedTypes, ValidOnes) {
  for (const char* type :
       {"i8:f32, 0.5", "i8:f32, 0.5:-128", "u8:f32, 0.5:255", "i8<-127:127>:f16, 1.0e-3:127",
        "i2:f32, 1.0:-2", "ui4<3:9>:bf16, 2.0:5", "i32:f32, 0.5", "u32:f64, 0.5:4294967295",
        "i64:f64, 0.25", "i16:f32:1, {0.5,0.25:3,1.0:-7}", "i8:f32:0, {0.1:-30,0.5:-20}",
        "i4:f8E5M2, 2.0"}) {
    EXPECT_EQ(TypeError(Tensor(type)), "") << type;
  }
}

// Lists the constraints of the quantized element type that its text can break. C1, C2, C4, C8 and
// C9 relate types and counts that the text states only once. C1 and C4 stand here for types that
// are not allowed.
TEST(QuantizedTypes, EachConstraintIsAnErrorWithItsPlace) {
  const std::vector<std::pair<const char*, const char*>> kWrong = {
      {"C1", "i1:f32, 0.5"},
      {"C1", "ui64:f32, 0.5"},
      {"C3", "i8<-129:127>:f32, 0.5"},
      {"C3", "i8<-128:128>:f32, 0.5"},
      {"C3", "i8<5:5>:f32, 0.5:5"},
      {"C3", "i8<6:5>:f32, 0.5:5"},
      {"C3", "u8<-1:5>:f32, 0.5"},
      {"C4", "i8:tf32, 0.5"},
      {"C5", "i8:f32, 0.0"},
      {"C5", "i8:f32, -0.5"},
      {"C5", "i8:f16, 1.0e-20"},  // rounds to 0 in the expressed type
      {"C5", "i8:f32:0, {0.5,0.0}"},
      {"C6", "i8:f32, 1.0e100"},
      {"C6", "i8:f16, 1.0e6"},
      {"C7", "i8:f32, 0.5:128"},
      {"C7", "i8<-127:127>:f32, 0.5:-128"},
      {"C7", "i8:f32:0, {0.5,0.5:-129}"},
      {"C7", "i64:f64, 0.5:1"},  // 64 bits cannot hold every difference
      {"C10", "i8:f32, {0.5,0.25}"},
      {"C11", "i8:f32:-1, {0.5,0.25}"},
      {"C12", "i8:f32:2, {0.5,0.25}"},
      {"C13", "i8:f32:0, {0.5,0.25,0.125}"},
      {"C13", "i8:f32:1, {0.5,0.25}"},
  };
  for (const auto& [label, type] : kWrong) {
    const std::string error = TypeError(Tensor(type));
    EXPECT_TRUE(absl::StartsWith(error, "test.mlir:1:21: error: ")) << type << ": " << error;
    EXPECT_TRUE(absl::StrContains(error, absl::StrCat(" quantized type ", label, ": ")))
        << type << ": " << error;
  }
}

// All other ops are refused by name.
TEST(QuantizedTypes, OpsThatDoNotTakeThem) {
  const std::string q = Tensor("i8:f32, 0.5"), per_axis = Tensor("i8:f32:0, {0.5,0.25}");
  auto unary = [&](const std::string& op, const std::string& type) {
    return ErrorOf(absl::StrCat("func.func @main(%x: ", type, ") -> ", type,
                                " {\n  %r = ", "\"stablehlo.", op, "\"(%x) : (", type, ") -> ",
                                type, "\n  return %r : ", type, "\n}\n"));
  };
  auto binary = [&](const std::string& op, const std::string& type) {
    return ErrorOf(absl::StrCat("func.func @main(%x: ", type, ") -> ", type,
                                " {\n  %r = ", "\"stablehlo.", op, "\"(%x, %x) : (", type, ", ",
                                type, ") -> ", type, "\n  return %r : ", type, "\n}\n"));
  };
  for (const char* op : {"not", "popcnt", "count_leading_zeros", "real", "convert"}) {
    EXPECT_TRUE(absl::StrContains(unary(op, q), "I1: operand 0 must not be quantized, is s8<"))
        << op << ": " << unary(op, q);
  }
  for (const char* op : {"and", "shift_left", "complex"}) {
    EXPECT_TRUE(absl::StrContains(binary(op, q), "I1: operand 0 must not be quantized")) << op;
  }
  for (const char* op : {"abs", "tanh", "is_finite", "optimization_barrier"}) {
    EXPECT_TRUE(
        absl::StrContains(unary(op, per_axis), "I1: operand 0 must not be quantized per axis"))
        << op << ": " << unary(op, per_axis);
  }
  for (const char* op : {"subtract", "maximum", "compare"}) {
    EXPECT_TRUE(absl::StrContains(binary(op, per_axis), "must not be quantized per axis") ||
                op == std::string("compare"))
        << op;
  }
  EXPECT_EQ(binary("add", per_axis), "");
  EXPECT_TRUE(absl::StrContains(
      ErrorOf("func.func @main() -> tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>> {\n"
              "  %r = stablehlo.iota dim = 0 : tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>>\n"
              "  return %r : tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>>\n}\n"),
      "O1: the result must not be quantized per axis"));
}

TEST(QuantizedTypes, HloTextHoldsThem) {
  const std::string text = absl::StrReplaceAll(
      R"(func.func @main(%x: P, %y: tensor<2x3xf32>) -> (P, tensor<2x3xf32>, A) {
  %c = stablehlo.constant() <{value = dense<[[1, -2, 3], [4, 5, 6]]> : tensor<2x3xi8>}> : () -> A
  %a = stablehlo.add %x, %c : (P, A) -> A
  %d = stablehlo.uniform_dequantize %a : (A) -> tensor<2x3xf32>
  %q = stablehlo.uniform_quantize %d : (tensor<2x3xf32>) -> P
  return %q, %d, %a : P, tensor<2x3xf32>, A
}
)",
      {{"P", Tensor("i8<-127:127>:f32, 0.1:-3")}, {"A", Tensor("i8:f32:1, {0.1:-30,0.5,1.0:2}")}});
  // P and A differ in their storage range, which add allows.
  auto module = ParseStableHlo(text, "test.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  const std::string printed = hlo_text::Print(**module);
  EXPECT_TRUE(absl::StrContains(printed, "s8<-127:127:f32, {0.10000000149011612:-3}>[2,3]"))
      << printed;
  auto again = hlo_text::ParseModule(printed, "printed.hlo");
  ASSERT_TRUE(again.ok()) << again.status() << "\n" << printed;
  EXPECT_EQ(hlo_text::Print(**again), printed);
  for (auto [from, to] :
       std::vector<std::pair<std::string, std::string>>{{"<-127:127:f32, ", "<-127:128:f32, "},
                                                        {"<-127:127:f32, ", "<-127:127:s32, "},
                                                        {"<-127:127:f32, ", "<-127:f32, "},
                                                        {":2}>", ":2>"},
                                                        {":2}>", ":x}>"}}) {
    const std::string wrong = absl::StrReplaceAll(printed, {{from, to}});
    ASSERT_NE(wrong, printed);
    EXPECT_FALSE(hlo_text::ParseModule(wrong, "wrong.hlo").ok()) << to;
  }
  auto proto = hlo_proto::ToHloProto(**module);
  ASSERT_FALSE(proto.ok());
  EXPECT_TRUE(absl::StrContains(proto.status().message(), "HLO protos have no quantized types"))
      << proto.status();
}

// Returns the stored integers of the only result.
std::vector<int64_t> StoredResult(const std::string& text, const std::vector<Literal>& arguments) {
  auto module = ParseStableHlo(text, "test.mlir");
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return {};
  auto result = hlo::Evaluator().Run(**module, arguments);
  EXPECT_TRUE(result.ok()) << result.status();
  std::vector<int64_t> values;
  if (!result.ok()) return {};
  EXPECT_FALSE(result->shape().IsQuantized());
  for (int64_t i = 0; i < result->shape().NumElements(); ++i) values.push_back(result->GetInt(i));
  return values;
}

std::string Requantize(const std::string& from, const std::string& to) {
  return absl::StrCat("func.func @main(%x: ", from, ") -> ", to,
                      " {\n  %r = stablehlo.uniform_quantize %x : (", from, ") -> ", to,
                      "\n  return %r : ", to, "\n}\n");
}

Literal Ints(ElementType type, const std::vector<int64_t>& values) {
  return Literal::FromValues<int64_t>(type, {static_cast<int64_t>(values.size())}, values);
}
Literal Floats(ElementType type, const std::vector<double>& values) {
  return Literal::FromValues<double>(type, {static_cast<int64_t>(values.size())}, values);
}

TEST(QuantizedArithmetic, TheSpecificationsExamples) {
  const std::string a = "tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>";
  const std::string b = "tensor<2x!quant.uniform<i8:f32:0, {0.1:-20,0.2:-30}>>";
  EXPECT_EQ(StoredResult(Requantize("tensor<2xf32>", a), {Floats(ElementType::kF32, {4, 15})}),
            (std::vector<int64_t>{10, 10}));
  EXPECT_EQ(StoredResult(Requantize(a, b), {Ints(ElementType::kS8, {10, 10})}),
            (std::vector<int64_t>{20, 45}));
  auto module = ParseStableHlo(
      absl::StrCat("func.func @main(%x: ", a,
                   ") -> tensor<2xf32> {\n  %r = stablehlo.uniform_dequantize %x : (", a,
                   ") -> tensor<2xf32>\n  return %r : tensor<2xf32>\n}\n"),
      "test.mlir");
  ASSERT_TRUE(module.ok()) << module.status();
  auto result = hlo::Evaluator().Run(**module, {{Ints(ElementType::kS8, {10, 10})}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->GetFloat(0), 4);
  EXPECT_EQ(result->GetFloat(1), 15);
}

// 127 - (-128) does not wrap. Quantization clamps, then rounds to even. NaN becomes 0, clamped to
// the range.
TEST(QuantizedArithmetic, Edges) {
  const std::string low = "tensor<4x!quant.uniform<i8:f32, 1.0:-128>>";
  const std::string wide = "tensor<4x!quant.uniform<i16:f32, 0.5>>";
  EXPECT_EQ(StoredResult(Requantize(low, wide), {Ints(ElementType::kS8, {127, -128, 0, -1})}),
            (std::vector<int64_t>{510, 0, 256, 254}));
  const double inf = std::numeric_limits<double>::infinity();
  const std::string small = "tensor<8x!quant.uniform<i8<-5:6>:f32, 1.0:1>>";
  EXPECT_EQ(StoredResult(
                Requantize("tensor<8xf32>", small),
                {Floats(ElementType::kF32, {0.5, 1.5, -0.5, 100, -100, inf, -inf, std::nan("")})}),
            (std::vector<int64_t>{2, 2, 0, 6, -5, 6, -5, 0}));
  const std::string positive = "tensor<1x!quant.uniform<u8<3:9>:f32, 1.0:3>>";
  EXPECT_EQ(StoredResult(Requantize("tensor<1xf32>", positive),
                         {Floats(ElementType::kF32, {std::nan("")})}),
            (std::vector<int64_t>{3}));
  // 2147483640 becomes 2147483648 in f32. Values still stay in the range.
  const std::string large = "tensor<2x!quant.uniform<i32<-7:2147483640>:f32, 1.0>>";
  EXPECT_EQ(
      StoredResult(Requantize("tensor<2xf32>", large), {Floats(ElementType::kF32, {3e9, -8})}),
      (std::vector<int64_t>{2147483640, -7}));
}

}  // namespace
}  // namespace halyard::stablehlo
