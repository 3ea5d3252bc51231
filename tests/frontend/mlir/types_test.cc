// Tests every form of type.
#include "tests/frontend/mlir/reading.h"

namespace halyard::mlir {
namespace {

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, PrintsAsWritten) {
  AttributeReading reading(GetParam());
  ASSERT_EQ(reading.error, "");
  ASSERT_TRUE(reading->Is(AttributeKind::kType));
  EXPECT_EQ(ToString(*reading->type), GetParam());
  AttributeReading again(ToString(*reading->type));
  ASSERT_EQ(again.error, "");
  EXPECT_TRUE(SameType(*reading->type, *again->type));
}

INSTANTIATE_TEST_SUITE_P(
    Types, RoundTrip,
    testing::Values(
        "i1", "i2", "i4", "i8", "i16", "i32", "i64", "si2", "si64", "ui2", "ui4", "ui8", "ui16",
        "ui32", "ui64", "index", "none", "f4E2M1FN", "f6E2M3FN", "f6E3M2FN", "f8E3M4", "f8E4M3",
        "f8E4M3FN", "f8E4M3FNUZ", "f8E4M3B11FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU", "bf16",
        "f16", "f32", "f64", "tf32", "complex<f32>", "complex<f64>", "tensor<f32>",
        "tensor<2x3xf32>", "tensor<0x3xi8>", "tensor<2x?xbf16>", "tensor<4xcomplex<f64>>",
        "tensor<?x?xui4>", "tensor<0x0xf8E4M3FN>", "tensor<*xi8>", "memref<2x?xf32>",
        "memref<4xf32, strided<[1], offset: 2>, 1>", "memref<f32>",
        "!stablehlo.future<tensor<2xf32>, tensor<i1>>", "tuple<>",
        "tuple<tensor<i1>, tuple<tensor<2xf32>>>", "!stablehlo.token",
        "!quant.uniform<i8:f32, 5.000000e-01:-3>",
        "tensor<2x2x!quant.uniform<i8<-127:127>:f32:0, {1.000000e-01:-30,5.000000e-01:-20}>>",
        "!quant.uniform<u8:f16, 2.000000e+00>", "!d.type<a<b>, \"c>\", [1, 2]>",
        "(tensor<f32>, i1) -> (i32, i64)", "() -> ()"));

TEST(Types, ScalarTypes) {
  auto scalar = [](const char* text) { return ScalarType(*AttributeReading(text)->type); };
  EXPECT_EQ(scalar("i1"), hlo::ElementType::kPred);
  EXPECT_EQ(scalar("si8"), hlo::ElementType::kS8);
  EXPECT_EQ(scalar("ui2"), hlo::ElementType::kU2);
  EXPECT_EQ(scalar("f8E4M3B11FNUZ"), hlo::ElementType::kF8E4M3B11FNUZ);
  EXPECT_EQ(scalar("complex<f64>"), hlo::ElementType::kC128);
  EXPECT_EQ(scalar("index"), hlo::ElementType::kS64);
  EXPECT_EQ(scalar("!quant.uniform<i8:f32, 0.5>"), hlo::ElementType::kS8);
  EXPECT_EQ(scalar("tf32"), std::nullopt);
  EXPECT_EQ(scalar("i3"), std::nullopt);
  EXPECT_EQ(scalar("complex<i32>"), std::nullopt);
}

TEST(Types, QuantizedParameters) {
  AttributeReading reading("!quant.uniform<i8<-8:7>:f32:1, {0.5:-3, 1.0e-1}>");
  ASSERT_EQ(reading.error, "");
  const QuantParams& quant = *reading->type->quant;
  EXPECT_EQ(quant.storage_min, -8);
  EXPECT_EQ(quant.storage_max, 7);
  EXPECT_EQ(quant.dimension, 1);
  EXPECT_EQ(quant.scales, (std::vector<double>{0.5, 0.1}));
  EXPECT_EQ(quant.zero_points, (std::vector<int64_t>{-3, 0}));
  AttributeReading u8("!quant.uniform<u8:f32, 0.5:3>");
  ASSERT_EQ(u8.error, "");
  EXPECT_EQ(u8->type->elements[0]->name, "ui8");
}

TEST(Types, EncodingsAreKept) {
  AttributeReading reading("tensor<?x?xf32, #stablehlo.bounds<3, ?>>");
  ASSERT_EQ(reading.error, "");
  const Attribute* encoding = reading->type->encoding;
  ASSERT_NE(encoding, nullptr);
  EXPECT_EQ(encoding->name, "stablehlo.bounds");
  EXPECT_EQ(encoding->text, "3, ?");
  EXPECT_FALSE(SameType(*reading->type, *AttributeReading("tensor<?x?xf32>")->type));
}

TEST(Types, Aliases) {
  AttributeReading reading("tuple<!row, !row>", "!row = tensor<4xf32>\n");
  ASSERT_EQ(reading.error, "");
  EXPECT_EQ(ToString(*reading->type), "tuple<tensor<4xf32>, tensor<4xf32>>");
}

TEST(Types, NodesKnowTheirPlace) {
  AttributeReading reading("tuple<\n  i32>");
  ASSERT_EQ(reading.error, "");
  EXPECT_EQ(reading.document->source.Describe(reading->type->elements[0]->offset), "f.mlir:2:3");
}

struct Wrong {
  const char* type;
  const char* error;
};
class WrongType : public testing::TestWithParam<Wrong> {};

TEST_P(WrongType, IsALocatedError) {
  AttributeReading reading(GetParam().type);
  EXPECT_EQ(reading.error, absl::StrCat("f.mlir:1:", GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(
    Types, WrongType,
    testing::Values(
        Wrong{"f33", "15: error: expected a type, got 'f33'"},
        Wrong{"tensor<*2xf32>", "22: error: expected a type, got '*'"},
        Wrong{"!stablehlo.future<i32>", "15: error: a future is of tensors, not of i32"},
        Wrong{"tensor<99999999999999999999xf32>",
              "22: error: dimension size does not fit in 64 bits"},
        Wrong{"tensor<2,3xf32>", "23: error: expected 'x' after a dimension size"},
        Wrong{"tensor<2xtuple<>>", "24: error: a tensor cannot hold elements of type tuple<>"},
        Wrong{"complex<f32, f32>", "15: error: expected 1 type in the brackets"},
        Wrong{"!nope", "15: error: type alias '!nope' is not defined"},
        Wrong{"!quant.uniform<f32:f32, 1.0>",
              "15: error: the storage type of !quant.uniform must be an integer type"},
        Wrong{"vector<2xf32>",
              "15: error: only tensors, tuples and tokens are values here; "
              "expected such a type, got 'vector'"}));

TEST(Types, DeepNestingIsAnError) {
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "tuple<";
  EXPECT_NE(AttributeReading(deep).error.find("nested more than 200 deep"), std::string::npos);
}

TEST(Types, AliasesCannotMultiplyWithoutEnd) {
  std::string text = "!t0 = tuple<i1, i1>\n";
  for (int i = 1; i < 64; ++i) {
    absl::StrAppend(&text, "!t", i, " = tuple<!t", i - 1, ", !t", i - 1, ">\n");
  }
  EXPECT_NE(Reading(text).error.find("too large"), std::string::npos);
}

}  // namespace
}  // namespace halyard::mlir
